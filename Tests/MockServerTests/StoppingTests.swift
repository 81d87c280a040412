// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A server stops at once, whatever its clients and its code are doing.
@Suite(.supervised) struct StoppingTests {
    /// How long a stop may take on a machine with much else to do. 10 s.
    private static let patience = Duration.seconds(10)

    private func stop(_ server: MockServer) async {
        let took = await ContinuousClock().measure { await server.stop() }
        #expect(took < Self.patience)
    }

    @Test func `a server that nobody asked stops`() async throws {
        await stop(try await MockServer.start())
        let stubs = [RequestMatch.get("/a").respond()]
        await stop(try await MockServer.start(stubs: stubs))
    }

    @Test(arguments: [
        RequestMatch.get("/a").respond(body: "xxxxxxxxxxxx", fault: .slowBody(bytesPerSecond: 1)),
        RequestMatch.get("/a").respond(delay: .seconds(3600)), RequestMatch.get("/a").respond(fault: .stall()),
        RequestMatch.get("/a").respond { _ in
            try await Task.sleep(for: .seconds(3600))
            return .json("1")
        }, RequestMatch.get("/a").respond().hold("a"),
    ]) func `a server stops in the middle of a response`(stub: MockStub) async throws {
        let server = try await MockServer.start(stubs: [stub])
        let client = try WireClient(port: server.baseURL.port ?? 0)
        try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await until({ server.journal.entries.count }, is: 1))
        await stop(server)
    }

    @Test func `code that does not notice that it is cancelled keeps no server from stopping`() async throws {
        let gate = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let server = try await MockServer.start(stubs: [
            RequestMatch.get("/a").respond { _ in
                await withCheckedContinuation { waiting in gate.withLock { $0 = waiting } }
                return .json("1")
            }
        ])
        let client = try WireClient(port: server.baseURL.port ?? 0)
        try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await until({ gate.withLock { $0 != nil } }, is: true))
        await stop(server)
        gate.withLock { $0 }?.resume()
    }

    @Test func `a server can be stopped again, and by several at once`() async throws {
        let server = try await MockServer.start(stubs: [RequestMatch.get("/a").respond()])
        #expect(try WireClient(port: server.baseURL.port ?? 0).request("GET", "/a").status == 200)
        async let first: Void = server.stop()
        async let second: Void = server.stop()
        _ = await (first, second)
        await stop(server)
        #expect(server.verify().isEmpty)
        #expect(server.journal.entries.count == 1)
    }

    @Test func `a server goes on behind a client that waited no longer`() async throws {
        let server = try await MockServer.start(stubs: [
            RequestMatch.get("/late").respond(delay: .seconds(3600)), RequestMatch.get("/a").respond(body: "a"),
        ])
        let port = server.baseURL.port ?? 0
        for _ in 0..<5 {
            let client = try WireClient(port: port)
            try client.send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
            client.close()
        }
        #expect(try WireClient(port: port).request("GET", "/a").text == "a")
        #expect(try await until({ server.journal.entries.count }, is: 6))
        await stop(server)
    }

    @Test func `a client that is told of a time-out may ask again, and the server stops`() async throws {
        let server = try await MockServer.start(stubs: [
            RequestMatch.get("/a").respond(inTurn: [MockResponse(408), MockResponse(200)])
        ])
        let client = try WireClient(port: server.baseURL.port ?? 0)
        #expect(try client.request("GET", "/a").status == 408)
        #expect(try client.request("GET", "/a").status == 200)
        await stop(server)
    }

    @Test func `connections that wait keep no server from stopping`() async throws {
        let server = try await MockServer.start(stubs: [RequestMatch.get("/a").respond()])
        let clients = try (0..<20).map { _ in try WireClient(port: server.baseURL.port ?? 0) }
        for client in clients { #expect(try client.request("GET", "/a").status == 200) }
        await stop(server)
    }
}
