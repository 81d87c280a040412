// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Situations that users of other servers and mock servers have reported as bugs of those: each is named by its tracker.
@Suite(.supervised) struct ReportedSelectionTests {
    private static let body = String(repeating: "0123456789", count: 100)
    private static let files: KeyValuePairs<String, String> = [
        "x.stub.json": """
        {"stubs": [
          {"request": {"method": "ANY", "urlPath": "/thousand"},
           "response": {"headers": ["ETag: \\"a,b\\"", "Cache-Control: max-age=5", "Vary: X-A", "Expires: 0"],
                        "body": "\(body)"}},
          {"request": {"urlPath": "/weak"}, "response": {"headers": ["ETag: W/\\"1\\""], "body": "weak"}},
          {"request": {"urlPath": "/empty"}, "response": {"body": ""}},
          {"request": {"urlPath": "/request"},
           "response": {"transformers": ["response-template"], "body": "{{request.method}} {{request.url}}"}},
          {"request": {"method": "HEAD", "urlPath": "/probe"}, "response": {"status": 200}},
          {"request": {"method": "HEAD", "urlPath": "/length"}, "response": {"contentLength": 4711}},
          {"request": {"method": "POST", "urlPath": "/echo"},
           "response": {"transformers": ["response-template"], "body": "{{request.body}}"}},
          {"request": {"method": "PUT", "urlPath": "/secret"}, "response": {"status": 401, "body": "no"}}]}
        """,
        "file.txt": "0123456789",
    ]

    struct Selected: CustomTestStringConvertible {
        let report: String
        let path: String
        let field: String
        let status: Int
        /// Content-Range, or the number of bytes.
        let range: String
        var testDescription: String { "\(report): \(field) of \(path)" }

        init(_ report: String, _ path: String, _ field: String, _ status: Int, _ range: String) {
            (self.report, self.path, self.field, self.status, self.range) = (report, path, field, status, range)
        }
    }

    @Test(arguments: [
        Selected("static-web-server#669", "/thousand", "Range: bytes=-2000", 206, "bytes 0-999/1000"),
        Selected("static-web-server#669", "/thousand", "Range: bytes=-18446744073709551616", 206, "bytes 0-999/1000"),
        Selected("static-web-server#669", "/thousand", "Range: bytes=1000-", 416, "bytes */1000"),
        Selected("chimera#1196", "/thousand", "Range: bytes=-0", 416, "bytes */1000"),
        Selected("chimera#1196", "/file.txt", "Range: bytes=-0", 416, "bytes */10"),
        Selected("helidon#12259", "/empty", "Range: bytes=-1", 200, "0"),
        Selected("eliza#12585", "/empty", "Range: bytes=-5", 200, "0"),
        Selected("multica#4831", "/empty", "Range: bytes=0-0", 200, "0"),
        Selected("deno_std#3354", "/thousand", "Range: bytes=990-1010", 206, "bytes 990-999/1000"),
        Selected("web2py#2613", "/file.txt", "Range: bytes=-4", 206, "bytes 6-9/10"),
        Selected("multica#4831", "/thousand", "Range: bytes=10-5", 200, "1000"),
        Selected("multica#4831", "/thousand", "Range: bytes=0-abc", 200, "1000"),
        Selected("rustango#1258", "/thousand", #"If-None-Match: "x", "a,b""#, 304, "0"),
        Selected("rustango#1258", "/thousand", "If-None-Match: *", 304, "0"),
        Selected("tomcat#325", "/thousand", #"If-None-Match: "a", "b""#, 200, "1000"),
        Selected("supabase/storage#1424", "/thousand", #"If-None-Match: W/"a,b""#, 304, "0"),
        Selected("starlette#2298", "/weak", #"If-None-Match: "1""#, 304, "0"),
        Selected("hapi#3957", "/weak", #"If-None-Match: "2", W/"1""#, 304, "0"),
        Selected("ditto#1924", "/weak", #"If-Match: W/"1""#, 412, "41"),
    ])
    func `ranges and conditions are those of the RFC`(_ example: Selected) async throws {
        try await TestServer.serving(Self.files) { server throws in
            let answer = try server.get(example.path, example.field)
            #expect(answer.status == example.status)
            #expect(answer["Content-Range"] ?? "\(answer.body.count)" == example.range)
            let (name, value) = try #require(
                example.field.firstIndex(of: ":").map {
                    (example.field[..<$0], example.field[example.field.index(after: $0)...])
                })
            let same = try FrameClient(port: server.port).get(
                example.path, [(String(name).lowercased(), String(value.dropFirst()))])
            #expect(same.status == example.status && same.body == answer.body)
        }
    }

    @Test func `a 304 has the tag as it is, and what caches go by`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            // tomcat#337, rustango#1263
            #expect(try server.get("/weak", #"If-None-Match: W/"1""#)["ETag"] == #"W/"1""#)
            let answer = try server.get("/thousand", "If-None-Match: *")
            #expect(answer["Cache-Control"] == "max-age=5" && answer["Vary"] == "X-A" && answer["Expires"] == "0")
        }
    }

    @Test func `HEAD has the lines of GET and no content`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            // moco#126, relic#175
            let head = try server.request("HEAD", "/request")
            #expect(head.body.isEmpty && head["Content-Length"] == "\("HEAD /request".utf8.count)")
            #expect(try server.request("HEAD", "/thousand")["Content-Length"] == "1000")
            // pact-jvm#1828
            #expect(try server.request("HEAD", "/probe").status == 200)
            // mockito#52, WireMock.Net#720
            #expect(try server.request("HEAD", "/length")["Content-Length"] == "4711")
        }
    }

    @Test func `content that was announced is waited for, refused or let be`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            // undici#78
            let pipelined = try server.connect()
            let chunked = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            try pipelined.send(chunked + "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n" + chunked + "1\r\nd\r\n0\r\n\r\n")
            #expect(try pipelined.response().text == "abc")
            #expect(try pipelined.response().text == "d")
            // grizzly#1811, webserv#41
            let waiting = try server.connect()
            try waiting.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            #expect(try waiting.read(25) == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            try waiting.send("ok")
            #expect(try waiting.response().text == "ok")
            // okhttp#3252, bandit#695: what is behind a response that needs no content is never read as a request.
            let denied = try server.connect()
            try denied.send("PUT /secret HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 41\r\n\r\n")
            try denied.send("GET /file.txt HTTP/1.1\r\nHost: aaaaaaa\r\n\r\n")
            #expect(try denied.response().status == 401)
            // mockserver#1340, mockserver#92
            #expect(try denied.request("GET", "/file.txt")["Transfer-Encoding"] == nil)
        }
    }
}
