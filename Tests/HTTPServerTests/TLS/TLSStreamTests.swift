// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiTLSSupport
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiHTTPServer

/// What one TLS connection may cost its loop.
@Suite(.supervised) struct TLSStreamTests {
    private let directory: TemporaryDirectory
    private let settings: TLSSettings

    init() throws {
        directory = try TemporaryDirectory()
        settings = TLSSettings(.development(directory: directory.path + "/state", names: { [] }, hosts: { [] }))
    }

    /// A server's side behind its handshake with a client.
    private func connected() throws -> (server: TLSStream, client: TLSPeer) {
        let server = try #require(TLSStream(try TLSContext(settings)))
        let client = try TLSPeer()
        while !client.handshake() || server.isHandshaking {
            server.received.append(client.take())
            _ = read(server)
            client.put(Array(server.pending.readable))
            server.sent(server.pending.count)
        }
        return (server, client)
    }

    /// What one read came to, in words.
    private func read(_ server: TLSStream) -> String {
        var space = [UInt8](repeating: 0, count: 4096)
        return space.withUnsafeMutableBytes { "\(server.read(into: $0))" }
    }

    @Test func `a turn has so many records, however small they are`() throws {
        let (server, client) = try connected()
        for _ in 0..<600 { client.write([1]) }
        server.received.append(client.take())
        var turns: [Int] = []
        var last = ""
        while last != "needsMore", turns.count < 10 {
            server.beginTurn()
            var count = 0
            last = read(server)
            while last == "bytes(1)" {
                count += 1
                last = read(server)
            }
            turns.append(count)
            #expect(last == "turnIsOver" || last == "needsMore")
        }
        #expect(turns == [TLSStream.recordsPerTurn, TLSStream.recordsPerTurn, 600 - 2 * TLSStream.recordsPerTurn])
    }

    @Test func `a client may change its keys now and then, not without end`() throws {
        let (server, client) = try connected()
        for _ in 0..<3 {
            for _ in 0..<TLSStream.recordsWithoutContent { client.updateKeys() }
            client.write([1])
            server.received.append(client.take())
            server.beginTurn()
            #expect(read(server) == "bytes(1)")
            client.put(Array(server.pending.readable))
            server.sent(server.pending.count)
        }
        for _ in 0..<10_000 { client.updateKeys() }
        server.received.append(client.take())
        server.beginTurn()
        #expect(read(server) == "flooded")
        // The rest has not even been looked at.
        #expect(server.received.count > 200_000 && server.pending.count < 4_000)
    }

    @Test func `answers of TLS itself that a client does not take are bounded`() throws {
        let (server, client) = try connected()
        var last = "bytes(1)"
        var rounds = 0
        while last == "bytes(1)", rounds < 10_000 {
            client.updateKeys()
            client.write([1])
            server.received.append(client.take())
            server.beginTurn()
            last = read(server)
            rounds += 1
        }
        #expect(last == "flooded")
        #expect(server.pending.count > TLSStream.maxReplies && server.pending.count < TLSStream.maxReplies + 100)
    }

    @Test func `a client that only changes its keys is dropped, and the others do not notice`() async throws {
        let settings = settings
        let echo = try EchoServer(loops: 1) { $0.tls = settings }
        let port = echo.port
        try await blocking {
            let other = try TLSWire(port: port)
            let flooder = try TLSWire(port: port)
            for _ in 0..<5_000 { flooder.peer.updateKeys() }
            try? flooder.wire.send(flooder.peer.take())
            let answered = try? flooder.wire.remainder().count
            #expect(answered ?? 0 < 10_000)
            try other.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try other.read(until: "\r\n\r\n/a").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
        await echo.server.stop()
    }

    @Test func `many small records are answered whole, over several turns`() async throws {
        let settings = settings
        let echo = try EchoServer(loops: 1) { $0.tls = settings }
        let port = echo.port
        try await blocking {
            let client = try TLSWire(port: port)
            let content = String(repeating: "x", count: 3_000)
            for byte in "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000\r\n\r\n\(content)".utf8 {
                client.peer.write([byte])
            }
            try client.wire.send(client.peer.take())
            #expect(try client.read(until: "/" + content).hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
        await echo.server.stop()
    }

    @Test(arguments: [("http/1.1", "HTTP/1.1 505 "), (nil, "")])
    func `a client that has agreed on HTTP-1 does not get HTTP-2`(alpn: String?, start: String) async throws {
        let settings = settings
        let echo = try EchoServer(loops: 1) { $0.tls = settings }
        let port = echo.port
        try await blocking {
            let client = try TLSWire(port: port, alpn: alpn)
            client.peer.write(HTTP2Frame.opening())
            try client.wire.send(client.peer.take())
            if start.isEmpty {
                // The settings of the server: a frame of kind 4 on stream 0.
                var bytes: [UInt8] = []
                while bytes.count < 9, let some = try client.wire.some() {
                    client.peer.put(some)
                    bytes += client.peer.read()
                }
                #expect(HTTP2Frame.take(from: &bytes).first?.isKind(.settings) == true)
            } else {
                // To the end: the connection is closed.
                #expect(try client.read(until: "never").hasPrefix(start))
            }
        }
        await echo.server.stop()
    }
}
