// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRecording
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Messages that proxies of others have changed or lost, by the reports of their users: they pass the recorder as they are, and are replayed so.
@Suite(.supervised) struct ReportedPassingTests {
    /// A message of a client or a service: lines in which `BASE` is the URL that the client calls, and `SERVICE` that of the service.
    struct Message: Sendable {
        var lines: [String]
        var body: [UInt8]

        init(_ lines: String..., body: [UInt8] = []) { (self.lines, self.body) = (lines, body) }

        init(_ lines: String..., text: String) { (self.lines, body) = (lines, Array(text.utf8)) }

        func bytes(base: String, service: String) -> [UInt8] {
            func filled(_ text: String) -> String {
                text.replacing("BASE", with: base).replacing("SERVICE", with: service)
            }
            let head = lines.map { filled($0) + "\r\n" }.joined()
            let content = String(validating: body, as: UTF8.self).map { Array(filled($0).utf8) } ?? body
            let isFramed = lines.contains { $0.hasPrefix("Transfer-Encoding") || $0.hasPrefix("Content-Length") }
            let hasLength = !isFramed && (!body.isEmpty || lines[0].hasPrefix("HTTP"))
            return Array((head + (hasLength ? "Content-Length: \(content.count)\r\n" : "") + "\r\n").utf8) + content
        }
    }

    /// What a client gets: lines that are there, names that are not, and the content.
    struct Expected: Sendable {
        var status = 200
        var lines: [String] = []
        var without: [String] = []
        var body: [UInt8]?

        init(_ status: Int = 200, _ lines: [String] = [], without: [String] = [], text: String? = nil) {
            (self.status, self.lines, self.without, body) = (status, lines, without, text.map { Array($0.utf8) })
        }

        init(_ status: Int = 200, _ lines: [String] = [], without: [String] = [], body: [UInt8]) {
            (self.status, self.lines, self.without, self.body) = (status, lines, without, body)
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What is sent through the recorder on one connection, what the service is to see of it, and what the client gets.
        var passed: [(Message, seen: [String], Expected)]
        /// What the service says on its connections, in turn.
        var service: [Message]
        /// What is asked of the recording.
        var replayed: [(Message, Expected)]

        init(
            _ name: String, _ passed: [(Message, seen: [String], Expected)], _ service: [Message],
            _ replayed: [(Message, Expected)]
        ) {
            (testDescription, self.passed, self.service, self.replayed) = (name, passed, service, replayed)
        }
    }

    private static let get = Message("GET /a HTTP/1.1", "Host: HOST")
    private static let ok = "HTTP/1.1 200 OK"
    private static let plain = "Content-Type: text/plain"
    private static let hello = Array("hello".utf8)
    private static let deflated: [UInt8] = [
        0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x06, 0x2C, 0x02, 0x15,
    ]
    private static let gzipped: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
    ]
    private static let archive: [UInt8] =
        [0x50, 0x4B, 3, 4] + (0..<60).map { UInt8($0 * 4 % 256) } + [13, 10, 0x30, 13, 10]

    private static func chunked(_ bytes: [UInt8], ending: String = "0\r\n\r\n") -> [UInt8] {
        let (first, second) = (bytes.prefix(bytes.count / 2), bytes.suffix(bytes.count - bytes.count / 2))
        return [first, second].flatMap { Array("\(String($0.count, radix: 16))\r\n".utf8) + $0 + [13, 10] }
            + Array(ending.utf8)
    }

