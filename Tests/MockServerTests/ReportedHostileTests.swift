// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiContentCodings
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import MockapiYAMLText
import Testing

/// Inputs by which users of matchers, template engines, parsers and proxies have seen those hang or run out of memory: each is named by its
/// tracker.
@Suite(.supervised) struct ReportedHostileTests {
    /// A stub that is added to a running server, a request to it, and what is answered.
    struct Situation: CustomTestStringConvertible {
        let report: String
        let stub: String
        var fields: [String] = []
        let body: String
        let answers: [String]
        var testDescription: String { report }

        /// - Parameters:
        ///   - request: the members of the stub's request beside method and path.
        ///   - answers: beginnings of status and text, of which one has to be answered.
        init(_ report: String, _ request: String, _ fields: [String] = [], body: String, _ answers: String...) {
            self.report = report
            stub = #"{"request": {"method": "POST", "urlPath": "/x", \#(request)}, "response": {"body": "met"}}"#
            (self.fields, self.body, self.answers) = (fields, body, answers)
        }

        /// - Parameter template: the body of the response.
        init(_ report: String, template: String, body: String = "", _ answers: String...) {
            self.report = report
            let text = String(decoding: JSONWriter.compact(.string(template)), as: UTF8.self)
            stub =
                #"{"request": {"method": "POST", "urlPath": "/x"}, "response": {"body": \#(text), "transformers": ["response-template"]}}"#
            (self.body, self.answers) = (body, answers)
        }
    }

