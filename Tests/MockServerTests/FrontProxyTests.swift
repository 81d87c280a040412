// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// A server behind a proxy that ends TLS, and pages of any origin.
@Suite(.supervised) struct FrontProxyTests {
    private static let files: KeyValuePairs = [
        "t.stub.json":
            #"{"request": {"urlPath": "/t"}, "response": {"transformers": ["response-template"], "body": "{{request.baseUrl}} {{request.scheme}} {{request.host}} {{request.port}} {{request.clientIp}}"}}"#,
        "l.stub.json":
            #"{"request": {"urlPath": "/l"}, "response": {"headers": ["Location: https://api.example.com/b"], "rewriteOrigins": ["https://api.example.com"], "body": "https://api.example.com/p2"}}"#,
        "c.stub.json": #"{"request": {"urlPath": "/c", "clientIp": {"equalTo": "192.0.2.7"}}, "response": {}}"#,
    ]

    @Test(arguments: [
        (["X-Forwarded-Proto: https"], "https://mocks.example https mocks.example 443 127.0.0.1"),
        (
            ["X-Forwarded-Proto: https, http", "X-Forwarded-Port: 8443"],
            "https://mocks.example:8443 https mocks.example 8443 127.0.0.1"
        ),
        (
            ["X-Forwarded-Proto: https", "X-Forwarded-Prefix: /mocks/"],
            "https://mocks.example/mocks https mocks.example 443 127.0.0.1"
        ),
        (
            ["X-Forwarded-Proto: https", "X-Forwarded-Port: 443"],
            "https://mocks.example https mocks.example 443 127.0.0.1"
        ),
        (
            ["X-Forwarded-Host: front.example:444, b", "X-Forwarded-For: 192.0.2.7, 10.0.0.1"],
            "http://front.example:444 http front.example 444 192.0.2.7"
        ),
        (
            ["Forwarded: for=\"[2001:db8::1]:4711\";proto=https;host=front.example, for=10.0.0.1;proto=http"],
            "https://front.example https front.example 443 2001:db8::1"
        ),
        (
            ["X-Forwarded-Proto: javascript", "X-Forwarded-Host: a/b\"<"],
            "http://mocks.example http mocks.example 80 127.0.0.1"
        ),
    ])
    func `what a proxy in front says is believed where that is asked for`(fields: [String], expected: String)
        async throws
    {
        try await TestServer.serving(Self.files, { $0.trustsForwarded = true }) { server throws in
            #expect(try server.request("GET", "/t", ["Host: mocks.example"] + fields).text == expected)
            let base = String(expected.prefix { $0 != " " })
            for _ in 0..<2 {
                let answer = try server.request("GET", "/l", ["Host: mocks.example"] + fields)
                #expect(answer["Location"] == base + "/b")
                #expect(answer.text == base + "/p2")
                #expect(try server.request("GET", "/l", ["Host: mocks.example"]).text == "http://mocks.example/p2")
            }
        }
        try await TestServer.serving(Self.files) { server throws in
            #expect(
                try server.request("GET", "/t", ["Host: mocks.example"] + fields).text
                    == "http://mocks.example http mocks.example 80 127.0.0.1")
        }
    }

    @Test(arguments: ["https://mocks.example", "https://mocks.example/", "https://mocks.example/api"])
    func `a public URL goes before what a request says`(url: String) async throws {
        try await TestServer.serving(Self.files, { $0.publicURL = url }) { server throws in
            let base = url.hasSuffix("/") ? String(url.dropLast()) : url
            #expect(try server.get("/t").text == "\(base) https mocks.example 443 127.0.0.1")
            #expect(try server.get("/l")["Location"] == base + "/b")
        }
    }

    @Test func `a client is the first of those that proxies have listed`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            for list in ["192.0.2.7", "192.0.2.7, 10.0.0.1", "192.0.2.7 ,10.0.0.1"] {
                #expect(try server.get("/c", "X-Forwarded-For: \(list)").status == 200)
            }
            #expect(try server.get("/c", "X-Forwarded-For: 10.0.0.1, 192.0.2.7").status == 404)
        }
    }

    @Test(arguments: [
        ("capacitor://localhost", "capacitor://localhost"), ("ionic://localhost", "ionic://localhost"),
        ("tauri://localhost", "tauri://localhost"), ("chrome-extension://abc", "chrome-extension://abc"),
        ("null", "null"),
        ("http://localhost:5173/", "http://localhost:5173"), ("https://app.example:443", "https://app.example"),
        ("HTTP://App.example:80/", "http://app.example"), ("http://[::1]:80", "http://[::1]"),
        ("https://app.example:80", "https://app.example:80"),
    ])
    func `an origin of any scheme is taken as browsers send it`(written: String, sent: String) async throws {
        #expect(PageOrigin.parse(written) == sent)
        try await TestServer.serving(["a.json": "{}"], { $0.corsOrigins = [written] }) { server throws in
            let answer = try server.get("/a.json", "Origin: \(sent)")
            #expect(answer["Access-Control-Allow-Origin"] == sent)
            #expect(try server.get("/a.json", "Origin: https://else.example")["Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test(arguments: [
        "app.example", "https://", "https://a/b", "https://a?b", "https://a, https://b", "*", "https://u@a", "1a://b",
        "://b",
    ])
    func `what is not an origin is none`(text: String) {
        #expect(PageOrigin.parse(text) == nil)
    }

    @Test(arguments: ["mocks.example", "ftp://a", "https://", "https://a?b", "https://a b", "https://u@a"])
    func `what is not a URL of a server is none`(text: String) {
        #expect(PublicURL(text) == nil)
    }
}
