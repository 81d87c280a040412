// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@Suite(.supervised) struct StreamTests {
    private let client = UpstreamClient()

    @Test func `the head comes before the content, and chunks before the end`() async throws {
        let server = try RawServer()
        let (gate, open) = AsyncStream<String>.makeStream()
        async let served: Void = {
            let peer = try await blocking { UncheckedBox(try server.accept()) }
            _ = try await blocking { try peer.value.head() }
            try peer.value.send("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for await part in gate { try peer.value.send(part) }
        }()
        let stream = try await client.stream(UpstreamRequest("GET", server.base))
        #expect(stream.head.status == 200)
        #expect(stream.interim.map(\.status) == [103])
        #expect(await stream.body.ending == nil)
        open.yield("3\r\none\r\n")
        #expect(try await stream.body.next() == Array("one".utf8))
        open.yield("3\r\ntwo\r\n")
        #expect(try await stream.body.next() == Array("two".utf8))
        open.yield("0\r\nX-Sum: 2\r\n\r\n")
        #expect(try await stream.body.next() == nil)
        #expect(try await stream.body.next() == nil)
        let ending = await stream.body.ending
        #expect(ending?.trailers == [UpstreamField("X-Sum", "2")])
        #expect(ending?.info.newConnections == 1)
        open.finish()
        try await served
    }

    @Test func `a server that sends faster than the stream is read is held up`() async throws {
        let size = 64 * 1024 * 1024
        let server = try RawServer()
        let content = [UInt8](repeating: 5, count: size)
        let (held, tell) = AsyncStream<Int>.makeStream()
        async let served: Void = blocking {
            let peer = try server.accept()
            _ = try peer.head()
            try peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            let sent = try peer.sendUntilHeldUp(content)
            tell.yield(sent)
            try peer.send(Array(content[sent...]))
        }
        let stream = try await client.stream(UpstreamRequest("GET", server.base))
        var waiting = held.makeAsyncIterator()
        let sent = try #require(await waiting.next())
        #expect(sent < size / 2)
        var count = 0
        for try await chunk in stream.body {
            #expect(!chunk.isEmpty && chunk.count <= UpstreamConfiguration().streamBuffer)
            count += chunk.count
        }
        #expect(count == size)
        try await served
    }

    @Test(arguments: [UpstreamProtocol.h2c, .http1])
    func `streams of one connection that are read at different speeds all come whole`(version: UpstreamProtocol)
        async throws
    {
        let size = 3_000_000
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
        try await HandlerServer.serving { _, _ in
            HandlerServer.response(content)
        } _: { server async throws in
            // No other timer wakes libcurl where it forgets a stream.
            let timeouts = UpstreamTimeouts(connect: nil, idle: .seconds(5))
            let request = UpstreamRequest(
                "GET", "http://127.0.0.1:\(server.port)/", version: version, timeouts: timeouts)
            let slow = try await client.stream(request)
            for _ in 0..<3 { #expect(try await client.send(request).body.count == size) }
            var count = 0
            for try await chunk in slow.body {
                #expect(Array(content[count..<(count + chunk.count)]) == chunk)
                count += chunk.count
            }
            #expect(count == size)
        }
    }

    @Test func `a connection that breaks ends the stream with an error behind what had come`() async throws {
        let server = try RawServer()
        async let _ = server.answer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        let stream = try await client.stream(UpstreamRequest("GET", server.base))
        var content: [UInt8] = []
        let error = await failure { for try await chunk in stream.body { content += chunk } }
        #expect(content == Array("half".utf8))
        #expect(error?.kind == .protocol)
        #expect(
            error?.text
                == "transfer closed with 6 bytes remaining to read; the connection was lost; send the request again")
    }
}

/// Carries a value to where it is used.
///
/// Unchecked: who makes one lets go of the value, so that one task at a time has it.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
