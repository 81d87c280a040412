// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiProxy
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Situations that users of other proxies, and of clients, have reported as bugs of those: each is named by its tracker.
@Suite(.supervised) struct ReportedProxyTests {
    /// A server that passes all but `/ok` on to one that sends bytes of a test.
    private static func serving(
        _ raw: String, _ body: @escaping (TestServer) async throws -> Void
    ) async throws {
        let plain: @Sendable (inout MockServer.Configuration) -> Void = {
            $0.fallback = { method, _, _ in
                let head = raw.prefix(upTo: raw.firstRange(of: "\r\n\r\n").map(\.upperBound) ?? raw.endIndex)
                return .wire(RawResponse(http1: method == "HEAD" ? String(head) : raw))
            }
        }
        try await TestServer.serving([:], plain) { upstream async throws in
            try await TestServer.serving(files(upstream), { $0.forwarder = StubProxy() }, body)
        }
    }

    private static func files(_ upstream: TestServer) -> KeyValuePairs<String, String> {
        [
            "x.stub.json": """
            {"stubs": [
              {"request": {"method": "ANY", "urlPath": "/ok"}, "response": {"body": "ok"}},
              {"request": {"method": "ANY", "urlPathPattern": "/p.*"}, "response": {"proxyBaseUrl": "\(upstream.base)"}}]}
            """
        ]
    }

    struct Passed: CustomTestStringConvertible {
        let report: String
        let method: String
        let raw: String
        /// Status and content.
        let came: String
        /// The line that says where the content ends; nil where there is none.
        let framing: String?
        var testDescription: String { "\(report): \(method)" }

        init(_ report: String, _ method: String, _ raw: String, _ came: String, _ framing: String?) {
            (self.report, self.method, self.raw) = (report, method, raw)
            (self.came, self.framing) = (came, framing)
        }
    }

    private static let chunked = "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    private static let coded = "200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n"

    @Test(arguments: [
        Passed("envoy#16071", "GET", "304 Not Modified\r\nETag: \"a\"\r\n\r\n", "304 ", nil),
        Passed("cpython#157951", "GET", "304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n", "304 ", nil),
        Passed(
            "bun#34919", "GET", "204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "204 ",
            nil),
        Passed("aspnetcore#5878", "GET", "204 No Content\r\nContent-Length: 5\r\n\r\nhello", "204 ", nil),
        Passed("haproxy#1932", "GET", chunked, "200 hello", "Transfer-Encoding: chunked"),
        Passed("haproxy#1932", "HEAD", chunked, "200 ", nil),
        Passed(
            "http-proxy-middleware#1121", "HEAD", "200 OK\r\nContent-Length: 5\r\n\r\nhello", "200 ",
            "Content-Length: 5"),
        Passed("pound#54", "HEAD", "404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n", "404 ", nil),
        Passed("dusty#158", "GET", coded, "200 ", "Content-Length: 0"),
        Passed("dusty#158", "HEAD", coded, "200 ", "Content-Length: 0"),
        Passed(
            "nginx#1241", "GET",
            "103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
            "200 hi", "Content-Length: 2"),
        Passed(
            "mitmproxy#2229", "GET", "100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "200 hi",
            "Content-Length: 2"),
    ])
    func `what is passed on ends where it says, and the next response is read`(_ example: Passed) async throws {
        try await Self.serving("HTTP/1.1 " + example.raw) { server throws in
            let client = try server.connect()
            let response = try client.request(example.method, "/p")
            #expect("\(response.status) \(response.text)" == example.came)
            let framing = response.fields.filter {
                ["content-length", "transfer-encoding"].contains($0.name.lowercased())
            }
            #expect(framing.map { "\($0.name): \($0.value)" } == (example.framing.map { [$0] } ?? []))
            #expect(try client.request("GET", "/ok").text == "ok")
            let http2 = try FrameClient(port: server.port)
            let second = try http2.request(example.method, "/p")
            #expect("\(second.status) \(second.text)" == example.came)
            #expect(try http2.get("/ok").text == "ok")
        }
    }

    @Test func `a client of HTTP 1.0 gets no chunks`() async throws {
        // vibe.d#1721, ESPAsyncWebServer#1315
        try await Self.serving("HTTP/1.1 " + Self.chunked) { server throws in
            let client = try server.connect()
            try client.send("GET /p HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let response = try client.response()
            #expect(
                response.text == "hello" && response["Transfer-Encoding"] == nil && response["Connection"] == "close")
        }
    }

    @Test func `a response that is cut within its trailers is not complete`() async throws {
        // bun#36068
        try await Self.serving("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: 1\r\n") {
            server throws in
            let client = try server.connect()
            #expect(throws: WireError.self) { try client.request("GET", "/p") }
            #expect(throws: WireError.self) { try FrameClient(port: server.port).get("/p") }
        }
    }

    @Test func `trailers behind no content go on, and wait for no window`() async throws {
        // mitmproxy#5890, calico#10319
        try await Self.serving("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\ngrpc-status: 5\r\n\r\n") {
            server throws in
            let client = try FrameClient(port: server.port, [(4, 0)])
            let response = try client.get("/p", [("te", "trailers")])
            #expect(response.status == 200 && response.trailers.map { "\($0.name): \($0.value)" } == ["grpc-status: 5"])
        }
    }

    @Test(arguments: ["Content-Length", "Transfer-Encoding", "Host", "Connection", "Trailer"])
    func `a trailer says nothing about where messages end`(name: String) async throws {
        // zoxy#244
        let raw = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\(name): 5\r\nX-Sum: 1\r\n\r\n"
        try await Self.serving(raw) { server throws in
            let response = try server.get("/p", "TE: trailers")
            #expect(response.text == "hi" && response.trailers.map(\.name) == ["X-Sum"])
            let second = try FrameClient(port: server.port).get("/p", [("te", "trailers")])
            #expect(second.text == "hi" && second.trailers.map(\.name) == ["x-sum"])
        }
    }

    @Test func `a length that HEAD has told is not that of the next response`() async throws {
        // llhttp#202
        let stubs = #"{"stubs": [{"request": {"method": "ANY", "urlPath": "/p"}, "response": {"body": "0123456789"}}]}"#
        try await TestServer.serving(stub: stubs) { upstream async throws in
            try await TestServer.serving(Self.files(upstream), { $0.forwarder = StubProxy() }) { server throws in
                let client = try server.connect()
                for method in ["HEAD", "GET", "HEAD", "GET"] {
                    let response = try client.request(method, "/p")
                    #expect(response["Content-Length"] == "10" && response.body.count == (method == "GET" ? 10 : 0))
                }
            }
        }
    }

    @Test func `empty content that ends in a frame of its own is passed on as none`() async throws {
        // fluxzy#613
        let stubs = #"{"stubs": [{"request": {"method": "POST", "urlPath": "/p"}, "response": {"body": "came"}}]}"#
        try await TestServer.serving(stub: stubs) { upstream async throws in
            try await TestServer.serving(Self.files(upstream), { $0.forwarder = StubProxy() }) { server throws in
                let client = try FrameClient(port: server.port)
                #expect(try client.request("POST", "/p", [("content-length", "0")], body: []).text == "came")
                let entry = try #require(upstream.journal.entries.first)
                #expect(entry.body.isEmpty && !entry.fields.contains { $0.name.lowercased() == "transfer-encoding" })
            }
        }
    }
}
