// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiProxy
import MockapiRecording
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Heads, trailers and chunks of upstreams that no proxy may pass on: the same check has them for a stub, for requests that no stub matches, and for
/// a recording, over both protocols.
@Suite(.supervised) struct RefusedHeadsTests {
    enum Way: String, CaseIterable, Sendable { case stub, unmatched, record }

    /// A server that passes `/` on to an upstream.
    private func passing(_ way: Way, to upstream: RawServer, _ body: (Int) async throws -> Void) async throws {
        guard way == .stub else {
            return try await ProxyBed.recording([upstream.base], records: way == .record) { try await body($0.port) }
        }
        let stub = #"{"response": {"proxyBaseUrl": "\#(upstream.base)"}}"#
        let directory = try TemporaryDirectory(["x.stub.json": stub])
        var configuration = MockServer.Configuration()
        configuration.tls = nil
        configuration.forwarder = StubProxy()
        let server = try await MockServer.start(fixtures: directory.path, configuration: configuration)
        do {
            try await body(server.baseURL.port ?? 0)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func ask(_ port: Int, isHTTP2: Bool) async throws -> Int {
        try await blocking {
            try isHTTP2
                ? FrameClient(port: port).get("/").status : WireClient(port: port).request("GET", "/").status
        }
    }

    private static let lines = [
        "X : a\r\nContent-Length: 0", "X\t: a\r\nContent-Length: 0", "Content-Length : 0",
        "Transfer-Encoding : chunked",
        "Content-Length: 0\r\nContent-Length : 5", "X: a\rSet-Cookie: b=c\r\nContent-Length: 0",
        "X: a\u{1}\r\nContent-Length: 0", "X\u{2}: a\r\nContent-Length: 0", "Content-Length: +0",
        "Content-Length: 0\r\nTransfer-Encoding: chunked", "X: \u{7F}\r\nContent-Length: 0",
    ]

    @Test(arguments: lines, Way.allCases)
    func `a head that may not be passed on is 502`(lines: String, way: Way) async throws {
        let upstream = try RawServer()
        try await passing(way, to: upstream) { port async throws in
            for isHTTP2 in [false, true] {
                async let sent = upstream.answer("HTTP/1.1 200 OK\r\n\(lines)\r\n\r\n")
                #expect(try await ask(port, isHTTP2: isHTTP2) == 502, "\(lines.debugDescription)")
                _ = try await sent
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `a head with its blanks behind the colons is passed on`(way: Way) async throws {
        let upstream = try RawServer()
        try await passing(way, to: upstream) { port async throws in
            for isHTTP2 in [false, true] {
                async let sent = upstream.answer("HTTP/1.1 200 OK\r\nX: \t a \t\r\nContent-Length:  0\r\n\r\n")
                #expect(try await ask(port, isHTTP2: isHTTP2) == 200)
                _ = try await sent
            }
        }
    }

    private static let trailers = ["X : a", "X: a\u{1}b", "X\u{3}: a"]

    @Test(arguments: trailers, Way.allCases)
    func `a trailer that may not be passed on breaks the response off`(trailer: String, way: Way) async throws {
        let upstream = try RawServer()
        try await passing(way, to: upstream) { port async throws in
            let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\(trailer)\r\n\r\n"
            async let sent = upstream.answer(text)
            let status = try? await ask(port, isHTTP2: false)
            #expect(status == nil || status == 502)
            _ = try await sent
        }
    }

    /// The most that an upstream gets rid of before it is told, on a busy machine: the limits, and the bytes that come before they are looked at.
    private static let most = 192 * 1024 * 1024
    private static let endless = [
        "1;": "a chunk extension", "1\r\nx\r\n1;a=\"": "a quoted one", "1\r\nx\r\n0\r\nX: ": "a trailer",
        "1\r\nx\r\n0\r\nX: a\r\n": "trailers",
    ]

    @Test(arguments: endless.keys.sorted(), Way.allCases)
    func `a chunk extension or a trailer without an end ends the response`(start: String, way: Way) async throws {
        let upstream = try RawServer()
        try await passing(way, to: upstream) { port async throws in
            async let sent: Int = blocking {
                let peer = try upstream.accept()
                _ = try peer.head()
                try peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(start)")
                let more = [UInt8](repeating: 0x61, count: 65_536)
                let lines = Array(String(repeating: "X: a\r\n", count: 10_000).utf8)
                var count = 0
                do {
                    while count < Self.most {
                        try peer.send(start.hasSuffix("\n") ? lines : more)
                        count += 65_536
                    }
                } catch {}
                return count
            }
            let status = try? await ask(port, isHTTP2: false)
            #expect(status == nil || status == 502)
            #expect(try await sent < Self.most)
        }
    }
}
