// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The code of the tutorial of MockServer.
@Suite(.supervised) struct Jobs {
    @Test func aJobIsRequestedUntilItIsDone() async throws {
        let server = try await MockServer.start()
        try server.add(RequestMatch.post("/api/imports").respond(202, headers: ["Location": "/api/imports/1"]))
        try server.add(
            RequestMatch.get("/api/imports/1").respond(inTurn: [
                MockResponse(202), .json(#"{"state": "done"}"#),
            ]))
        let states = try await Importer(server.baseURL).states()
        print(states, server.journal.entries.map(\.target))
        #expect(states == [202, 202, 200])
        #expect(server.journal.entries.map(\.target) == ["/api/imports", "/api/imports/1", "/api/imports/1"])
        await server.stop()
    }

    /// The client under test.
    private struct Importer {
        private let url: URL

        init(_ url: URL) { self.url = url }

        func states() async throws -> [Int] {
            var start = URLRequest(url: url.appendingPathComponent("api/imports"))
            start.httpMethod = "POST"
            var states = [try await status(start)]
            let job = URLRequest(url: url.appendingPathComponent("api/imports/1"))
            while states.last != 200 { states.append(try await status(job)) }
            return states
        }

        private func status(_ request: URLRequest) async throws -> Int {
            let (_, response) = try await URLSession(configuration: .ephemeral).data(for: request)
            return try #require(response as? HTTPURLResponse).statusCode
        }
    }
}
