// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import FixtureNetworking
import Foundation
import MockapiTestSupport
import Testing

/// The core: a request with an output of its own is decoded wherever nothing says that its data is wanted.
@Suite(.supervised) struct OverloadTests {
    private func awaited<N: Networking>(by networking: N, _ request: ArticleRequest) async throws -> Int {
        let articles = try await networking.value(for: request)
        return articles.map(\.name).count
    }

    @Test func anOutputIsWhatIsAwaited() async throws {
        let networker = try FixtureNetworker(fixtures: Sample.fixtures)
        let request = ArticleRequest(base: try #require(URL(string: "http://service.example/api")))
        let networking: any Networking = networker
        let concrete = try await networker.value(for: request)
        let existential = try await networking.value(for: request)
        #expect(concrete.map(\.name).count == 20)
        #expect(existential.map(\.name).count == 20)
        #expect(try await awaited(by: networker, request) == 20)
    }

    @Test func anOutputIsWhatIsPublished() async throws {
        let networking: any Networking = try FixtureNetworker(fixtures: Sample.fixtures)
        let request = ArticleRequest(base: try #require(URL(string: "http://service.example/api")))
        let count = networking.fetch(request).map { $0.map(\.name).count }
        #expect(try await count.firstValue() == 20)
    }
}
