// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Situations on the wire that users of other servers, clients and proxies have reported as bugs of those: each is named by its tracker.
@Suite(.supervised) struct ReportedWireTests {
    private static let files: KeyValuePairs<String, String> = [
        "x.stub.json": """
        {"stubs": [
          {"request": {"method": "ANY", "urlPath": "/ok"}, "response": {"body": "ok"}},
          {"request": {"method": "ANY", "urlPath": "/coded"},
           "response": {"headers": ["ETag: \\"g\\""], "contentEncoding": "gzip",
                        "body": "\(String(repeating: "z", count: 4000))"}},
          {"request": {"urlPath": "/dated"},
           "response": {"headers": ["ETag: \\"new\\"", "Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT"], "body": "0123456789"}},
          {"request": {"urlPath": "/weak"}, "response": {"headers": ["ETag: W/\\"w\\""], "body": "0123456789"}},
          {"request": {"urlPath": "/long"}, "response": {"body": "\(String(repeating: "x", count: 1024))"}},
          {"request": {"method": "POST", "urlPath": "/echo"},
           "response": {"transformers": ["response-template"], "body": "{{{request.body}}}"}},
          {"request": {"urlPath": "/named", "headers": {"Host": {"equalTo": "api.example.com:81"}}},
           "response": {"transformers": ["response-template"], "body": "{{request.host}} {{request.headers.Host}}"}},
          {"request": {"method": "DELETE", "urlPath": "/gone"}, "response": {"status": 204, "jsonBody": {"a": 1}}},
          {"request": {"urlPath": "/failed"}, "response": {"trailers": {"grpc-status": "5"}}}]}
        """
    ]

    struct Conversation: CustomTestStringConvertible {
        let report: String
        let sent: String
        /// Status and content of each response that comes, before the connection ends.
        let came: [String]
        var testDescription: String { report }

        init(_ report: String, _ sent: String, _ came: [String]) {
            (self.report, self.sent, self.came) = (report, sent, came)
        }
    }

