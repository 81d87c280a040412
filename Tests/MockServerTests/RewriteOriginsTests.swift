// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct RewriteOriginsTests {
    private static func stub(_ type: String, _ body: String, coding: String = "") -> String {
        let quoted = body.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return """
            {"request": {"urlPath": "/a"}, "response": {"headers": ["Content-Type: \(type)", "ETag: \\"v1\\""],
             "body": "\(quoted)", "rewriteOrigins": ["https://images.example.com", "http://api.example.com:8080"]\(coding)}}
            """
    }

    @Test(arguments: [
        (#"{"u":"https://images.example.com/a.png"}"#, #"{"u":"BASE/a.png"}"#),
        (#"{"u":"https:\/\/images.example.com\/a.png"}"#, #"{"u":"ESCAPED\/a.png"}"#),
        ("https://images.example.com", "BASE"), ("https://images.example.com.", "BASE."),
        ("https://images.example.com. Next", "BASE. Next"), ("https://images.example.com?x", "BASE?x"),
        ("https://images.example.com.evil/a", "https://images.example.com.evil/a"),
        ("https://images.example.community/a", "https://images.example.community/a"),
        ("https://images.example.com:444/a", "https://images.example.com:444/a"),
        ("https://images.example.com@evil/a", "https://images.example.com@evil/a"),
        ("https://images.example.com-x/a", "https://images.example.com-x/a"),
        ("http://images.example.com/a", "http://images.example.com/a"),
        ("http://api.example.com:8080/a http://api.example.com/a", "BASE/a http://api.example.com/a"),
        ("http://api.example.com:80801/a", "http://api.example.com:80801/a"),
        ("https://images.example.com/https://images.example.com/", "BASE/BASE/"),
        ("hhttps://images.example.com/", "hBASE/"), ("https://images.example.co", "https://images.example.co"),
    ])
    func `an origin is replaced where it stands as such`(body: String, expected: String) async throws {
        try await TestServer.serving(stub: Self.stub("application/json", body)) { server async throws in
            for host in ["127.0.0.1:\(server.port)", "localhost:\(server.port)", "images.example.com"] {
                let answer = try server.get("/a", "Host: \(host)")
                let base = "http://\(host)"
                let text = expected.replacing("BASE", with: base)
                    .replacing("ESCAPED", with: base.replacing("/", with: #"\/"#))
                #expect(answer.text == text)
                #expect(answer["Content-Length"] == "\(text.utf8.count)")
            }
        }
    }

    @Test(arguments: [
        ("application/json", true), ("application/vnd.api+json; charset=utf-8", true), ("text/html", true),
        ("Application/Problem+JSON ; charset=utf-8", true), ("image/svg+xml", true), ("application/xml", true),
        ("image/png", false), ("application/octet-stream", false), ("application/pdf", false),
    ])
    func `only text is rewritten`(type: String, rewritten: Bool) async throws {
        try await TestServer.serving(stub: Self.stub(type, "https://images.example.com/a")) { server async throws in
            let text = try server.get("/a", "Host: localhost").text
            #expect(text == (rewritten ? "http://localhost/a" : "https://images.example.com/a"))
        }
    }

    @Test func `rewriting goes before coding, HEAD and ranges`() async throws {
        let stub = Self.stub("text/plain", "see https://images.example.com/a", coding: #", "contentEncoding": "gzip""#)
        try await TestServer.serving(stub: stub) { server async throws in
            let base = server.base
            #expect(try await Tool.curl(["--compressed", "\(base)/a"]).text == "see \(base)/a")
            let client = try server.connect()
            let host = "Host: 127.0.0.1:\(server.port)"
            let coded = try client.request("GET", "/a", [host, "Accept-Encoding: gzip"])
            #expect(coded["Content-Encoding"] == "gzip")
            let head = try client.request("HEAD", "/a", [host, "Accept-Encoding: gzip"])
            #expect(head["Content-Length"] == "\(coded.body.count)")
            let part = try client.request("GET", "/a", [host, "Range: bytes=4-10"])
            #expect(part.text == "http://")
            #expect(part["Content-Range"] == "bytes 4-10/\("see \(base)/a".utf8.count)")
        }
    }

    private static func lines(_ status: Int, _ lines: [String], _ rest: String = "") -> String {
        let quoted = lines.map { "\"\($0)\"" }.joined(separator: ", ")
        return """
            {"request": {"urlPath": "/a", "method": "ANY"}, "response": {"status": \(status), "headers": [\(quoted)]\(rest),
             "rewriteOrigins": ["https://images.example.com", "http://api.example.com:8080"]}}
            """
    }

    @Test(arguments: [
        ("Location", "https://images.example.com/a?b#c", "BASE/a?b#c"),
        ("location", "https://images.example.com", "BASE"),
        ("Location", "https://images.example.com.evil/a", "https://images.example.com.evil/a"),
        ("Location", "/a", "/a"),
        ("Content-Location", "http://api.example.com:8080/a", "BASE/a"),
        ("Refresh", "5; url=https://images.example.com/", "5; url=BASE/"),
        (
            "Link",
            "<https://images.example.com/2>; rel=next, <http://api.example.com:8080/0>; rel=prev, <https://x/>; rel=x",
            "<BASE/2>; rel=next, <BASE/0>; rel=prev, <https://x/>; rel=x"
        ),
        ("X-Seen", "https://images.example.com/a", "BASE/a"),
    ])
    func `an origin is replaced in each line`(name: String, value: String, expected: String)
        async throws
    {
        for (status, rest) in [
            (200, #", "body": "a""#), (201, ""), (204, ""), (302, ""), (404, #", "base64Body": "AAE=""#),
        ] {
            let stub = Self.lines(status, ["\(name): \(value)", "X-Other: 1"], rest)
            try await TestServer.serving(stub: stub) { server async throws in
                for host in ["127.0.0.1:\(server.port)", "images.example.com"] {
                    for method in ["GET", "HEAD", "POST"] {
                        let answer = try server.request(method, "/a", ["Host: \(host)"])
                        #expect(answer.status == status)
                        #expect(answer[name] == expected.replacing("BASE", with: "http://\(host)"))
                        #expect(answer["X-Other"] == "1")
                        if method == "GET" { #expect(answer.body.count == (status == 200 ? 1 : status == 404 ? 2 : 0)) }
                    }
                }
            }
        }
    }

    @Test func `lines are rewritten beside a coding, a recorded HEAD and a large file`() async throws {
        let line = "Location: https://images.example.com/a"
        let text = String(repeating: "text ", count: 100)
        let stub = Self.lines(
            200, [line, "Content-Type: image/x-own"], #", "body": "\#(text)", "contentEncoding": "gzip""#)
        try await TestServer.serving(stub: stub) { server async throws in
            let coded = try server.get("/a", "Host: localhost", "Accept-Encoding: gzip")
            #expect(coded["Content-Encoding"] == "gzip")
            #expect(coded["Location"] == "http://localhost/a")
            let plain = try server.get("/a", "Host: localhost")
            #expect(plain["Location"] == "http://localhost/a")
            #expect(plain.text == text)
        }
        try await TestServer.serving(stub: Self.lines(200, [line], #", "contentLength": 17"#)) { server async throws in
            let head = try server.request("HEAD", "/a", ["Host: localhost"])
            #expect(head["Location"] == "http://localhost/a")
            #expect(head["Content-Length"] == "17")
        }
        let large = String(repeating: "https://images.example.com/ ", count: 4_000)
        let files: KeyValuePairs = [
            "a.stub.json": Self.lines(200, [line, "Content-Type: image/x-own"], #", "bodyFile": "a.bin""#),
            "a.bin": large,
        ]
        try await TestServer.serving(files) { server async throws in
            let answer = try server.get("/a", "Host: localhost")
            #expect(answer["Location"] == "http://localhost/a")
            #expect(answer.text == large)
        }
    }

    @Test func `a chain of redirections that was recorded is followed to its end`() async throws {
        let stubs = #"""
            {"stubs": [
              {"request": {"urlPath": "/a"}, "response": {"status": 301, "headers": ["Location: https://images.example.com/b"],
                "rewriteOrigins": ["https://images.example.com", "http://api.example.com:8080"]}},
              {"request": {"urlPath": "/b"}, "response": {"status": 307, "headers": ["Location: http://api.example.com:8080/c"],
                "body": "moved to http://api.example.com:8080/c", "rewriteOrigins": ["http://api.example.com:8080"]}},
              {"request": {"urlPath": "/c"}, "response": {"body": "the end"}}
            ]}
            """#
        try await TestServer.serving(stub: stubs) { server async throws in
            let followed = try await Tool.curl([
                "-L", "-w", " after %{num_redirects} at %{url_effective}", "\(server.base)/a",
            ])
            #expect(followed.text == "the end after 2 at \(server.base)/c")
        }
    }

    @Test func `a host that is no name is written nowhere`() async throws {
        let body = String(repeating: "https://images.example.com/a ", count: 200)
        try await TestServer.serving(stub: Self.stub("text/plain", body)) { server async throws in
            let answer = try server.get("/a", "Host: \(String(repeating: "h", count: 50_000))")
            #expect(
                answer.text == body.replacing("https://images.example.com", with: "http://127.0.0.1:\(server.port)"))
        }
    }
}
