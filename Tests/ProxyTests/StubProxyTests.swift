// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiMatchingSupport
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Synchronization
import Testing

@testable import MockapiProxy

/// Requests of stubs that go on to a server of raw sockets, and what is kept of their responses.
@Suite(.supervised) struct StubProxyTests {
    private final class Keeper: ExchangeKeeper {
        private let exchanges = Mutex<[ForwardedExchange]>([])

        var kept: [ForwardedExchange] { exchanges.withLock { $0 } }
        var lost: UInt64 { 0 }

        func keep(_ exchange: ForwardedExchange) { exchanges.withLock { $0.append(exchange) } }
        func numbers(after number: UInt64) -> Set<UInt64> { [] }
        func writable(_ name: String, _ value: String) -> String? { value }
        func record(_ numbers: Set<UInt64>, beside others: [OwnExchange], into directory: String) async -> [String] {
            []
        }
    }

    private static func request(_ method: String, to base: String) -> ForwardedRequest {
        ForwardedRequest(
            head: RequestHead.make(method, "/a?b", headers: [("A", "1")]), body: [], route: .init(base: base), number: 7
        )
    }

    /// Takes all parts of a response: its status line, its content, and its end.
    private static func taken(_ streamed: StreamedResponse) async throws -> (
        line: String, content: [UInt8], end: String
    ) {
        var (line, content, end) = ("", [UInt8](), "")
        try await until({
            while let part = streamed.next() {
                switch part {
                case .head(let head): line = String(decoding: head.http1.prefix { $0 != 13 }, as: UTF8.self)
                case .content(let bytes): content += bytes
                case .end(let fields): end = "end " + fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
                case .failure: end = "failure"
                case .response(let response):
                    line = String(decoding: response.head.http1.prefix { $0 != 13 }, as: UTF8.self)
                    end = "response"
                    if case .bytes(let bytes) = response.body { content = bytes }
                }
            }
            return end
        }) { !$0.isEmpty }
        return (line, content, end)
    }

    @Test(
        arguments: [
            ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok", "end "),
            (
                "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-End: 1\r\n\r\n", "ok",
                "end X-End: 1"
            ),
            ("GET", "HTTP/1.1 204 None\r\n\r\n", "", "end "),
            ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "", "end "),
            ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "", "end "),
            ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok", nil, "failure"),
            (
                "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-End: \u{1}\r\n\r\n", nil,
                "failure"
            ),
            ("GET", "HTTP/1.1 200 OK\r\nA: \u{1}\r\n\r\nok", nil, "response"),
            ("GET", "", nil, "response"),
        ] as [(String, String, String?, String)])
    func `a response that came whole is kept`(method: String, text: String, content: String?, end: String) async throws
    {
        let server = try RawServer()
        async let answered = server.answer(text)
        let keeper = Keeper()
        let streamed = StreamedResponse()
        StubProxy(keeper: keeper).forward(Self.request(method, to: server.base), into: streamed)
        let taken = try await Self.taken(streamed)
        #expect(taken.end == end)
        #expect(try await answered.first == "\(method) /a?b HTTP/1.1")
        if end == "response" { #expect(taken.line == "HTTP/1.1 502 Bad Gateway") }
        guard let content else {
            #expect(keeper.kept.isEmpty)
            return
        }
        #expect(taken.content == Array(content.utf8))
        let kept = try #require(keeper.kept.first)
        #expect(keeper.kept.count == 1 && kept.content == Array(content.utf8))
        #expect(kept.number == 7 && kept.base == server.base && kept.method == method && kept.target == "/a?b")
        #expect(kept.fields.map(\.description) == ["A: 1"] && kept.trailers.count == (end == "end " ? 0 : 1))
    }

    /// A client may ask for the recording as soon as it has all of the content.
    @Test func `a response is kept before its client has all of it`() async throws {
        let server = try RawServer()
        let count = StreamedResponse.highWater
        async let _ = try server.answer(
            "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n" + String(repeating: "a", count: count))
        let keeper = Keeper()
        let streamed = StreamedResponse()
        StubProxy(keeper: keeper).forward(Self.request("GET", to: server.base), into: streamed)
        // Nobody takes a part, so that the last bytes are the last that happens.
        try await until({ keeper.kept.count }, is: 1)
        #expect(keeper.kept.first?.content?.count == count)
        #expect(try await Self.taken(streamed).content.count == count)
        #expect(keeper.kept.count == 1)
    }

    @Test(arguments: [0, 1]) func `content is kept up to its limit`(more: Int) async throws {
        let server = try RawServer()
        let count = ForwardedExchange.contentLimit + more
        async let _ = try blocking {
            let peer = try server.accept()
            _ = try peer.head()
            try peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
            try peer.send([UInt8](repeating: 97, count: count))
        }
        let keeper = Keeper()
        let streamed = StreamedResponse()
        StubProxy(keeper: keeper).forward(Self.request("GET", to: server.base), into: streamed)
        #expect(try await Self.taken(streamed).content.count == count)
        #expect(keeper.kept.map(\.content?.count) == [more == 0 ? count : nil])
    }

    @Test func `a request that has come by before goes no further`() async throws {
        var request = Self.request("GET", to: "http://127.0.0.1:1")
        request.route.pseudonym = "me"
        request.head = RequestHead.make("GET", "/a", headers: [("Via", "1.1 other, 1.1 me")])
        let streamed = StreamedResponse()
        StubProxy().forward(request, into: streamed)
        let taken = try await Self.taken(streamed)
        #expect(taken.line.hasPrefix("HTTP/1.1 508 "))
        #expect(
            String(decoding: taken.content, as: UTF8.self)
                == "508: http://127.0.0.1:1/a leads back to this server, by which the request has come before\n")
    }

    @Test(arguments: [("GET", false), ("DELETE", false), ("POST", true), ("PUT", true), ("PATCH", true)])
    func `a request of the server's own has a length if it has content, or its method usually has`(
        method: String, hasLength: Bool
    ) async throws {
        for body in [[], [UInt8(65)]] {
            let server = try RawServer()
            async let head = server.answer("HTTP/1.1 200 OK\r\nA: 1\r\nContent-Length: 2\r\n\r\nok")
            let ending = await StubProxy().send(
                OwnRequest(method: method, url: server.base, fields: [WireField("B", "2")], body: body))
            guard case .response(let status, let fields, let content) = ending else {
                Issue.record("\(ending)")
                return
            }
            #expect(status == 200 && content == Array("ok".utf8))
            #expect(fields.map { "\($0.name): \($0.value)" } == ["A: 1", "Content-Length: 2"])
            let lines = try await head
            #expect(lines.contains("B: 2"))
            let length = lines.first { $0.hasPrefix("Content-Length") }
            #expect(length == (hasLength || !body.isEmpty ? "Content-Length: \(body.count)" : nil))
        }
    }
}
