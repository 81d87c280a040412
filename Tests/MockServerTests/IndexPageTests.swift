// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a browser sees at `/` where nothing is served there.
@Suite(.supervised) struct IndexPageTests {
    private static let browser = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    private let files: KeyValuePairs = [
        "a.stub.json":
            #"{"name": "<script>alert('1')</script>", "request": {"method": "GET", "urlPath": "/a&\"b"}, "response": {}}"#,
        "b.stub.json": #"{"request": {"method": "POST", "url": "/b?access_token=real-value"}, "response": {}}"#,
        "c.stub.json": #"{"request": {"urlPath": "//elsewhere.example/c"}, "response": {}}"#, "d.txt": "d",
        "e#.txt": "e",
    ]

    @Test func `a browser gets a page of what is served, which is a miss still`() async throws {
        try await TestServer.serving(files) { server throws in
            let answer = try server.get("/", Self.browser)
            #expect(answer.status == 200)
            #expect(answer["Content-Type"] == "text/html; charset=utf-8")
            #expect(
                answer["Content-Security-Policy"]
                    == "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
            )
            #expect(answer["Access-Control-Allow-Origin"] == nil)
            let table = answer.text.split(separator: "<table>\n")[1].split(separator: "\n</table>")[0]
            #expect(
                table == """
                    <tr><td>GET<td><a href="/a&amp;&quot;b">/a&amp;&quot;b</a><td>&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;
                    <tr><td>POST<td>/b?access_token=***<td>b.stub.json
                    <tr><td>ANY<td>//elsewhere.example/c<td>c.stub.json
                    <tr><td>GET<td><a href="/d.txt">/d.txt</a><td>d.txt
                    <tr><td>GET<td><a href="/e%23.txt">/e#.txt</a><td>e#.txt
                    """)
            #expect(
                answer.text.contains(
                    "nothing answers GET /. What is served: 3 stubs, 2 files of \(server.directory.path)."))
            #expect(!answer.text.contains("<script") && !answer.text.contains("real-value"))
            #expect(server.journal.entries.map(\.outcome) == [.unmatched])
        }
    }

    @Test(arguments: [
        ("", false), ("ann:word", true), ("ann:wor", false), ("ann:word1", false), ("ann:wordann:word", false),
        ("ann", false),
        (":", false), ("bob:word", false),
    ])
    func `the page and the admin API ask for the same name and password`(given: String, isLetIn: Bool) async throws {
        try await TestServer.serving(files) {
            $0.adminAccess.credentials = "ann:word"
        } _: { server throws in
            let encoded = Data(given.utf8).base64EncodedString()
            let fields = given.isEmpty ? [] : ["Authorization: Basic \(encoded)"]
            let page = try server.request("GET", "/", fields + [Self.browser])
            #expect(page.status == (isLetIn ? 200 : 404))
            #expect(page.text.contains("<table>") == isLetIn)
            for target in ["/__admin", "/__admin/mappings", "/__admin/docs", "/__admin/swagger-ui", "/__admin/nothing"]
            {
                let status = try server.request("GET", target, fields).status
                #expect((status == 401) == !isLetIn, "\(target): \(status)")
            }
            #expect(try server.request("HEAD", "/__admin/mappings", fields).status == (isLetIn ? 200 : 401))
            #expect(try server.get("/__admin/health").status == 200)
            let client = try FrameClient(port: server.port)
            let lines = given.isEmpty ? [] : [("authorization", "Basic \(encoded)")]
            for target in ["/__admin/mappings", "/__admin/requests"] {
                #expect(try client.get(target, lines).status == (isLetIn ? 200 : 401), "\(target)")
            }
        }
    }

    @Test func `a page that asks for TLS is not shown without`() async throws {
        try await TestServer.serving(files) {
            $0.adminAccess.needsTLS = true
        } _: { server throws in
            #expect(try server.get("/", Self.browser).status == 404)
            #expect(try server.get("/__admin/mappings").status == 403)
        }
    }

    @Test(arguments: [
        ("/", "Accept: */*"), ("/", "Accept: application/json, text/html;q=0.9"), ("/else", browser),
        ("/", browser + "\r\nOrigin: http://elsewhere.example"), ("/", browser + "\r\nOrigin: null"),
        ("/", "Host: rebound.example\r\n" + browser),
    ])
    func `nobody else does`(target: String, fields: String) async throws {
        try await TestServer.serving(files) { server throws in
            let answer = try server.get(target, fields)
            let isReady = fields.hasPrefix("Accept: ") && !fields.contains("\r\n") && target == "/"
            #expect(answer.status == (isReady ? 200 : 404))
            #expect(answer["Content-Type"] != "text/html; charset=utf-8")
            #expect(!answer.text.contains("<table>"))
        }
    }

    @Test func `a fixture for it goes first, and a long list is cut`() async throws {
        try await TestServer.serving(["index.html": "<p>mine"]) { server throws in
            #expect(try server.get("/", Self.browser).text == "<p>mine")
        }
        let directory = try TemporaryDirectory()
        let stubs = (0..<150).map { "{\"request\": {\"urlPath\": \"/\($0)\"}, \"response\": {}}" }
        try directory.write("a.stub.json", "{\"stubs\": [\(stubs.joined(separator: ","))]}")
        try await TestServer.serving(directory) { server throws in
            let text = try server.get("/", Self.browser).text
            #expect(text.split(separator: "\n").count { $0.hasPrefix("<tr>") } == 100)
            #expect(text.contains("<p>And 50 stubs more.</p>"))
        }
    }
}
