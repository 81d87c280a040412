// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiProxy
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// Requests, contents and stubs by which users of proxies, parsers, template engines and services with webhooks have seen those take one request
/// for two, or never come to an end: each is named by its tracker.
@Suite(.supervised) struct ReportedExhaustionTests {
    @Test(arguments: [
        ("sozu#726", "Transfer-Encoding: chunked\t\r\nContent-Length: 60"),
        ("openlitespeed#392", "Content-Length: 0\r\nTransfer-Encoding: chunked"),
        ("tinyproxy#609", "Content-Length: 5\r\nContent-Length: 50"),
        ("tinyproxy#616", "Content-Length: 50\r\nTransfer-Encoding: chunked, gzip"),
        ("webrick#146", "Transfer-Encoding: chunked\r\nContent-Length: 50"), ("Starlet#34", "Content-Length: 5a"),
    ])
    func `a request whose end two readers see in two places is refused, and what stands in it is no request`(
        report: String, fields: String
    ) async throws {
        try await TestServer.serving(stub: #"{"response": {}}"#) { server throws in
            let client = try server.connect()
            try client.send(
                "POST /x HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n0\r\n\r\nGET /inside HTTP/1.1\r\nHost: a\r\n\r\n")
            let status = try client.response().status
            #expect(status == 400 || status == 501, "\(report)")
            #expect(throws: WireError.self, "\(report)") { _ = try client.response() }
            #expect(!server.journal.entries.contains { $0.target == "/inside" }, "\(report)")
        }
    }

    /// A body of parts, each with a name of its own.
    private static func parts(_ contents: [String]) -> String {
        contents.enumerated().map { number, content in
            "--B\r\nContent-Disposition: form-data; name=n\(number)\r\n\r\n\(content)\r\n"
        }.joined() + "--B--"
    }

    private static let lines = String(repeating: "\r\n", count: 300_000)

    @Test(
        arguments: [
            ("python-multipart#67", "B", parts([lines + "foobar"]), 200),
            ("python-multipart#162", "B", parts(["DoS in progress"]) + String(repeating: "-", count: 1_000_000), 200),
            ("cpp-httplib#2557", "B", String(repeating: "--A-", count: 1_000_000), 404),
            (
                "cpp-httplib#2565", String(repeating: "-", count: 8_000) + "x",
                "--" + String(repeating: "-", count: 2_000_000), 404
            ),
            ("pekko-http#1266", "B", parts(Array(repeating: "", count: 40_000)), 404),
            ("shellinabox#446", "B", "--B\r\nContent-Disposition: form-data; name=n0\r\n" + lines, 404),
        ].map { ($0.0, Long($0.1), Long($0.2), $0.3) })
    func `a multipart body is read to its end, however it is made`(
        report: String, boundary: Long<String>, body: Long<String>, status: Int
    ) async throws {
        let stub =
            #"{"request": {"method": "POST", "urlPath": "/x", "multipartPatterns": [{"name": "n0"}]}, "response": {}}"#
        try await TestServer.serving(stub: stub) { server throws in
            let type = "Content-Type: multipart/form-data; boundary=\(boundary.value)"
            #expect(try server.request("POST", "/x", [type], body: body.value).status == status, "\(report)")
            #expect(try server.get("/y").status == 404)
        }
    }

    private static func nested(_ open: String, _ core: String, _ close: String, _ depth: Int) -> String {
        String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
    }

