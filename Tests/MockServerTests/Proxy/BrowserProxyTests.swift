// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiProxy
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// A server that clients use as their proxy.
@Suite(.supervised) struct BrowserProxyTests {
    private static let mappings: KeyValuePairs = [
        "mappings/a.json": #"""
        {"mappings": [
          {"request": {"url": "/things", "host": {"equalTo": "one.example"}}, "response": {"body": "stub of one"}},
          {"request": {"url": "/things", "host": {"equalTo": "two.example"}, "scheme": "https"}, "response": {"body": "stub of two"}}
        ]}
        """#
    ]

    /// A proxy for browsers, and another server that it may pass requests on to.
    private func serving(
        _ configure: (inout MockServer.Configuration) -> Void = { _ in },
        _ body: (_ proxy: TestServer, _ other: TestServer) async throws -> Void
    ) async throws {
        try await TestServer.serving([
            "a.txt": "from the other", "__admin/b.txt": "b",
            "q.stub.json": #"{"request": {"url": "/q?x=1&y=%20"}, "response": {"body": "query"}}"#,
        ]) { other async throws in
            try await TestServer.serving(
                Self.mappings,
                {
                    $0.isBrowserProxy = true
                    $0.forwarder = StubProxy()
                    configure(&$0)
                }
            ) { try await body($0, other) }
        }
    }

    /// curl's output by the proxy.
    private func curl(_ proxy: TestServer, _ arguments: [String]) async throws -> Tool {
        try await Tool.curl(["--proxy", proxy.base, "--noproxy", ""] + arguments)
    }

    private func logged(_ server: TestServer) throws -> [[String]] {
        let requests = try JSONParser.parse(server.get("/__admin/requests").body)["requests"]?.array ?? []
        return requests.compactMap(\.["request"]).map {
            [$0["absoluteUrl"]?.string ?? "", "\($0["browserProxyRequest"]?.bool ?? false)"]
        }
    }

    @Test func `a whole URL gets the stub of its host, and else the response of the server that it names`() async throws
    {
        try await serving { proxy, other throws in
            #expect(try proxy.get("http://one.example/things").text == "stub of one")
            #expect(try proxy.get("\(other.base)/a.txt").text == "from the other")
            #expect(try proxy.get("\(other.base)/q?x=1&y=%20", "Proxy-Connection: keep-alive").text == "query")
            #expect(other.journal.entries.map(\.target) == ["/a.txt", "/q?x=1&y=%20"])
            #expect(other.journal.entries.allSatisfy { !$0.fields.contains { $0.name == "Proxy-Connection" } })
            #expect(try proxy.get("/a.txt", "Host: one.example").status == 404)
            #expect(
                try logged(proxy) == [
                    ["http://one.example/a.txt", "false"], ["\(other.base)/q?x=1&y=%20", "true"],
                    ["\(other.base)/a.txt", "true"], ["http://one.example/things", "true"],
                ])
        }
    }

    @Test func `a request for the server itself is not passed on, and its admin API is not that of others`()
        async throws
    {
        try await serving { proxy, other throws in
            #expect(try proxy.get("\(proxy.base)/a.txt").status == 404)
            #expect(try proxy.get("\(proxy.base)/__admin/health").text.contains("healthy"))
            #expect(try proxy.get("\(other.base)/__admin/health").text.contains("healthy"))
            #expect(other.journal.entries.isEmpty)
            #expect(proxy.journal.entries.map(\.status) == [404, 200])
        }
    }

    @Test func `an address of no interface here is another server's, and each own port is this server's`() async throws
    {
        try await serving({
            $0.passesProxied = false
            $0.furtherPorts = [0]
        }) { proxy, _ throws in
            #expect(try proxy.get("http://192.0.2.1:\(proxy.port)/__admin/health").status == 404)
            #expect(try proxy.get("http://[2001:db8::1]:\(proxy.port)/__admin/health").status == 404)
            let further = try #require(proxy.server.furtherPorts.first)
            for own in ["127.0.0.1:\(further)", "localhost:\(proxy.port)", "127.9.9.9:\(further)", "[::1]:\(further)"] {
                #expect(try proxy.get("http://\(own)/__admin/health").text.contains("healthy"), "\(own)")
            }
        }
    }

    @Test func `a stub's host is asked for if another server is meant by an address, in a miss too`() async throws {
        try await serving({ $0.passesProxied = false }) { proxy, _ throws in
            let miss = try proxy.get("http://127.0.0.1:1/things")
            #expect(miss.status == 404 && miss.text.contains("one.example"))
            let near = try proxy.get("/__admin/requests/unmatched/near-misses").text
            #expect(!near.contains(#""distance":0}"#) && near.contains("one.example"))
            #expect(try proxy.get("\(proxy.base)/things").text == "stub of one")
            _ = try proxy.get("https://one.example/a.txt")
            #expect(
                try logged(proxy) == [
                    ["https://one.example/a.txt", "true"], ["\(proxy.base)/things", "false"],
                    ["http://127.0.0.1:1/things", "true"],
                ])
        }
    }

    @Test func `other servers say for themselves which pages may read their responses`() async throws {
        try await serving({ $0.allowsCORS = true }) { proxy, other throws in
            let page = "Origin: http://page.example"
            let name = "Access-Control-Allow-Origin"
            let passed = try proxy.get("\(other.base)/a.txt", page)
            #expect(passed.text == "from the other" && passed[name] == nil)
            #expect(try proxy.get("/things", page)[name] != nil)
            let asking = [page, "Access-Control-Request-Method: GET"]
            #expect(try proxy.request("OPTIONS", "\(other.base)/a.txt", asking)[name] == nil)
            #expect(other.journal.entries.map(\.target) == ["/a.txt", "/a.txt"])
            #expect(try proxy.request("OPTIONS", "/a.txt", asking)[name] != nil)
        }
    }

    @Test func `a request without a host is for the server that its tunnel leads to`() async throws {
        try await serving({ $0.passesProxied = false }) { proxy, _ throws in
            for (target, text) in [("/things", "stub of one"), ("/__admin/health", "")] {
                let client = try proxy.connect()
                try client.send("CONNECT one.example:80 HTTP/1.1\r\nHost: one.example:80\r\n\r\n")
                #expect(try client.line() == "HTTP/1.1 200 Connection Established")
                #expect(try client.line().isEmpty)
                try client.send("GET \(target) HTTP/1.0\r\n\r\n")
                let response = try client.response()
                #expect(text.isEmpty ? response.status == 404 : response.text == text)
            }
            #expect(
                try logged(proxy) == [
                    ["http://one.example:80/__admin/health", "true"], ["http://one.example:80/things", "true"],
                ])
        }
    }

    @Test func `a tunnel that is not opened gets the reason`() async throws {
        try await serving { proxy, _ throws in
            let client = try proxy.connect()
            let ask = "CONNECT one.example:80 HTTP/1.1\r\nHost: one.example:80\r\n\r\n"
            try client.send(ask + "GET /things HTTP/1.1\r\nHost: one.example\r\n\r\n")
            let response = try client.response()
            #expect(response.status == 501)
            #expect(
                response.text
                    == "CONNECT opens a tunnel only over HTTP/1.1 without TLS, and only if the client waits for the response before it sends more\n"
            )
        }
    }

    @Test func `a server that cannot be asked gets 500, and another scheme is not passed on`() async throws {
        try await serving { proxy, _ throws in
            let failed = try proxy.get("http://127.0.0.1:1/a")
            #expect(failed.status == 500 && failed.text.contains("http://127.0.0.1:1/a"))
            #expect(try proxy.get("ftp://127.0.0.1:1/a").status == 404)
        }
    }

    @Test func `a setting of the admin API says whether requests without a stub are passed on`() async throws {
        try await serving({ $0.passesProxied = false }) { proxy, other throws in
            #expect(try proxy.get("\(other.base)/a.txt").status == 404)
            #expect(try proxy.get("http://one.example/things").text == "stub of one")
            _ = try proxy.request("PUT", "/__admin/settings", body: #"{"proxyPassThrough": true}"#)
            #expect(try proxy.get("\(other.base)/a.txt").text == "from the other")
            _ = try proxy.request("PUT", "/__admin/settings", body: #"{"proxyPassThrough": false}"#)
            #expect(try proxy.get("\(other.base)/a.txt").status == 404)
        }
    }

    @Test func `a tunnel ends here, in whichever protocol it goes on`() async throws {
        let tls = try TLSDirectory()
        try await serving({ $0.tls = tls.settings }) { proxy, other async throws in
            for version in ["--http1.1", "--http2"] {
                let stub = try await curl(
                    proxy, ["--cacert", try tls.authority(), version, "https://two.example/things"])
                #expect(stub.text == "stub of two", "\(stub.errors)")
            }
            // A tunnel may lead to HTTP without TLS.
            let plain = try await curl(proxy, ["--proxytunnel", "\(other.base)/a.txt"])
            #expect(plain.text == "from the other", "\(plain.errors)")
            #expect(
                try logged(proxy) == [
                    ["\(other.base)/a.txt", "true"], ["https://two.example/things", "true"],
                    ["https://two.example/things", "true"],
                ])
        }
    }

    @Test func `the certificate of a server that nobody knows is refused in a tunnel, too`() async throws {
        let (tls, others) = (try TLSDirectory(), try TLSDirectory())
        try await TestServer.serving(["a.txt": "a"], { $0.tls = others.settings }) { secure async throws in
            try await serving({ $0.tls = tls.settings }) { proxy, _ async throws in
                let url = "https://localhost:\(secure.port)/a.txt"
                let refused = try await curl(proxy, ["--cacert", try tls.authority(), "-i", url])
                #expect(refused.text.hasPrefix("HTTP/1.1 200 Connection Established"), "\(refused.errors)")
                #expect(refused.text.contains(" 500 ") || refused.text.contains(" 500\r\n"))
                #expect(secure.journal.entries.isEmpty)
            }
        }
    }

    @Test func `a tunnel lasts as long as a connection, and takes no bytes before it is open`() async throws {
        try await serving { proxy, other async throws in
            let client = try proxy.connect()
            try client.send("CONNECT one.example:80 HTTP/1.1\r\nHost: one.example:80\r\n\r\n")
            #expect(try client.line() == "HTTP/1.1 200 Connection Established")
            #expect(try client.line().isEmpty)
            for _ in 1...2 {
                try client.send("GET /things HTTP/1.1\r\nHost: one.example\r\n\r\n")
                #expect(try client.response().text == "stub of one")
            }
            let hasty = try proxy.connect()
            try hasty.send("CONNECT one.example:80 HTTP/1.1\r\nHost: one.example:80\r\n\r\nGET / HTTP/1.1\r\n\r\n")
            #expect(try hasty.response().status == 501)
        }
    }
}