    private static let host = "Host: localhost\r\n"
    private static let last = "GET /ok HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    @Test(arguments: [
        Conversation(
            "mongoose#2592", "GET /ok HTTP/1.1\r\n\(host)Connection: close\r\n\r\nInvalid\r\n\r\n", ["200 ok"]),
        Conversation(
            "bun#33005", "GET /ok HTTP/1.1\r\n\(host)Connection: keep-alive, close\r\n\r\n\(last)", ["200 ok"]),
        Conversation(
            "bun#32887",
            "POST /echo HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Trail: one\r\n\r\n\(last)",
            ["200 hello", "200 ok"]),
        Conversation(
            "hotaru#37",
            "POST /echo HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\nX-A: 1\r\nX-B: 2\r\n\r\n\(last)",
            ["200 ", "200 ok"]),
        Conversation("WireMock.Net#306", "DELETE /gone HTTP/1.1\r\n\(host)\r\n\(last)", ["204 ", "200 ok"]),
        Conversation(
            "cherrypy#629", "GET /ok HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\nGET /ok HTTP/1.0\r\n\r\n",
            ["200 ok", "200 ok"]),
        Conversation(
            "RxNetty#126", "POST /echo HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok", ["200 ok"]),
        Conversation(
            "grizzly#1022", "POST /echo HTTP/1.1\r\n\(host)Content-Length: 2\r\nContent-Length: 2\r\n\r\nok\(last)",
            ["400 the request has more than one Content-Length\n"]),
        Conversation(
            "agoo#88",
            "POST /echo HTTP/1.1\r\n\(host)Transfer-Encoding : chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\nX",
            ["400 white space stands between a field name and its colon\n"]),
        Conversation(
            "http11test rfc3986-3.2.2-16", "GET /ok HTTP/1.1\r\nHost: example.com:99999\r\n\r\n",
            ["400 the Host line is not a host with an optional port\n"]),
        Conversation(
            "http11test rfc3986-3.2.2-16", "GET http://a:65536/ok HTTP/1.1\r\nHost: a:65536\r\n\r\n",
            ["400 the request target has no valid host\n"]),
    ])
    func `what comes on a connection is cut where its messages end`(_ example: Conversation) async throws {
        try await TestServer.serving(Self.files) { server throws in
            let client = try server.connect()
            try client.send(example.sent)
            var came: [String] = []
            while came.count < example.came.count {
                let response = try client.response()
                came.append("\(response.status) \(response.text)")
            }
            #expect(came == example.came)
            #expect(try client.remainder().isEmpty)
        }
    }

    @Test func `the authority of a target stands for the Host line, whatever that says`() async throws {
        // waitress#467, haproxy#1378
        try await TestServer.serving(Self.files) { server throws in
            let named = "api.example.com api.example.com:81"
            #expect(try server.get("http://api.example.com:81/named", "Host: other.test").text == named)
            #expect(try server.get("http://other.test/named", "Host: api.example.com:81").status == 404)
            #expect(try server.get("/named", "Host: api.example.com:81").text == named)
            let client = try FrameClient(port: server.port)
            let fields = [
                (":method", "GET"), (":scheme", "http"), (":authority", "api.example.com:81"), (":path", "/named"),
            ]
            try client.send(.headers(stream: 1, fields))
            #expect(try client.response(stream: 1).text == named)
        }
    }

    @Test func `HEAD of coded content has the lines of GET`() async throws {
        // freeunit#391, reposilite#2134
        try await TestServer.serving(Self.files) { server throws in
            let lines = { (response: WireResponse) in
                response.fields.filter { $0.name.lowercased() != "date" }.map { "\($0.name): \($0.value)" }
            }
            let get = try server.get("/coded", "Accept-Encoding: gzip")
            #expect(get["Content-Encoding"] == "gzip")
            #expect(lines(try server.request("HEAD", "/coded", ["Accept-Encoding: gzip"])) == lines(get))
            // hyperium/h2#490: the head ends the stream.
            let client = try FrameClient(port: server.port)
            try client.send(.request(stream: 1, "HEAD", "/coded", [("accept-encoding", "gzip")]))
            #expect(try client.next(.headers)?.endsStream == true)
        }
    }

    @Test func `a 304 to a client that takes no coding varies, too`() async throws {
        // jetty#9042
        try await TestServer.serving(Self.files) { server throws in
            let answer = try server.get("/coded", #"If-None-Match: W/"g""#)
            #expect(answer.status == 304 && answer["Vary"] == "Accept-Encoding")
        }
    }

    @Test(arguments: [
        (
            "http-serve#23", "/dated", [#"If-None-Match: "old""#, "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT"],
            200
        ),
        (
            "stormkit#461", "/dated", [#"If-None-Match: "new""#, "If-Modified-Since: Thu, 01 Jan 1969 00:00:00 GMT"],
            304
        ),
        ("send#111", "/weak", ["Range: bytes=2-4", #"If-Range: W/"w""#], 200),
        ("rsbuild#7852", "/dated", ["Range: bytes=2-4", #"If-Range: "newer""#], 200),
        ("mdn/content#14557", "/dated", ["Range: bytes=2-4", #"If-Match: "x""#], 412),
        ("nginx#988", "/long", ["Range: bytes=724-817,888-927,859-931,449-,404-429,860-957,14-18,530-627"], 200),
    ])
    func `conditions come before ranges, and tags before dates`(
        report: String, path: String, fields: [String], status: Int
    ) async throws {
        try await TestServer.serving(Self.files) { server throws in
            #expect(try server.request("GET", path, fields).status == status, "\(report)")
        }
    }

    @Test func `each part of several ranges has its lines right behind the boundary, and all parts are there`()
        async throws
    {
        // jetty#3916, chimera#1105
        try await TestServer.serving(Self.files) { server throws in
            let answer = try server.get("/dated", "Range: bytes=0-1,4-5")
            #expect(answer.status == 206)
            let type = try #require(answer["Content-Type"])
            let boundary = try #require(type.split(separator: "boundary=").last)
            let lines = "Content-Type: text/plain; charset=utf-8\r\nContent-Range: bytes "
            #expect(
                answer.text
                    == "--\(boundary)\r\n\(lines)0-1/10\r\n\r\n01\r\n--\(boundary)\r\n\(lines)4-5/10\r\n\r\n45\r\n--\(boundary)--\r\n"
            )
        }
    }

    @Test func `trailers behind no content wait for no window`() async throws {
        // python-hyper/h2#1314, grpc-go#658
        try await TestServer.serving(Self.files) { server throws in
            let client = try FrameClient(port: server.port, [(4, 0)])
            let answer = try client.get("/failed", [("te", "trailers")])
            #expect(answer.status == 200 && answer.trailers.map(\.name) == ["grpc-status"])
        }
    }

    @Test func `the last frame with content ends the stream`() async throws {
        // wai#459
        try await TestServer.serving(Self.files) { server throws in
            let client = try FrameClient(port: server.port)
            try client.send(.request(stream: 1, "/ok"))
            let frame = try #require(try client.next(.data))
            #expect(frame.payload == Array("ok".utf8) && frame.endsStream)
        }
    }

    @Test(arguments: [
        ("", 200), ("100-continue", 200), ("100-Continue,", 200), (", 100-continue", 200), ("x", 417),
        ("100-continue, x", 417),
    ])
    func `an expectation is a list over HTTP 2, too`(value: String, status: Int) async throws {
        // lighttpd's 417
        try await TestServer.serving(Self.files) { server throws in
            let client = try FrameClient(port: server.port)
            let fields = [("expect", value), ("content-length", "2")]
            #expect(try client.request("POST", "/echo", fields, body: Array("ok".utf8)).status == status)
        }
    }

    @Test func `a client that gives up its content after a refusal keeps its connection`() async throws {
        // dotnet/runtime#58498, undici#5470
        try await TestServer.serving(Self.files, { $0.maxBody = 1024 }) { server throws in
            let client = try FrameClient(port: server.port)
            let fields = [("expect", "100-continue"), ("content-length", "4096")]
            try client.send(.request(stream: 1, "POST", "/echo", fields, endsStream: false))
            #expect(try client.response(stream: 1).status == 413)
            try client.send(.data(stream: 1, []), .request(stream: 3, "GET", "/ok"))
            #expect(try client.response(stream: 3).text == "ok")
            #expect(server.journal.entries.map(\.status) == [413, 200])
        }
    }

    /// Asks for a target over HTTP/2 by a header section of several frames.
    private static func get(_ target: String, port: Int) throws -> WireResponse {
        let client = try FrameClient(port: port)
        var whole = HTTP2Frame.request(stream: 1, target)
        var rest = whole.payload.dropFirst(16_000)
        whole.payload = Array(whole.payload.prefix(16_000))
        whole.flags = HTTP2Frame.endStream
        try client.send(whole)
        while !rest.isEmpty {
            let part = Array(rest.prefix(16_000))
            rest = rest.dropFirst(16_000)
            let flags = rest.isEmpty ? HTTP2Frame.endHeaders : 0
            try client.send(HTTP2Frame(.continuation, flags: flags, stream: 1, part))
        }
        return try client.response(stream: 1)
    }

    @Test func `a target may be as long as the head, over either protocol`() async throws {
        // A number of its own for the line was 16 KiB, whatever the limit of the head.
        try await TestServer.serving(Self.files, { $0.maxHead = 32 * 1024 }) { server throws in
            let long = "/ok?" + String(repeating: "a", count: 31 * 1024)
            #expect(try server.get(long).text == "ok")
            #expect(try Self.get(long, port: server.port).text == "ok")
            let longer = "/ok?" + String(repeating: "a", count: 33 * 1024)
            let refused = try server.get(longer)
            #expect(
                refused.status == 414 && refused.text == "the request line is longer than 32768 bytes (maxHead)\n")
            let second = try Self.get(longer, port: server.port)
            #expect(
                second.status == 414 && second.text == "the request target is longer than 32768 bytes (maxHead)\n")
            let entries = server.journal.entries
            #expect(entries.map(\.status) == [200, 200, 414, 414])
            #expect(entries.suffix(2).allSatisfy { $0.request.path?.hasPrefix("/ok?aaa") == true })
        }
    }
}
