// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

@testable import MockapiHTTPServer

@Suite(.supervised) struct HTTP2ConnectionTests {
    @Test func `a preface that comes a byte at a time is one`() async throws {
        let echo = try EchoServer()
        let wire = try WireClient(port: echo.port)
        for byte in HTTP2Frame.opening() + HTTP2Frame.request(stream: 1, "/a").bytes { try wire.send([byte]) }
        var bytes: [UInt8] = []
        var frames: [HTTP2Frame] = []
        while !frames.contains(where: { $0.isKind(.data) }) {
            bytes += try #require(try wire.some())
            frames += HTTP2Frame.take(from: &bytes)
        }
        #expect(frames.last?.payload == Array("/a".utf8))
        await echo.server.stop()
    }

    @Test(arguments: ["P", "PRI * HTTP/2.0\r\n\r\n"])
    func `the start of a preface is waited for, and what is none is HTTP-1`(start: String) async throws {
        let echo = try EchoServer()
        let wire = try WireClient(port: echo.port)
        try wire.send(start)
        try wire.send(start == "P" ? "UT / HTTP/1.1\r\nHost: a\r\n\r\n" : "XX\r\n\r\n")
        #expect(try wire.response().status == (start == "P" ? 200 : 505))
        await echo.server.stop()
    }

    @Test func `a thousand streams in flight are all answered when the server stops`() async throws {
        let echo = try EchoServer(loops: 2)
        let port = echo.port
        let server = echo.server
        let answered = try await blocking {
            var clients: [FrameClient] = []
            for _ in 0..<10 { clients.append(try FrameClient(port: port)) }
            for client in clients {
                // The content's last byte is still to come when the server begins to stop.
                for number in 0..<100 {
                    try client.send(.request(stream: UInt32(2 * number + 1), "PUT", "/\(number)", endsStream: false))
                }
                try client.send(HTTP2Frame(.ping, [UInt8](repeating: 1, count: 8)))
                while let frame = try client.next(.ping), frame.flags == 0 {}
            }
            let stopping = Task { await server.stop(grace: .seconds(90)) }
            var answered = 0
            for client in clients {
                let warning = try #require(try client.next(.goAway))
                #expect(warning.number(at: 0) == 0x7FFF_FFFF && warning.number(at: 4) == 0)
                for number in 0..<100 { try client.send(.data(stream: UInt32(2 * number + 1), Array("x".utf8))) }
                while let frame = try client.next() {
                    if frame.isKind(.data), frame.endsStream { answered += 1 }
                    if frame.isKind(.goAway) { #expect(frame.number(at: 0) == 199) }
                }
            }
            return (answered, stopping)
        }
        #expect(answered.0 == 1000)
        await answered.1.value
    }

    @Test func `a connection on which nothing happens is told so and closed`() async throws {
        let echo = try EchoServer { $0.idleTimeout = .milliseconds(100) }
        let client = try FrameClient(port: echo.port)
        #expect(try client.get("/a").text == "/a")
        let goAway = try #require(try client.next(.goAway))
        #expect(goAway.number(at: 0) == 1 && goAway.number(at: 4) == 0)
        #expect(try client.next() == nil)
        await echo.server.stop()
    }

    @Test func `responses that are not let through their windows end the connection`() async throws {
        let echo = try EchoServer { $0.idleTimeout = .milliseconds(200) }
        let client = try FrameClient(port: echo.port, [(4, 0)])
        try client.send(.request(stream: 1, "/bytes/1000"))
        #expect(try client.next(.headers) != nil)
        let goAway = try #require(try client.next(.goAway))
        #expect(goAway.number(at: 4) == 11)
        await echo.server.stop()
    }

    @Test(arguments: [false, true])
    func `a client that takes no bytes is cut when its time is over`(isMidHead: Bool) async throws {
        let echo = try EchoServer(loops: 1) { $0.idleTimeout = .milliseconds(200) }
        let client = try FrameClient(port: echo.port, [(4, 0x7FFF_FFFF)])
        try client.send(.windowUpdate(stream: 0, 0x7000_0000), .request(stream: 1, "/bytes/50000000"))
        if isMidHead { try client.send(HTTP2Frame(.headers, stream: 3, HeaderBlock.encode([(":method", "GET")]))) }
        #expect(try client.next(.settings) != nil)
        let server = echo.server
        // Nothing is read from here on: the response fills the socket's buffers and waits.
        #expect(
            try await until(
                { server.group.loops.map { $0.load.load(ordering: .relaxed) } }, { $0.allSatisfy { $0 == 0 } }))
        await server.stop()
        client.wire.close()
    }

    @Test func `a client that floods is dropped, and the others do not notice`() async throws {
        let echo = try EchoServer(loops: 1)
        let other = try FrameClient(port: echo.port)
        #expect(try other.get("/1").text == "/1")
        let flooder = try FrameClient(port: echo.port)
        for number in 0..<4 * HTTP2Limits.resets.size {
            let stream = UInt32(2 * number + 1)
            try? flooder.send(.request(stream: stream, "PUT", "/", endsStream: false), .reset(stream: stream, code: 8))
        }
        let goAway = try #require(try flooder.next(.goAway))
        #expect(goAway.number(at: 4) == 11)
        #expect(String(decoding: goAway.payload.dropFirst(8), as: UTF8.self) == "too many streams are cancelled")
        #expect(try flooder.next() == nil)
        #expect(try other.get("/2").text == "/2")
        await echo.server.stop()
    }

    @Test func `a client that goes away in the middle of everything leaves nothing behind`() async throws {
        let echo = try EchoServer()
        for _ in 0..<50 {
            let client = try FrameClient(port: echo.port)
            try client.send(
                .request(stream: 1, "/bytes/10000000"), .request(stream: 3, "PUT", "/", endsStream: false),
                .data(stream: 3, [1, 2, 3], endsStream: false))
            #expect(try client.next(.headers) != nil)
            client.wire.close()
        }
        #expect(try FrameClient(port: echo.port).get("/a").text == "/a")
        await echo.server.stop()
    }

    @Test func `large responses on many streams come whole, side by side`() async throws {
        let echo = try EchoServer()
        let client = try FrameClient(port: echo.port, [(4, 1_000_000)])
        for number in 0..<20 { try client.send(.request(stream: UInt32(2 * number + 1), "/bytes/300000")) }
        var sizes: [UInt32: Int] = [:]
        var ended = 0
        while ended < 20, let frame = try client.next() {
            guard frame.isKind(.data) else { continue }
            sizes[frame.stream, default: 0] += frame.payload.count
            if frame.endsStream { ended += 1 }
            if !frame.payload.isEmpty { try client.send(.windowUpdate(stream: 0, UInt32(frame.payload.count))) }
        }
        #expect(sizes.count == 20 && sizes.values.allSatisfy { $0 == 300_000 })
        await echo.server.stop()
    }
}
