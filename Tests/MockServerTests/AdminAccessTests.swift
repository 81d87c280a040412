// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Who may ask the admin API: no web page, whatever name it goes by.
@Suite(.supervised) struct AdminAccessTests {
    private let files: KeyValuePairs = ["a.txt": "a"]

    private func title(_ answer: WireResponse) throws -> String? {
        try JSONParser.parse(answer.text)["errors"]?.array?.first?["title"]?.string
    }

    @Test func `pages may read health and misses, and nothing else`() async throws {
        try await TestServer.serving(files) { server throws in
            for target in ["/mappings", "/requests", "/requests/unmatched", "/version", "/none"] {
                #expect(try server.get("/__admin" + target)["Access-Control-Allow-Origin"] == nil, "\(target)")
            }
            let health = try server.get("/__admin/health", "Host: evil.example", "Origin: https://evil.example")
            #expect(health.status == 200)
            #expect(health["Access-Control-Allow-Origin"] == "*")
            let miss = try server.get("/none", "Origin: https://evil.example")
            #expect(miss.status == 404)
            #expect(miss["Access-Control-Allow-Origin"] == "*")
            #expect(try server.get("/a.txt")["Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test(arguments: ["GET", "DELETE", "HEAD", "OPTIONS"])
    func `a name that is not the server's is misdirected`(method: String) async throws {
        try await TestServer.serving(files) { server throws in
            _ = try server.get("/a.txt")
            let answer = try server.request(method, "/__admin/requests", ["Host: evil.example:8080"])
            #expect(answer.status == 421)
            if method == "GET" {
                #expect(
                    try title(answer)
                        == "evil.example is not a name of this server: use localhost, an IP address or the machine's name, "
                        + "or start the server with \"evil.example\" in adminHosts")
            }
            #expect(server.journal.entries.count == 1)
        }
    }

    @Test(arguments: [
        "localhost", "LOCALHOST:1", "mocks.localhost", "127.0.0.1:8080", "192.168.7.7", "[::1]:8080", "mocks:8080",
        "Mocks.Test",
    ])
    func `the server's own names and those it is told are asked`(host: String) async throws {
        try await TestServer.serving(files, { $0.adminHosts = ["mocks", "mocks.test"] }) { server throws in
            #expect(try server.get("/__admin/requests", "Host: \(host)").status == 200)
            #expect(try server.get("/__admin/requests", "Host: other.mocks").status == 421)
        }
    }

    @Test(arguments: ["https://evil.example", "null", "http://localhost:1", "http://localhost.evil.example", "http://"])
    func `a page of another origin neither reads the journal nor empties it`(origin: String) async throws {
        try await TestServer.serving(files) { server throws in
            _ = try server.get("/a.txt")
            for method in ["GET", "DELETE", "POST", "PUT"] {
                let answer = try server.request(method, "/__admin/requests", ["Origin: \(origin)"])
                #expect(answer.status == 403)
                #expect(
                    try title(answer)
                        == "pages of \(origin) may read /__admin/health and nothing else here: use another client, or the "
                        + "browser's address bar")
            }
            #expect(server.journal.entries.count == 1)
        }
    }

    @Test(arguments: ["same-origin", "same-site", "cross-site", "SAME-ORIGIN"])
    func `a page neither reads the journal nor empties it, be it one of the fixtures`(site: String) async throws {
        try await TestServer.serving(files) { server throws in
            _ = try server.get("/a.txt")
            for (method, fields) in [
                ("GET", ["Sec-Fetch-Mode: cors"]), ("GET", ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"]),
                ("DELETE", ["Origin: http://localhost:\(server.port)"]), ("POST", []),
            ] {
                let host = "Host: localhost:\(server.port)"
                let answer = try server.request(
                    method, "/__admin/requests", [host, "Sec-Fetch-Site: \(site)"] + fields)
                #expect(answer.status == 403)
                #expect(
                    try title(answer)
                        == "a page in a browser sends this request, and may read /__admin/health and nothing else here: "
                        + "use another client, or the browser's address bar")
            }
            #expect(server.journal.entries.count == 1)
            #expect(try server.get("/__admin/health", "Sec-Fetch-Site: \(site)").status == 200)
            // A person has asked.
            let typed = try server.get("/__admin/requests", "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate")
            #expect(typed.status == 200)
        }
    }

    @Test func `a page of the server itself is answered by a browser that does not say what asks`() async throws {
        try await TestServer.serving(files, { $0.adminHosts = ["mocks"] }) { server throws in
            let port = server.port
            for (host, origin) in [
                ("localhost:\(port)", "http://localhost:\(port)"), ("127.0.0.1:\(port)", "http://localhost:\(port)"),
                ("localhost:\(port)", "https://127.0.0.1:\(port)"), ("localhost", "http://localhost:80"),
                ("mocks:8080", "http://mocks:8080"), ("mocks", "https://mocks"),
            ] {
                let answer = try server.request(
                    "DELETE", "/__admin/requests", ["Host: \(host)", "Origin: \(origin)"])
                #expect(answer.status == 200, "\(host) \(origin)")
            }
        }
    }
}
