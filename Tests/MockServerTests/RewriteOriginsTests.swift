// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Testing
import WireSupport

@Suite struct RewriteOriginsTests {
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
}
