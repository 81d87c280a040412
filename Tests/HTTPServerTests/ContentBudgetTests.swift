// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What the unfinished requests of all connections may hold together.
@Suite(.supervised) struct ContentBudgetTests {
    private static let limit = 256 * 1024

    private func serving(_ body: @escaping @Sendable (Int) throws -> Void) async throws {
        let echo = try EchoServer(loops: 1) {
            $0.limits.maxBody = Self.limit
            $0.limits.maxContent = Self.limit
        }
        do {
            try await blocking { try body(echo.port) }
        } catch {
            await echo.server.stop()
            throw error
        }
        await echo.server.stop()
    }

    private func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static let refusal = "the requests under way hold more than 262144 bytes of content"

    @Test func `a request that finds no room is answered 503, until another is done`() async throws {
        try await serving { port in
            let first = try WireClient(port: port)
            try first.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 150000\r\nExpect: 100-continue\r\n\r\n")
            #expect(try first.line() == "HTTP/1.1 100 Continue")
            _ = try first.line()
            try first.send(text(149_999))
            // A response on the one loop tells that what came before it has been read, or soon is.
            var refused: WireResponse?
            while refused == nil {
                let answer = try WireClient(port: port).request("POST", "/b", body: text(150_000))
                if answer.status == 503 { refused = answer }
            }
            #expect(refused?.text == Self.refusal)
            #expect(refused?["Connection"] == "close")
            try first.send("x")
            #expect(try first.response().body.count == 150_002)
            #expect(try WireClient(port: port).request("POST", "/b", body: text(150_000)).status == 200)
        }
    }

    @Test func `a client that goes away gives its room back`() async throws {
        try await serving { port in
            for _ in 0..<4 {
                let client = try WireClient(port: port)
                try client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" + text(150_000))
                client.close()
            }
            let deadline = ContinuousClock.now + .seconds(60)
            var status = 0
            while status != 200, ContinuousClock.now < deadline {
                status = try WireClient(port: port).request("POST", "/b", body: text(200_000)).status
            }
            #expect(status == 200)
        }
    }
}
