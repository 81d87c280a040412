// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer
import MockapiProxy
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Stubs that are answered by another server.
@Suite(.supervised) struct ProxyStubTests {
    /// A server of stubs that are answered by another, which plays some fixtures.
    private func serving(
        upstream files: KeyValuePairs<String, String>, _ response: String, wireMock: Bool = false,
        _ configure: (inout MockServer.Configuration) -> Void = { _ in },
        _ body: (TestServer, TestServer) async throws -> Void
    ) async throws {
        try await TestServer.serving(files) { upstream async throws in
            let text = response.replacing("UPSTREAM", with: upstream.base)
            let stub = #"{"request": {"urlPathPattern": "/.*"}, "response": {\#(text)}}"#
            try await TestServer.serving(
                [wireMock ? "mappings/x.json" : "x.stub.json": stub],
                {
                    $0.forwarder = StubProxy()
                    configure(&$0)
                }
            ) { try await body($0, upstream) }
        }
    }

    @Test func `the base and the added lines are rendered for each request`() async throws {
        let response = #"""
            "transformers": ["response-template"], "proxyBaseUrl": "{{request.query.to}}/v1", "proxyUrlPrefixToRemove": "/api",
            "headers": ["X-Stub: {{request.query.n}}"], "additionalProxyRequestHeaders": {"X-Path": "{{request.path}}"}
            """#
        try await serving(upstream: Self.upstream, response) { server, upstream throws in
            let answer = try server.request("POST", "/api/a?n=5&to=\(upstream.base)")
            #expect(answer.status == 201 && answer.text == "made" && answer["X-Stub"] == "5")
            let came = try #require(upstream.journal.entries.first)
            #expect(came.request.path?.hasPrefix("/v1/a?") == true)
            #expect(came.fields.contains { $0.name == "X-Path" && $0.value == "/api/a" })
            let none = try server.request("POST", "/api/a?to=ftp://a")
            #expect(none.status == 500)
            #expect(none.text == "500: proxyBaseUrl renders to \"ftp://a/v1\", which is not a URL of http or https\n")
            #expect(upstream.journal.entries.count == 1)
        }
    }

    private static let upstream: KeyValuePairs = [
        "a.stub.json": #"""
        {"request": {"method": "POST", "urlPath": "/v1/a"}, "response": {"status": 201, "reason": "Made", "body": "made",
          "headers": ["X-Up: 1", "Set-Cookie: a=1", "Set-Cookie: b=2"]}}
        """#,
        "big.txt": String(repeating: "0123456789", count: 40_000),
    ]

    @Test(arguments: ["/v1/a", "/none", "/big.txt"])
    func `the response of another server goes out in parts if the stub says so`(path: String) async throws {
        let files =
            Self.upstream.map { ($0.key, $0.value) } + [
                ("none.stub.json", #"{"request": {"url": "/none"}, "response": {"status": 204}}"#)
            ]
        let upstreamFiles = KeyValuePairs(dictionaryLiteral: files[0], files[1], files[2])
        let response =
            #""proxyBaseUrl": "UPSTREAM", "chunkedDribbleDelay": {"numberOfChunks": 4, "totalDuration": 200}"#
        try await serving(upstream: upstreamFiles, response) { server, upstream throws in
            let method = path == "/v1/a" ? "POST" : "GET"
            let whole = try upstream.request(method, path)
            let clock = ContinuousClock()
            let start = clock.now
            let paced = try server.request(method, path)
            #expect(clock.now - start >= .milliseconds(200))
            #expect(paced.status == whole.status && paced.body == whole.body)
        }
    }

    @Test func `the first part of a paced response of another server does not wait for the rest`() async throws {
        let pace = #""chunkedDribbleDelay": {"numberOfChunks": 20000, "totalDuration": 600000}"#
        try await serving(upstream: Self.upstream, #""proxyBaseUrl": "UPSTREAM", \#(pace)"#) { server, _ throws in
            let client = try server.connect()
            try client.send("GET /big.txt HTTP/1.1\r\nHost: a\r\n\r\n")
            while try !client.line().isEmpty {}
            let part = try client.read(20)
            #expect(String(decoding: part, as: UTF8.self) == "01234567890123456789")
        }
    }

    @Test func `a request goes on and its response comes back, without what belongs to connections`() async throws {
        let response = #"""
            "proxyBaseUrl": "UPSTREAM/v1/", "proxyUrlPrefixToRemove": "/api", "headers": ["X-Stub: 2"],
            "additionalProxyRequestHeaders": {"X-Added": "one"}, "removeProxyRequestHeaders": ["X-Secret"]
            """#
        try await serving(upstream: Self.upstream, response) { server, upstream throws in
            let answer = try server.request(
                "POST", "/api/a?b=%20c",
                ["X-Secret: s", "x-added: mine", "Connection: X-Mine", "X-Mine: gone", "TE: trailers", "X-Kept: k"],
                body: "content")
            #expect(answer.status == 201 && answer.reason == "Made" && answer.text == "made")
            #expect(answer.all("Set-Cookie") == ["a=1", "b=2"])
            #expect(answer["X-Up"] == "1" && answer["X-Stub"] == "2")
            let came = try #require(upstream.journal.entries.first)
            #expect(came.request.path == "/v1/a?b=%20c")
            #expect(String(decoding: came.body, as: UTF8.self) == "content")
            let lines = came.fields.filter { $0.name.lowercased() != "via" }.map { "\($0.name): \($0.value)" }
            #expect(
                Set(lines) == [
                    "Host: 127.0.0.1:\(upstream.port)", "X-Kept: k", "TE: trailers", "Connection: TE", "X-Added: one",
                    "Content-Length: 7",
                ])
            let via = try #require(came.fields.first { $0.name == "Via" }?.value)
            #expect(via.wholeMatch(of: /1\.1 mockapi-[0-9a-f]{16}/) != nil)
            let entry = try #require(server.journal.entries.first)
            #expect(entry.status == 201)
            guard case .stub = entry.outcome else {
                Issue.record("answered by \(entry.outcome)")
                return
            }
        }
    }

    @Test func `lines of the other server's connection stay there`() async throws {
        let raw =
            "HTTP/1.1 203 Fine\r\nConnection: X-Hop, close\r\nX-Hop: gone\r\nKeep-Alive: timeout=5\r\n"
            + "Proxy-Authenticate: Basic\r\nX-Kept: \u{E9}\r\nContent-Length: 2\r\n\r\nhi"
        let plain: @Sendable (inout MockServer.Configuration) -> Void = {
            $0.fallback = { _, _, _ in .wire(RawResponse(http1: raw)) }
        }
        try await TestServer.serving([:], plain) { upstream async throws in
            let stub = #"{"response": {"proxyBaseUrl": "\#(upstream.base)"}}"#
            try await TestServer.serving(["x.stub.json": stub], { $0.forwarder = StubProxy() }) { server throws in
                let answer = try server.get("/")
                #expect(answer.status == 203 && answer.reason == "Fine" && answer.text == "hi")
                #expect(answer["X-Kept"] == "\u{E9}")
                for name in ["X-Hop", "Keep-Alive", "Proxy-Authenticate"] { #expect(answer[name] == nil) }
            }
        }
    }

    @Test(arguments: [
        (
            "200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
            "the response has Content-Length beside Transfer-Encoding, so its end is not known"
        ),
        (
            "200 OK\r\nContent-Length: 2\r\nX: a\rSet-Cookie: b=c\r\n\r\nhi",
            "the response has CR in the value of its field X"
        ),
        (
            "200 OK\r\nContent-Length: 2\r\nX: a\u{1}\r\n\r\nhi",
            "the response has the control character 0x1 in the value of its field X"
        ),
        (
            "200 O\u{1B}[2J\r\nContent-Length: 2\r\n\r\nhi",
            "the reason of the response has the control character 0x1b in it"
        ),
        (
            "200 OK\r\nContent-Length: 2\r\nX\u{1}Y: a\r\n\r\nhi",
            "the response has a field whose name is not a field name"
        ),
        (
            "200 OK\r\nContent-Length: 2\r\nX : a\r\n\r\nhi",
            "the response has a field whose name is not a field name"
        ),
        (
            "200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
            "the response has the transfer coding gzip, chunked, and none but chunked can be undone"
        ),
        (
            "200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
            "the response has the transfer coding xchunked, and none but chunked can be undone"
        ),
        (
            "200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhi",
            "the response has a Content-Length that is larger than any content"
        ),
        (
            "101 Switching Protocols\r\nUpgrade: x\r\n\r\nabc",
            "the response has the status 101, which is not a final one and nobody asked for"
        ),
        (
            "200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nhi",
            "the response has two Content-Lengths that differ, so its end is not known"
        ),
        (
            "200 OK\r\nContent-Length: +2\r\n\r\nhi", "the response has a Content-Length that is not a number"
        ),
        (
            "200 OK\r\nContent-Length: 9223372036854775808\r\n\r\nhi",
            "the response has a Content-Length that is larger than any content"
        ),
        (
            "200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
            "the response has the transfer coding gzip, chunked, and none but chunked can be undone"
        ),
    ])
    func `a head that may not be passed on is answered 502 in its place`(raw: String, flaw: String) async throws {
        let plain: @Sendable (inout MockServer.Configuration) -> Void = {
            $0.fallback = { _, _, _ in .wire(RawResponse(http1: "HTTP/1.1 " + raw)) }
        }
        try await TestServer.serving([:], plain) { upstream async throws in
            let stub = #"{"response": {"proxyBaseUrl": "\#(upstream.base)"}}"#
            try await TestServer.serving(["x.stub.json": stub], { $0.forwarder = StubProxy() }) { server throws in
                let answer = try server.get("/")
                #expect(answer.status == 502)
                #expect(answer.text == "502: GET \(upstream.base)/: \(flaw); mend the server\n")
            }
        }
    }

    @Test func `a large response streams, HEAD has its length and no content, and HTTP 2 the same`() async throws {
        try await serving(upstream: Self.upstream, #""proxyBaseUrl": "UPSTREAM""#) { server, _ throws in
            #expect(try server.get("/big.txt").body.count == 400_000)
            let client = try server.connect()
            try client.send("HEAD /big.txt HTTP/1.1\r\nHost: a\r\n\r\n")
            let head = try client.response(isHead: true)
            #expect(head.status == 200 && head["Content-Length"] == "400000" && head.body.isEmpty)
            #expect(try FrameClient(port: server.port).get("/big.txt").body.count == 400_000)
            #expect(try server.get("/big.txt", "Range: bytes=0-3").text == "0123")
            let miss = try server.get("/none")
            #expect(miss.status == 404)
        }
    }

    @Test func `delays and faults of the stub hold, too`() async throws {
        let response = #"""
            "proxyBaseUrl": "UPSTREAM", "fixedDelayMilliseconds": 30,
            "faults": [{"fault": "EMPTY_RESPONSE", "when": {"from": 2, "until": 3}}]
            """#
        try await serving(upstream: ["a.txt": "a"], response) { server, upstream throws in
            let clock = ContinuousClock()
            let start = clock.now
            #expect(try server.get("/a.txt").text == "a")
            #expect(clock.now - start >= .milliseconds(30))
            let client = try server.connect()
            try client.send("GET /a.txt HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.remainder().isEmpty)
            #expect(try server.get("/a.txt").text == "a")
            #expect(upstream.journal.entries.count == 2)
        }
    }

    /// A URL that nobody listens at, of an address of this test's own.
    private static let nobody = "http://127.0.0.91:1"

    @Test func `a failure names the URL and the cause`() async throws {
        let response = #""proxyBaseUrl": "\#(Self.nobody)/base""#
        try await serving(upstream: [:], response) { server, _ throws in
            let answer = try server.get("/a?b")
            #expect(answer.status == 502)
            #expect(answer.text.hasPrefix("502: GET \(Self.nobody)/base/a?b: "))
            #expect(answer.text.contains("connect"))
            #expect(server.journal.entries.map(\.status) == [502])
        }
        try await serving(upstream: [:], response, wireMock: true) { server, _ throws in
            let answer = try server.get("/a?b")
            #expect(answer.status == 500)
            let start = "Network failure trying to make a proxied request from WireMock to \(Self.nobody)/base/a?b\r\n"
            #expect(answer.text.hasPrefix(start))
        }
    }

    @Test func `a stub that leads back to its server is told as such`() async throws {
        let stub = #"{"request": {"urlPathPattern": "/.*"}, "response": {"proxyBaseUrl": "http://127.0.0.1:9"}}"#
        try await TestServer.serving(["x.stub.json": stub], { $0.forwarder = StubProxy() }) { server throws in
            let own = stub.replacing("http://127.0.0.1:9", with: server.base)
            try server.directory.write("x.stub.json", own)
            try server.reload()
            let answer = try server.get("/a")
            #expect(answer.status == 508)
            #expect(
                answer.text == "508: \(server.base)/a leads back to this server, by which the request has come before\n"
            )
        }
    }

    @Test func `two servers that lead to each other find it out`() async throws {
        let stub = #"{"request": {"urlPathPattern": "/.*"}, "response": {"proxyBaseUrl": "http://127.0.0.1:9"}}"#
        try await TestServer.serving(["x.stub.json": stub], { $0.forwarder = StubProxy() }) { one async throws in
            let other = stub.replacing("http://127.0.0.1:9", with: one.base)
            try await TestServer.serving(["x.stub.json": other], { $0.forwarder = StubProxy() }) { two throws in
                try one.directory.write("x.stub.json", stub.replacing("http://127.0.0.1:9", with: two.base))
                try one.reload()
                #expect(try one.get("/a").status == 508)
            }
        }
    }

    @Test func `a server that reaches no others says so`() async throws {
        try await TestServer.serving(stub: #"{"response": {"proxyBaseUrl": "http://127.0.0.1:9"}}"#) { server throws in
            let answer = try server.get("/")
            #expect(answer.status == 501)
            #expect(
                answer.text
                    == "501: this server reaches no others: a stub with proxyBaseUrl needs the trait Recording\n"
            )
        }
    }

    @Test func `lines of CORS and of rates are added to the other server's response`() async throws {
        let response = #""proxyBaseUrl": "UPSTREAM""#
        try await TestServer.serving(["a.txt": "a"]) { upstream async throws in
            let stub =
                #"{"rateLimit": {"requests": 5, "per": "1h"}, "response": {\#(response.replacing("UPSTREAM", with: upstream.base))}}"#
            try await TestServer.serving(
                ["x.stub.json": stub],
                {
                    $0.forwarder = StubProxy()
                    $0.allowsCORS = true
                }
            ) { server throws in
                let answer = try server.get("/a.txt", "Origin: http://page")
                #expect(answer.text == "a" && answer["X-RateLimit-Remaining"] == "4")
                #expect(answer["Access-Control-Allow-Origin"] == "http://page")
            }
        }
    }

    @Test func `a response that breaks off is broken off`() async throws {
        let files: KeyValuePairs = [
            "x.stub.json":
                #"{"response": {"body": "0123456789", "fault": "TRUNCATE_BODY", "afterBytes": 4}}"#
        ]
        try await serving(upstream: files, #""proxyBaseUrl": "UPSTREAM""#) { server, _ throws in
            let client = try server.connect()
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let text = String(decoding: try client.remainder(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 200") && text.hasSuffix("\r\n\r\n0123"))
        }
    }

    @Test func `the delay of the settings reaches a stub that another server answers`() async throws {
        try await serving(upstream: Self.upstream, #""proxyBaseUrl": "UPSTREAM""#) { server, _ throws in
            #expect(try server.request("POST", "/__admin/settings", body: #"{"fixedDelay": 60}"#).status == 200)
            let clock = ContinuousClock()
            let start = clock.now
            #expect(try server.get("/a").status < 500)
            #expect(clock.now - start >= .milliseconds(60))
        }
    }
}