    @Test(
        arguments: [
            ("yajs#34", #""$..a""#, nested(#"{"a":"#, "1", "}", 500), [200]),
            ("ponyc#5606", #""$[?\#(nested("(", "@.a", ")", 100_000))]""#, "[1]", [422]),
            ("Meziantou.Framework#2226", #""$\#(nested("[?@.a", "", "]", 2_000))""#, "[1]", [422, 404]),
            (
                "succinctly#491", #"{"expression": "$..*", "contains": "b"}"#,
                nested(#"{"a":"#, #""\#(String(repeating: "x", count: 400_000))""#, "}", 400), [404]
            ),
        ].map { ($0.0, Long($0.1), Long($0.2), $0.3) })
    func `a path is followed into what is nested within its bounds`(
        report: String, path: Long<String>, body: Long<String>, statuses: [Int]
    ) async throws {
        let stub =
            #"{"request": {"urlPath": "/x", "bodyPatterns": [{"matchesJsonPath": \#(path.value)}]}, "response": {}}"#
        try await TestServer.serving(stub: #"{"request": {"urlPath": "/plain"}, "response": {}}"#) { server throws in
            let added = try server.request("POST", "/__admin/mappings", body: stub)
            let status = added.status == 201 ? try server.request("POST", "/x", body: body.value).status : added.status
            #expect(statuses.contains(status), "\(report): \(added.text.prefix(300))")
            #expect(try server.get("/plain").status == 200)
        }
    }

    @Test(
        arguments: [
            (
                "handlebars.js#1283", "{{#each (range 1 72)}}{{ljust 'x' size=1000000}}{{/each}}",
                "500: the template of the body cannot be rendered: line 1, column 23: the template makes more than 16 MiB"
            ),
            (
                "handlebars-helper-repeat#7", "{{#each (range 1 3)}}{{#each (range 1 10)}}x{{/each}}{{/each}}",
                nested("x", "", "", 30)
            ),
            (
                "handlebars.java#95",
                "{{#with request.path}}{{> sitemap}}{{/with}}{{#with request.path}}{{> sitemap}}{{/with}}",
                "500: the template is broken at line 1, column 23: partials and decorators are not supported"
            ),
            ("handlebars.c#46", "<style>" + nested("a { b: c } ", "", "", 80_000), "<style>a { b: c } a { b: c } "),
        ].map { ($0.0, Long($0.1), $0.2) })
    func `a template that grows, goes in circles or is one long text is rendered or refused`(
        report: String, template: Long<String>, start: String
    ) async throws {
        let text = String(decoding: JSONWriter.compact(.string(template.value)), as: UTF8.self)
        let stub =
            #"{"request": {"urlPath": "/x"}, "response": {"body": \#(text), "transformers": ["response-template"]}}"#
        try await TestServer.serving(stub: #"{"request": {"urlPath": "/plain"}, "response": {}}"#) { server throws in
            #expect(try server.request("POST", "/__admin/mappings", body: stub).status == 201)
            let response = try server.get("/x").text
            #expect(response.hasPrefix(start), "\(report): \(response.prefix(200))")
            #expect(try server.get("/plain").status == 200)
        }
    }

    /// Stubs that answer on a path and call another, of the server that the request names.
    private static func calling(_ calls: KeyValuePairs<String, String>) -> String {
        let stubs = calls.map { path, other in
            #"""
            {"request": {"urlPath": "\#(path)"}, "response": {}, "serveEventListeners": [{"name": "webhook",
              "parameters": {"method": "POST", "url": "{{originalRequest.body}}\#(other)", "body": "{{originalRequest.body}}"}}]}
            """#
        }
        return #"{"stubs": [\#(stubs.joined(separator: ","))]}"#
    }

    @Test(arguments: [
        ("strapi#9193", calling(["/hello": "/hello"])), ("plumber#54", calling(["/hello": "/pipe", "/pipe": "/pipe"])),
        ("firefly-iii#4541", calling(["/hello": "/script", "/script": "/hello"])),
        ("subkit-microservice#65", calling(["/hello": "/store", "/store": "/stream", "/stream": "/store"])),
        ("matrix-hookshot#966", calling(["/hello": "/out", "/out": "/in", "/in": "/out"])),
    ])
    func `webhooks that lead to each other end`(report: String, stubs: String) async throws {
        try await TestServer.serving(["x.stub.json": stubs], { $0.forwarder = StubProxy() }) { server async throws in
            let queue = try #require(server.server.core.webhooks)
            #expect(try server.request("POST", "/hello", body: server.base).status == 200)
            #expect(try await until({ server.journal.entries.count }, is: 1 + WebhookTrail.limit))
            #expect(try await until({ queue.count }, is: 0))
            #expect(server.journal.entries.count == 1 + WebhookTrail.limit, "\(report)")
        }
    }
}