    private static let cases: [Case] = {
        let shut = "Connection: close"
        let cookie = "Set-Cookie: SESSID=a; Domain=.something.com; Path=/; Secure; HttpOnly"
        let post = ["POST /a HTTP/1.1", "Host: HOST"]
        return [
            Case(
                "a response in chunks is replayed with its length (Redfish-Mockup-Server#39, mockyeah#188, mockserver#1340)",
                [(get, [], Expected(text: "hello world"))],
                [Message(ok, plain, shut, "Transfer-Encoding: chunked", body: chunked(Array("hello world".utf8)))],
                [(get, Expected(200, ["Content-Length: 11"], without: ["Transfer-Encoding"], text: "hello world"))]),
            Case(
                "chunks end where they say, whatever stands in them (keploy#4570)",
                [(get, [], Expected(text: "hi0\r\n\r\n"))],
                [
                    Message(
                        ok, plain, shut, "Transfer-Encoding: chunked",
                        text: "7;a=\"0\"\r\nhi0\r\n\r\n\r\n0;pad=x\r\nX-T: 1\r\n\r\n")
                ], [(get, Expected(text: "hi0\r\n\r\n"))]),
            Case(
                "an archive in chunks is the same byte for byte (nock#524)",
                [(get, [], Expected(body: archive))],
                [
                    Message(
                        ok, "Content-Type: application/zip", shut, "Transfer-Encoding: chunked", body: chunked(archive))
                ], [(get, Expected(body: archive))]),
            Case(
                "deflated content is replayed to who takes it, and to who does not (wiremock#1989)",
                [
                    (
                        Message("GET /a HTTP/1.1", "Host: HOST", "Accept-Encoding: deflate"),
                        ["Accept-Encoding: deflate"], Expected(200, ["Content-Encoding: deflate"], body: deflated)
                    )
                ], [Message(ok, plain, shut, "Content-Encoding: deflate", body: deflated)],
                [(get, Expected(without: ["Content-Encoding"], text: "hello"))]),
            Case(
                "gzipped content is replayed gzipped, or as what it is (responses#724, wiremock#78)",
                [
                    (
                        Message("GET /a HTTP/1.1", "Host: HOST", "Accept-Encoding: gzip"), ["Accept-Encoding: gzip"],
                        Expected(200, ["Content-Encoding: gzip"], body: gzipped)
                    )
                ], [Message(ok, plain, shut, "Content-Encoding: gzip", body: gzipped)],
                [
                    (get, Expected(without: ["Content-Encoding"], text: "hello")),
                    (
                        Message("GET /a HTTP/1.1", "Host: HOST", "Accept-Encoding: gzip"),
                        Expected(200, ["Content-Encoding: gzip"])
                    ),
                ]),
            Case(
                "a gzipped request reaches the service gzipped (wiremock#542)",
                [
                    (
                        Message(post[0], post[1], plain, "Content-Encoding: gzip", body: gzipped),
                        ["Content-Encoding: gzip", "Content-Length: \(gzipped.count)"], Expected(text: "ok")
                    )
                ], [Message(ok, plain, shut, text: "ok")],
                [
                    (Message(post[0], post[1], plain, "Content-Encoding: gzip", body: gzipped), Expected(text: "ok")),
                    (Message(post[0], post[1], plain, text: "other"), Expected(404)),
                ]),
            Case(
                "a request in chunks reaches the service whole (mockserver#269)",
                [
                    (
                        Message(post[0], post[1], plain, "Transfer-Encoding: chunked", body: chunked(hello)),
                        ["Content-Length: 5"], Expected(text: "ok")
                    )
                ], [Message(ok, plain, shut, text: "ok")],
                [(Message(post[0], post[1], plain, text: "hello"), Expected(text: "ok"))]),
            Case(
                "nothing is awaited behind a response without content (keploy#4360)",
                [
                    (
                        Message("DELETE /a HTTP/1.1", "Host: HOST"), [],
                        Expected(204, without: ["Content-Length"], text: "")
                    ),
                    (get, [], Expected(text: "next")),
                ],
                [
                    Message("HTTP/1.1 204 No Content", "Content-Length: 0", shut),
                    Message(ok, plain, shut, text: "next"),
                ],
                [
                    (Message("DELETE /a HTTP/1.1", "Host: HOST"), Expected(204, without: ["Content-Length"], text: "")),
                    (get, Expected(text: "next")),
                ]),
            Case(
                "a redirect leads to the recorder, and to the replay, and is not followed (node-http-proxy#318, ProxyKit#76, iisexpress-proxy#26)",
                [(get, [], Expected(302, ["Location: BASE/next?x=1"], text: ""))],
                [Message("HTTP/1.1 302 Found", "Location: SERVICE/next?x=1", shut)],
                [(get, Expected(302, ["Location: BASE/next?x=1"], text: ""))]),
            Case(
                "a redirect to somebody else stays (node-http-proxy#836)",
                [(get, [], Expected(301, ["Location: https://elsewhere.example/there"]))],
                [Message("HTTP/1.1 301 Moved", "Location: https://elsewhere.example/there", shut)],
                [(get, Expected(301, ["Location: https://elsewhere.example/there"]))]),
            Case(
                "links in the content lead to the recorder, and to the replay (asbestos#40)",
                [(get, [], Expected(text: #"{"next":"BASE/2","other":"http://elsewhere.example/2"}"#))],
                [
                    Message(
                        ok, "Content-Type: application/json", shut,
                        text: #"{"next":"SERVICE/2","other":"http://elsewhere.example/2"}"#)
                ], [(get, Expected(text: #"{"next":"BASE/2","other":"http://elsewhere.example/2"}"#))]),
            Case(
                "a batch of responses has right links and right lengths (OData)",
                [(get, [], Expected(200, [batch], text: parts("BASE")))],
                [Message(ok, batch, shut, text: parts("SERVICE"))], [(get, Expected(200, [batch], text: parts("BASE")))]
            ),
            Case(
                "a response to HEAD has the length of what it does not have (mitmproxy#6547, mitmproxy#659)",
                [(Message("HEAD /a HTTP/1.1", "Host: HOST"), [], Expected(200, ["Content-Length: 1488324"], text: ""))],
                [Message(ok, "Content-Type: application/epub+zip", "Content-Length: 1488324", shut)],
                [(Message("HEAD /a HTTP/1.1", "Host: HOST"), Expected(200, ["Content-Length: 1488324"], text: ""))]),
            Case(
                "a part says which it is, and another part is replayed (mediaflow-proxy#254, vexa#633, pywb#144)",
                [
                    (
                        Message("GET /a HTTP/1.1", "Host: HOST", "Range: bytes=0-1"), ["Range: bytes=0-1"],
                        Expected(206, ["Content-Range: bytes 0-1/5", "Accept-Ranges: bytes"], text: "he")
                    )
                ],
                [
                    Message(
                        "HTTP/1.1 206 Partial Content", "Content-Type: video/mp4", "Accept-Ranges: bytes", shut,
                        "Content-Range: bytes 0-1/5", text: "he"),
                    Message(ok, "Content-Type: video/mp4", "Accept-Ranges: bytes", shut, text: "hello"),
                ],
                [
                    (
                        Message("GET /a HTTP/1.1", "Host: HOST", "Range: bytes=2-"),
                        Expected(206, ["Content-Range: bytes 2-4/5"], text: "llo")
                    ), (get, Expected(text: "hello")),
                ]),
            Case(
                "a client that has the response is told so at replay (betamax#33)",
                [(get, [], Expected(text: "hello"))],
                [Message(ok, plain, "ETag: \"v1\"", shut, text: "hello")],
                [
                    (
                        Message("GET /a HTTP/1.1", "Host: HOST", "If-None-Match: \"v1\""),
                        Expected(304, ["ETag: \"v1\""], text: "")
                    ),
                    (
                        Message("GET /a HTTP/1.1", "Host: HOST", "If-None-Match: \"v2\""), Expected(text: "hello")
                    ),
                ]),
            Case(
                "a cookie of the service's domain is one that a client keeps (mockoon#245, wiremock#111)",
                [(get, [], Expected(200, ["Set-Cookie: SESSID=a; Path=/; HttpOnly"]))],
                [Message(ok, plain, cookie, shut, text: "hello")],
                [(get, Expected(200, ["Set-Cookie: SESSID=redacted.cookie.SESSID; Path=/; HttpOnly"]))]),
            Case(
                "credentials reach the service (WireMock.Net#401)",
                [
                    (
                        Message("GET /a HTTP/1.1", "Host: HOST", "Authorization: Bearer kR7tQ2mZ9pLw4xYvaK6bL9"),
                        ["Authorization: Bearer kR7tQ2mZ9pLw4xYvaK6bL9"], Expected(text: "hello")
                    )
                ], [Message(ok, plain, shut, text: "hello")],
                [
                    (
                        Message("GET /a HTTP/1.1", "Host: HOST", "Authorization: Bearer zB3nW8cJ5hGd6sTfaK7bL9"),
                        Expected(text: "hello")
                    )
                ]),
        ]
    }()

    private static let batch = "Content-Type: multipart/mixed; boundary=b"

    /// A batch's content, whose inner lengths are those for a service or a client.
    private static func parts(_ base: String) -> String {
        "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"u\":\"\(base)/1\"}\r\n--b--\r\n"
    }

    private static func check(_ response: WireResponse, _ expected: Expected, base: String, _ what: String) {
        #expect(response.status == expected.status, "\(what)")
        let lines = Set(response.fields.map { "\($0.name): \($0.value)" })
        for line in expected.lines {
            #expect(lines.contains(line.replacing("BASE", with: base)), "\(what): \(line) of \(lines)")
        }
        for name in expected.without { #expect(response[name] == nil, "\(what): \(name)") }
        guard let body = expected.body else { return }
        let filled = String(validating: body, as: UTF8.self).map { Array($0.replacing("BASE", with: base).utf8) }
        #expect(response.body == filled ?? body, "\(what): \(response.text)")
    }

    private static func content(of peer: RawPeer, _ head: [String]) throws {
        guard let line = head.first(where: { $0.lowercased().hasPrefix("content-length:") }) else { return }
        _ = try peer.read(Int(line.dropFirst(15).drop { $0 == " " }) ?? 0)
    }

    @Test(arguments: cases) func `what a service says passes the recorder and is replayed`(it: Case) async throws {
        let upstream = try RawServer()
        let into = try TemporaryDirectory()
        try await ProxyBed.recording([upstream.base], into: into) { bed in
            let base = "http://localhost:\(bed.port)"
            async let seen = blocking {
                try it.service.map { answer in
                    let peer = try upstream.accept()
                    let head = try peer.head()
                    try Self.content(of: peer, head)
                    try peer.send(answer.bytes(base: base, service: upstream.base))
                    return head
                }
            }
            let responses = try await blocking {
                let client = try WireClient(port: bed.port)
                return try it.passed.map { message, _, _ in
                    try client.send(Self.sent(message, base: base))
                    return try client.response(isHead: message.lines[0].hasPrefix("HEAD"))
                }
            }
            let heads = try await seen
            for (index, (message, lines, expected)) in it.passed.enumerated() {
                Self.check(responses[index], expected, base: base, "through the recorder, \(message.lines[0])")
                for line in lines { #expect(heads[index].contains(line), "\(heads[index])") }
            }
            #expect(await bed.outcomes.filter { $0.kind == .failed || $0.kind == .refused }.map(\.notes) == [])
        }
        try await Replay.of(into) { replay in
            let base = "http://localhost:\(replay.port)"
            for (message, expected) in it.replayed {
                let response = try await blocking {
                    let client = try WireClient(port: replay.port)
                    try client.send(Self.sent(message, base: base))
                    return try client.response(isHead: message.lines[0].hasPrefix("HEAD"))
                }
                Self.check(response, expected, base: base, "replayed, \(message.lines)")
            }
        }
    }

    private static func sent(_ message: Message, base: String) -> [UInt8] {
        var message = message
        message.lines = message.lines.map { $0.replacing("HOST", with: base.dropFirst(7)) }
        return message.bytes(base: base, service: "")
    }

    /// Proxyman#1807, proxy.py#124.
    @Test func `a client that waits for word before it sends its content is given it`() async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base]) { bed in
            async let head = upstream.answer("HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            let response = try await blocking {
                let client = try WireClient(port: bed.port)
                try client.send(
                    "PUT /a HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
                #expect(try client.line() == "HTTP/1.1 100 Continue")
                #expect(try client.line().isEmpty)
                try client.send("word")
                return try client.response()
            }
            #expect(response.status == 201)
            let lines = try await head
            #expect(lines.contains("Content-Length: 4") && !lines.contains { $0.hasPrefix("Expect") })
            #expect(await bed.outcomes.map(\.kind) == [.new])
        }
    }
}
