// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Tests that run side by side, each with a server.
@Suite(.supervised, .mockServer(fixtures: "Fixtures"))
struct ManyServersTests {
    @Test(arguments: 0..<200)
    func eachOfTwoHundredHasItsOwn(_ number: Int) async throws {
        let port = MockServer.current.baseURL.port ?? 0
        let count = number % 4 + 1
        try await blocking {
            let client = try WireClient(port: port)
            for _ in 0..<count { _ = try client.request("GET", "/api/domains?number=\(number)") }
        }
        expect(.get("/api/domains").query("number", "\(number)"), .times(count))
        expect(.any("/api/domains"), .times(count))
        expectOneConnection()
    }
}
