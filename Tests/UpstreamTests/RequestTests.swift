// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@Suite(.supervised) struct RequestTests {
    private let client = UpstreamClient()
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"

    /// Sends a request to a server that reads its head and answers.
    ///
    /// - Returns: the head's lines.
    private func sent(
        _ method: String = "GET", _ path: String = "/", _ fields: [UpstreamField] = [], target: String? = nil
    ) async throws -> [String] {
        let server = try RawServer()
        async let head = server.answer(Self.answer)
        let request = UpstreamRequest(method, server.base + path, fields: fields, target: target)
        #expect(try await client.send(request).status == 200)
        return try await head.map { $0 == "Host: 127.0.0.1:\(server.port)" ? "Host: itself" : $0 }
    }

    /// Sends content to a server that reads as much and answers.
    private func received(
        _ body: UpstreamRequestBody, _ fields: [UpstreamField] = [],
        _ read: @escaping @Sendable (RawPeer) throws -> [UInt8]
    ) async throws -> (head: [String], content: [UInt8]) {
        let server = try RawServer()
        async let taken = blocking {
            let peer = try server.accept()
            let head = try peer.head()
            let content = try read(peer)
            try peer.send(Self.answer)
            return (Array(head.dropFirst().filter { !$0.hasPrefix("Host") }), content)
        }
        let request = UpstreamRequest("POST", server.base, fields: fields, body: body)
        #expect(try await client.send(request).text == "ok")
        return try await taken
    }

    @Test func `a request has no field that nobody gave, but Host`() async throws {
        #expect(try await sent() == ["GET / HTTP/1.1", "Host: itself"])
        #expect(try await sent("DELETE") == ["DELETE / HTTP/1.1", "Host: itself"])
    }

    @Test func `fields go out in their order and as they are written, repeats too`() async throws {
        let fields = [
            UpstreamField("x-b", "1"), UpstreamField("Accept", "text/html"), UpstreamField("X-A", "2"),
            UpstreamField("x-b", "3;  q=1"), UpstreamField("User-Agent", "me"), UpstreamField("ACCEPT", "*/*"),
            UpstreamField("Accept-Encoding", "gzip"), UpstreamField("Cookie", "a=1"),
        ]
        let lines = try await sent("GET", "/", fields)
        #expect(lines.dropFirst(2) == fields.map(\.description)[...])
    }

    @Test func `a field without a value is sent without one`() async throws {
        #expect(
            try await sent("GET", "/", [.init("X-None", ""), .init("Accept", ""), .init("X-Blank", " \t")]).dropFirst(2)
                == ["X-None:", "Accept:", "X-Blank:"])
    }

    @Test func `Host can be another than the URL's`() async throws {
        #expect(try await sent("GET", "/", [.init("Host", "api.example.com")]).dropFirst() == ["Host: api.example.com"])
    }

    @Test func `a value that is not UTF-8 goes out byte for byte`() async throws {
        let server = try RawServer()
        async let line = blocking {
            let peer = try server.accept()
            _ = try peer.line()
            _ = try peer.line()
            let line = try peer.rawLine()
            try peer.send(Self.answer)
            return line
        }
        let field = UpstreamField("X", bytes: [0xE9, 0xFF, 0x20, 0x61])
        _ = try await client.send(UpstreamRequest("GET", server.base, fields: [field]))
        #expect(try await line == Array("X: ".utf8) + field.bytes)
    }

    @Test func `the path is sent as it is written`() async throws {
        #expect(
            try await sent("GET", "/a/../b//./c?x=%7e&y=[1]&z=a|b#part").first
                == "GET /a/../b//./c?x=%7e&y=[1]&z=a|b HTTP/1.1")
        #expect(try await sent("OPTIONS", "/", target: "*").first == "OPTIONS * HTTP/1.1")
    }

    @Test func `the response to HEAD has fields and no content`() async throws {
        let server = try RawServer()
        async let head = server.answer("HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n")
        let response = try await client.send(UpstreamRequest("HEAD", server.base))
        #expect(response.head["content-length"] == "999999999")
        #expect(response.body.isEmpty)
        #expect(try await head.first == "HEAD / HTTP/1.1")
    }

    @Test func `content is sent as it is, with its length and no other field`() async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let (head, content) = try await received(.bytes(bytes)) { try $0.read(300_000) }
        #expect(head == ["Content-Length: 300000"])
        #expect(content == bytes)
        #expect(try await received(.bytes([])) { _ in [] }.head == ["Content-Length: 0"])
    }

    @Test func `more than a megabyte of content does not wait for a 100`() async throws {
        let bytes = [UInt8](repeating: 7, count: 3_000_000)
        let (head, content) = try await received(.bytes(bytes)) { try $0.read(3_000_000) }
        #expect(head == ["Content-Length: 3000000"])
        #expect(content == bytes)
    }

    @Test func `content that is asked to wait for a 100 does`() async throws {
        let (head, content) = try await received(.bytes([1, 2]), [.init("Expect", "100-continue")]) {
            try $0.send("HTTP/1.1 100 Continue\r\n\r\n")
            return try $0.read(2)
        }
        #expect(head == ["Expect: 100-continue", "Content-Length: 2"])
        #expect(content == [1, 2])
    }

    @Test func `chunks of unknown length are sent chunked, as the server takes them`() async throws {
        let (stream, feed) = AsyncStream<[UInt8]>.makeStream()
        feed.yield(Array("one".utf8))
        let (head, content) = try await received(.sequence(stream)) { peer in
            var content = try peer.read(8)
            // The second comes only when the first has arrived.
            feed.yield([])
            feed.yield(Array("two!".utf8))
            feed.finish()
            content += try peer.read(9 + 5)
            return content
        }
        #expect(head == ["Transfer-Encoding: chunked"])
        #expect(String(decoding: content, as: UTF8.self) == "3\r\none\r\n4\r\ntwo!\r\n0\r\n\r\n")
    }

    @Test func `chunks of a known length are sent with it`() async throws {
        let stream = AsyncStream<[UInt8]> { feed in
            for number in 0..<100 { feed.yield([UInt8](repeating: UInt8(number), count: 1000)) }
            feed.finish()
        }
        let (head, content) = try await received(.sequence(stream, length: 100_000)) { try $0.read(100_000) }
        #expect(head == ["Content-Length: 100000"])
        #expect(content == (0..<100).flatMap { [UInt8](repeating: UInt8($0), count: 1000) })
    }
}
