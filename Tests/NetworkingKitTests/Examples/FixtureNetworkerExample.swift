// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import FixtureNetworking
import Foundation
import MockapiTestSupport
import Testing

/// The example of `docs/networking/fixture-networker.md`.
@Suite(.supervised) struct FixtureNetworkerExample {
    @Test func articlesComeFromFixtures() async throws {
        let fixtures = Sample.fixtures
        let api = try #require(URL(string: "https://api.example.com/api"))

        let networker = try FixtureNetworker(fixtures: fixtures)
        let articles = try await networker.value(for: ArticleRequest(base: api))
        #expect(articles.count == 20)
        #expect(networker.journal.unmatched.isEmpty)
    }
}
