// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import FixtureNetworking
import Foundation
import MockServerTesting
import MockapiTestSupport
import NetworkingKit
import Testing
import UpstreamNetworking

/// A failed expectation shows all that its operands hold, however deep; what other threads change meanwhile is not among it.
@Suite(.supervised, .mockServer(stubs: [RequestMatch.get("/lines").respond(json: "[]").hold("lines")]))
struct ReflectionTests {
    private struct Lines: Request {
        typealias Output = [String]
        let url: URL
        let method = HTTPMethod.get
    }

    /// A view model whose request is under way when it is looked at.
    @MainActor private final class Model {
        private(set) var isLoading = false
        private let networker = Networker()
        private let url: URL

        init(_ base: URL) { url = base.appendingPathComponent("lines") }

        func load() async throws {
            isLoading = true
            defer { isLoading = false }
            _ = try await networker.value(for: Lines(url: url))
        }
    }

    private func parts(of value: Any) -> Int { Mirror(reflecting: value).children.count }

    @Test func `whoever sends, keeps or answers shows nothing of itself`() throws {
        let networker = Networker()
        #expect(parts(of: networker) == 0)
        #expect(parts(of: Client(networking: networker)) == 0)
        #expect(parts(of: UpstreamNetworker()) == 0)
        #expect(parts(of: try FixtureNetworker(fixtures: "Fixtures")) == 0)
        #expect(parts(of: RequestCache<Data>.ofData()) == 0)
        #expect(parts(of: DelegateReference()) == 0)
        #expect(parts(of: TokenMiddleware { "token" }) == 0)
        #expect(parts(of: MockServer.current) == 0)
        #expect(parts(of: MockServer.current.journal) == 0)
    }

    @Test @MainActor func `an expectation of a model fails while its request is under way`() async throws {
        let model = Model(MockServer.current.baseURL)
        async let loading: Void = model.load()
        try await expect(.get("/lines"), .once, within: .seconds(60))
        withKnownIssue {
            #expect(!model.isLoading)
        }
        try MockServer.current.release("lines")
        try await loading
    }
}