    private static func body(_ pattern: String) -> String { #""bodyPatterns": [\#(pattern)]"# }
    private static func matches(_ pattern: String) -> String { body(#"{"matches": "\#(pattern)"}"#) }
    private static func path(_ path: String) -> String { body(#"{"matchesJsonPath": "\#(path)"}"#) }
    private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }
    private static func nested(_ open: String, _ core: String, _ close: String, _ depth: Int) -> String {
        String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
    }

    static let patterns = [
        Situation(
            "dotCMS/core#25147", matches(#"([a-z0-9\\-]*)*?$"#),
            body: String(repeating: "ab", count: 4_000) + " a", "404"),
        Situation(
            "ajv#2248", body(#"{"matchesJsonSchema": {"pattern": "^(([a-z0-9.-]+)(,|,\\s)?)+$"}}"#),
            body: #""xn-b1afk4ade4e.xnb1ab2a0a.xnb1aew.xn-p1ai/info-service.htm?sid=2000""#, "404"),
        Situation(
            "ajv#2586", body(#"{"matchesJsonSchema": {"properties": {"value": {"pattern": "^(a|a)*$"}}}}"#),
            body: #"{"value": "\#(a(5_000))X"}"#, "404"),
        Situation(
            "joi#3119", #""headers": {"X": {"matches": "((a+)+)+$"}}"#, ["X: \(a(6_000))!"], body: "1", "404"),
        Situation("NeMo-Guardrails#2271", matches("(a|aa)+$"), body: a(40_000) + "b", "404"),
        Situation(
            "ajv#623", body(#"{"matchesJsonSchema": {"uniqueItems": true}}"#),
            body: "[\((0..<160_000).map(String.init).joined(separator: ","))]", "200 met"),
        Situation(
            "WireMock.Net#1159", #""headers": {"X": {"matches": "HTTP/(\\d+)(\\.\\d+)*x"}}"#,
            ["X: HTTP/\(String(repeating: "1", count: 8_000))"], body: "1", "404"),
    ]

    static let paths = [
        Situation(
            "draft-ietf-jsonpath-base#25", path(nested("$[?(@==", "'b'", ")]", 11)),
            body: "[\((0..<2_000).map { #""\#($0)""# }.joined(separator: ","))]", "404", "422"),
        Situation(
            "draft-ietf-jsonpath-base#14", path("$" + String(repeating: "[?($)]", count: 200)), body: "[[[[1]]]]",
            "404", "200", "422"),
        Situation("JsonPath#892", path("$" + String(repeating: ".*", count: 5_000)), body: "[[1]]", "404"),
        Situation("symfony#65029, not", path("$[?\(String(repeating: "!", count: 15_000))@.a]"), body: "[1]", "422"),
        Situation(
            "symfony#65029, and", path("$[?@.a\(String(repeating: "&&@.a", count: 2_500))]"), body: #"[{"a": 1}]"#,
            "200 met"),
        Situation(
            "neo#2665", path("$" + String(repeating: "[0,0,0,0,0,0,0,0]", count: 10)),
            body: nested("[", "1", "]", 10), "404"),
        Situation("jansson#282", body(#"{"equalToJson": [1]}"#), body: nested("[", "", "", 100_000), "404"),
        Situation("ponyc#5557", path("$..foo"), body: nested("[", "", "]", 100_000), "404"),
        Situation(
            "MapServer#7542", body(#"{"equalToJson": {"op": "and", "args": []}, "ignoreExtraElements": true}"#),
            body: nested(#"{"op":"and","args":[true,"#, "true", "]}", 1_600), "404"),
        Situation(
            "minimal-json#61", body(##"{"matchesJsonSchema": {"$ref": "#"}}"##),
            body: nested(#"{"a":"#, "1", "}", 4_000), "404", "422"),
    ]

    static let templates = [
        Situation(
            "ollama#17035", template: "{{#each (range 1 100000000000)}}{{/each}}",
            "500: the template of the body cannot be rendered: line 1, column 1: the template takes more than 1,000,000 steps"
        ),
        Situation(
            "minijinja#924", template: "{{ljust '-' size=10000000000}}",
            "500: the template of the body cannot be rendered: line 1, column 1: the template makes more than 16 MiB"),
        Situation(
            "jinja#2149", template: "{{#each (range 1 100000)}}{{center 'A' size=1000000}}{{/each}}",
            "500: the template of the body cannot be rendered: line 1, column 27: the template "),
        Situation(
            "handlebars.js#1156",
            template: "{{{{regular}}}} {{{{ expressions }}}} {{{{/expressions}}}} {{{{/  regular}}}}", "422", "200",
            "500"),
        Situation(
            "benchpressjs#28", template: "{{#nothing.is.defined 1 2}}{{/nothing.is.defined}}",
            "500: the template is broken at line 1, column 1: there is no helper \"nothing.is.defined\""),
        Situation(
            "helm-playground#19", template: "{{> self}}",
            "500: the template is broken at line 1, column 1: partials and decorators are not supported"),
        Situation(
            "js-yaml#738",
            template: "{{assign 'a' (array 1 2 3 4)}}" + String(repeating: "{{assign 'a' (array a a)}}", count: 20)
                + "{{toJson a}}",
            "500: the template of the body cannot be rendered: line 1, column 447: the template takes more than 1,000,000 steps"
        ),
    ]

    @Test(arguments: patterns + paths + templates)
    func `what runs away elsewhere is answered, and others are`(situation: Situation) async throws {
        let plain = #"{"request": {"urlPath": "/plain"}, "response": {"body": "plain"}}"#
        try await TestServer.serving(stub: plain) { server throws in
            let added = try server.request("POST", "/__admin/mappings", body: situation.stub)
            #expect(added.status == 201 || added.status == 422, "\(added.text)")
            if added.status == 422 { #expect(situation.answers.contains("422"), "\(added.text)") }
            if added.status == 201 {
                let answer = try server.request("POST", "/x", situation.fields, body: situation.body)
                let told = answer.status == 500 ? answer.text : "\(answer.status) \(answer.text)"
                #expect(situation.answers.contains { told.hasPrefix($0) }, "\(told.prefix(300))")
            }
            #expect(try server.get("/plain").text == "plain")
        }
    }

    // MARK: Contents

    /// What answers a request with a body that is sent piece by piece, however soon that is.
    private static func answer(_ server: TestServer, _ head: String, _ pieces: Int, _ piece: String) throws -> Int {
        let client = try server.connect()
        try client.send("POST /x HTTP/1.1\r\nHost: localhost\r\n\(head)\r\n\r\n")
        // Sending fails where the server has refused and closed, and the response is there.
        for _ in 0..<pieces { guard (try? client.send(piece)) != nil else { break } }
        return try client.response().status
    }

    @Test(
        arguments: [
            ("bun#34504", "2;" + String(repeating: "e", count: 64 * 1024), 512),
            ("twisted#1563", "2;" + String(repeating: "e=\"", count: 40_000), 64),
            ("picohttpparser#81", "1;\(String(repeating: "e", count: 1_000))\r\nx\r\n", 4_000),
            ("nginx#1619", "1;a=\"\(String(repeating: " ", count: 900))\"\r\nx\r\n", 4_000),
            ("http-parser#33", "0\r\noverflow: " + String(repeating: "x", count: 64 * 1024), 512),
            ("bun#32887", "0\r\n" + String(repeating: "X: y\r\n", count: 20_000), 64),
        ].map { ($0.0, Long($0.1), $0.2) })
    func `what stands beside the content of chunks has a bound`(
        report: String, piece: Long<String>, pieces: Int
    ) async throws {
        try await TestServer.serving(stub: #"{"request": {"urlPath": "/x"}, "response": {}}"#) { server throws in
            let status = try Self.answer(server, "Transfer-Encoding: chunked", pieces, piece.value)
            #expect(status == 400 || status == 431, "\(report)")
            #expect(try server.get("/x").status == 200)
        }
    }

    @Test(arguments: [
        ("headroom#3284", "gzip"), ("HTTP-Message#206", "deflate"), ("docker-minecraft-server#4062", "br"),
        ("backdrop#360", "gzip"), ("compress#726", "zstd"),
    ])
    func `a request whose content stands for very many bytes is decoded so far and no further`(
        report: String, coding: String
    ) async throws {
        let bomb = try #require(ContentCoding(rawValue: coding)).encode(
            [UInt8](repeating: 0x61, count: 64 * 1024 * 1024))
        #expect(bomb.count < 128 * 1024)
        let stub =
            #"{"request": {"method": "POST", "urlPath": "/x", "bodyPatterns": [{"contains": "none"}]}, "response": {}}"#
        try await TestServer.serving(stub: stub) { server throws in
            let client = try server.connect()
            try client.send(
                Array(
                    "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: \(coding)\r\nContent-Length: \(bomb.count)\r\n\r\n"
                        .utf8)
                    + bomb)
            #expect(try client.response().status == 404, "\(report)")
        }
    }

    // MARK: Documents

    @Test(arguments: [
        ("pyyaml#235", 9, 9), ("js-yaml#742", 9, 8), ("glaze#2766", 8, 12), ("saphyr#109", 9, 10),
        ("OpenAPI.NET#3000", 2, 60),
    ])
    func `a document whose aliases stand for very many values is refused`(report: String, width: Int, depth: Int) throws
    {
        var lines = ["a0: &a0 [\"lol\"]"]
        for level in 1...depth {
            lines.append(
                "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: width).joined(separator: ","))]")
        }
        let text = Array((lines.joined(separator: "\n") + "\n").utf8)
        #expect(text.count < 4_096)
        #expect(throws: JSONError.self, "\(report)") { try YAMLParser.parse(text) }
    }

    @Test(arguments: [("go-jsonnet#870", "("), ("ds4#43", "["), ("json-swift#56", "[{\"\":")])
    func `a value that is nested without end is refused`(report: String, open: String) {
        let text = Array(String(repeating: open, count: 100_000).utf8)
        #expect(throws: JSONError.self, "\(report)") { try JSONParser.parse(text) }
        if open.hasPrefix("[") { #expect(throws: JSONError.self, "\(report)") { try YAMLParser.parse(text) } }
    }
}
