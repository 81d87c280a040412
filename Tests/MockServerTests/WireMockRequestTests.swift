// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiContentCodings
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Requests as the stubs and templates of a WireMock root see them.
@Suite(.supervised) struct WireMockRequestTests {
    private static let files: KeyValuePairs = [
        "mappings/all.json": #"""
        {"mappings": [
          {"request": {"urlPath": "/json", "bodyPatterns": [{"equalToJson": {"a": 1}}]},
           "response": {"body": "{{request.body}}", "transformers": ["response-template"]}},
          {"request": {"urlPath": "/text", "bodyPatterns": [{"equalTo": "é"}]},
           "response": {"body": "{{request.body}}", "transformers": ["response-template"]}},
          {"request": {"urlPathTemplate": "/p/{x}", "pathParameters": {"x": {"contains": "%20"}}},
           "response": {"body": "{{request.path.x}} {{request.path.[1]}}", "transformers": ["response-template"]}},
          {"request": {"urlPath": "/ignored", "pathParameters": {"x": {"equalTo": "1"}}}},
          {"request": {"urlPath": "/basic", "basicAuth": {"username": "u", "password": "p"},
           "headers": {"Authorization": {"equalTo": "x"}}}},
          {"request": {"urlPattern": "/[a-z&&[^b]]+\\?\\u0071=1"}, "response": {"body": "java"}}
        ]}
        """#
    ]

    private func post(
        _ server: TestServer, _ target: String, _ fields: [String], _ body: [UInt8]
    ) throws -> WireResponse {
        let client = try server.connect()
        let head = ["POST \(target) HTTP/1.1", "Host: localhost", "Content-Length: \(body.count)"] + fields
        try client.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        return try client.response()
    }

    @Test func `a mapping's Date is the one that is sent, and HEAD has its Content-Length`() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let files: KeyValuePairs = [
            "mappings/date.json":
                #"{"request": {"url": "/d"}, "response": {"headers": {"Date": "\#(date)", "Content-Length": "9"}}}"#,
            "mappings/head.json":
                #"{"request": {"method": "HEAD", "url": "/h"}, "response": {"headers": {"content-length": "4"}}}"#,
        ]
        try await TestServer.serving(files) { server throws in
            let response = try server.get("/d")
            #expect(response.all("Date") == [date])
            #expect(response["Content-Length"] == "0")
            #expect(try server.request("HEAD", "/h").all("Content-Length") == ["4"])
        }
    }

    @Test(arguments: ContentCoding.allCases, [0, 70_000])
    func `a coded content is matched, rendered and counted decoded`(coding: ContentCoding, blanks: Int) async throws {
        try await TestServer.serving(Self.files) { server throws in
            let plain = #"{"a": 1}"# + String(repeating: " ", count: blanks)
            let coded = try coding.encode(Array(plain.utf8))
            let response = try post(server, "/json", ["Content-Encoding: \(coding.rawValue)"], coded)
            #expect(response.status == 200 && response.text == plain)
            let pattern = #"{"bodyPatterns": [{"equalToJson": {"a": 1}}]}"#
            let count = try server.request("POST", "/__admin/requests/count", body: pattern)
            #expect(try JSONParser.parse(count.body)["count"]?.number?.integer == 1)
            let found = try JSONParser.parse(try server.get("/__admin/requests").body)["requests"]?.array?.first
            #expect(found?["request"]?["body"]?.string == plain)
        }
    }

    @Test func `gzip is known without a line for it, and what is broken or too large stays`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            let coded = try ContentCoding.gzip.encode(Array(#"{"a":1}"#.utf8))
            #expect(try post(server, "/json", [], coded).text == #"{"a":1}"#)
            #expect(try post(server, "/json", ["Content-Encoding: gzip"], Array(coded.dropLast(4))).status == 404)
            #expect(try post(server, "/json", ["Content-Encoding: none"], Array(#"{"a":1}"#.utf8)).status == 200)
            let bomb = try ContentCoding.gzip.encode(Array(repeating: 0x20, count: 17 * 1024 * 1024))
            #expect(try post(server, "/json", ["Content-Encoding: gzip"], bomb).status == 404)
        }
    }

    @Test(
        arguments: [
            ("iso-8859-1", [0xE9]), ("ISO-8859-1", [0xE9]), ("\"windows-1252\"", [0xE9]), ("utf-16", [0, 0xE9]),
            ("utf-16", [0xFF, 0xFE, 0xE9, 0]), ("UTF-16LE", [0xE9, 0]), ("utf-16be", [0, 0xE9]),
            ("utf-8", [0xC3, 0xA9]), ("unknown", [0xC3, 0xA9]),
        ] as [(String, [UInt8])])
    func `a text is read in its charset`(charset: String, bytes: [UInt8]) async throws {
        try await TestServer.serving(Self.files) { server throws in
            let response = try post(server, "/text", ["Content-Type: text/plain; charset=\(charset)"], bytes)
            #expect(response.status == 200 && response.text == "é")
        }
    }

    @Test(arguments: [false, true])
    func `bytes in another charset are themselves, and text besides`(isCoded: Bool) async throws {
        let bytes: [UInt8] = [0xFF, 0xFE, 0xE9, 0]
        let stub = { (path: String, expected: [UInt8]) in
            let matcher = #"{"binaryEqualTo": "\#(Base64.text(of: expected))"}"#
            return #"{"request": {"urlPath": "\#(path)", "bodyPatterns": [\#(matcher)]}}"#
        }
        let files: KeyValuePairs = [
            "mappings/sent.json": stub("/sent", bytes), "mappings/text.json": stub("/text", Array("é".utf8)),
        ]
        try await TestServer.serving(files) { server throws in
            let sent = isCoded ? try ContentCoding.gzip.encode(bytes) : bytes
            let fields = ["Content-Type: text/xml; charset=utf-16"] + (isCoded ? ["Content-Encoding: gzip"] : [])
            for path in ["/sent", "/text"] { #expect(try post(server, path, fields, sent).status == 200) }
            for path in ["/sent", "/text"] {
                let expected = Base64.text(of: path == "/sent" ? bytes : Array("é".utf8))
                let pattern = #"{"urlPath": "\#(path)", "bodyPatterns": [{"binaryEqualTo": "\#(expected)"}]}"#
                let count = try server.request("POST", "/__admin/requests/count", body: pattern)
                #expect(try JSONParser.parse(count.body)["count"]?.number?.integer == 1)
            }
        }
    }

    @Test(arguments: ContentCoding.allCases)
    func `a native directory sees contents decoded where a line says so, and bytes in either form`(
        coding: ContentCoding
    ) async throws {
        let plain = Array(#"{"a": 1}"#.utf8)
        let coded = try coding.encode(plain)
        func stub(_ path: String, _ matcher: String) -> String {
            #"{"request": {"urlPath": "\#(path)", "bodyPatterns": [\#(matcher)]}, "response": {}}"#
        }
        let files: KeyValuePairs = [
            "json.stub.json": stub("/json", #"{"equalToJson": {"a": 1}}"#),
            "plain.stub.json": stub("/plain", #"{"binaryEqualTo": "\#(Base64.text(of: plain))"}"#),
            "coded.stub.json": stub("/coded", #"{"binaryEqualTo": "\#(Base64.text(of: coded))"}"#),
            "digest.stub.json": stub("/digest", #"{"sha256": "\#(SHA256.text(of: coded))"}"#),
        ]
        try await TestServer.serving(files) { server throws in
            let line = "Content-Encoding: \(coding.rawValue)"
            for path in ["/json", "/plain", "/coded", "/digest"] {
                #expect(try post(server, path, [line], coded).status == 200, "\(path)")
            }
            #expect(try post(server, "/json", [], coded).status == 404)
            #expect(try post(server, "/coded", [], coded).status == 200)
            #expect(try post(server, "/coded", [], plain).status == 404)
            // A pattern of the admin API is WireMock's, which knows gzip without a line, too.
            let pattern = #"{"bodyPatterns": [{"equalToJson": {"a": 1}}]}"#
            let count = try server.request("POST", "/__admin/requests/count", body: pattern)
            #expect(try JSONParser.parse(count.body)["count"]?.number?.integer == (coding == .gzip ? 7 : 5))
        }
    }

    @Test func `variables of a path stay percent-encoded, and segments do not`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            #expect(try server.get("/p/a%20b").text == "a%20b a b")
            #expect(try server.get("/ignored").status == 200)
        }
    }

    @Test func `basicAuth takes the place of a matcher of Authorization`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            #expect(try server.get("/basic", "Authorization: Basic dTpw").status == 200)
            #expect(try server.get("/basic", "Authorization: x").status == 404)
        }
    }

    @Test func `a pattern is Java's`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            #expect(try server.get("/ac?q=1").text == "java")
            #expect(try server.get("/ab?q=1").status == 404)
        }
    }

    @Test(
        arguments: [
            (#"{"customMatcher": {"name": "x"}}"#, "\"customMatcher\" is code"),
            (#"{"headers": {"A": {"before": "14/06/2021"}}}"#, "the date is broken"),
            (#"{"bodyPatterns": [{"matchesJsonPath": "$.["}]}"#, "the JSON path is broken"),
            (#"{"bodyPatterns": [{"matchesXPath": "//["}]}"#, "the XPath is broken"),
            (#"{"headers": {"A": {"hasExactly": []}}}"#, "an empty \"hasExactly\""),
        ])
    func `what cannot be asked matches nothing, with a warning, and the rest is served`(
        request: String, warning: String
    ) async throws {
        let files: KeyValuePairs = [
            "mappings/a.json": #"{"mappings": [{"request": \#(request)}, {"request": {"urlPath": "/b"}}]}"#
        ]
        try await TestServer.serving(files) { server throws in
            #expect(try server.get("/b", "A: 2021-06-14T00:00:00Z").status == 200)
            #expect(try server.get("/c", "A: 2021-06-14T00:00:00Z").status == 404)
            #expect(server.server.fixtures.findings.contains { $0.description.contains(warning) })
            #expect(try server.request("POST", "/__admin/mappings", body: #"{"request": \#(request)}"#).status == 201)
        }
    }

    @Test func `XML that cannot be read is refused`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            let mapping = #"{"request": {"bodyPatterns": [{"equalToXml": "(wrong)"}]}}"#
            let response = try server.request("POST", "/__admin/mappings", body: mapping)
            #expect(response.status == 422)
            #expect(response.text.contains("the XML is broken at its line 1, column 1"), "\(response.text)")
            #expect(response.text.contains(#""pointer": "/request/bodyPatterns/0""#), "\(response.text)")
        }
    }

    @Test(
        arguments: [
            #"{"scheme": "HTTP"}"#, #"{"urlPathTemplate": "/{x}", "pathParameters": {"y": {"absent": true}}}"#,
            #"{"headers": {"A": {"before": "now", "expectedOffset": 1, "expectedOffsetUnit": "DAYS"}}}"#,
            #"{"bodyPatterns": [{"equalToJson": "{'a': 1}"}]}"#, #"{"method": "POST", "method": "ANY"}"#,
            #"{"bodyPatterns": [{"equalToJson": "{\"a\": \"${json-unit.matches:x}\"}"}]}"#,
        ])
    func `a mapping that WireMock takes is taken`(request: String) async throws {
        try await TestServer.serving(Self.files) { server throws in
            let stub = #"{"request": \#(request), "response": {"fixedDelayMilliseconds": -1}} behind"#
            let response = try server.request("POST", "/__admin/mappings", body: stub)
            #expect(response.status == 201, "\(response.text)")
        }
    }
}
