// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Patterns, templates, schemas, paths and parts by which users of others have seen a server work for nobody, and heads that proxies have passed
/// on: each is named by its tracker, and made small.
@Suite(.supervised) struct ReportedWorkTests {
    /// A stub that is added to a running server, a request to it, and the beginnings of status and text of which one has to come.
    struct Situation: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let stub: String
        var fields: [String] = []
        var body: String
        let responses: [String]

        /// - Parameter request: the members of the stub's request beside method and path.
        init(_ report: String, _ request: String, _ fields: [String] = [], body: String, _ responses: String...) {
            testDescription = report
            stub = #"{"request": {"method": "POST", "urlPath": "/x", \#(request)}, "response": {"body": "met"}}"#
            (self.fields, self.body, self.responses) = (fields, body, responses)
        }

        /// Adds the stub to a server, sends the request, and asks for something plain.
        func play() async throws {
            let plain = #"{"request": {"urlPath": "/plain"}, "response": {"body": "plain"}}"#
            try await TestServer.serving(stub: plain) { server throws in
                let added = try server.request("POST", "/__admin/mappings", body: stub)
                #expect(added.status == 201, "\(added.text)")
                let response = try server.request("POST", "/x", fields, body: body)
                let told = response.status == 500 ? response.text : "\(response.status) \(response.text)"
                #expect(responses.contains { told.hasPrefix($0) }, "\(told.prefix(300))")
                #expect(try server.get("/plain").text == "plain")
            }
        }

        /// - Parameter template: the body of the response.
        init(_ report: String, template: String, body: String = "", _ responses: String...) {
            testDescription = report
            let text = String(decoding: JSONWriter.compact(.string(template)), as: UTF8.self)
            stub =
                #"{"request": {"method": "POST", "urlPath": "/x"}, "response": {"body": \#(text), "transformers": ["response-template"]}}"#
            (self.body, self.responses) = (body, responses)
        }
    }

    private static func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    private static func matches(_ pattern: String) -> String {
        let text = String(decoding: JSONWriter.compact(.string(pattern)), as: UTF8.self)
        return #""bodyPatterns": [{"matches": \#(text)}]"#
    }
    private static func schema(_ schema: String) -> String { #""bodyPatterns": [{"matchesJsonSchema": \#(schema)}]"# }
    private static func xpath(_ path: String) -> String { #""bodyPatterns": [{"matchesXPath": "\#(path)"}]"# }

    private static let patterns = [
        Situation("learn-regex#111", matches("^[01]([-]*[01]+)*$"), body: times("10", 4_000) + "&", "404"),
        Situation("syntax#127", matches(#"'(\\.|[^'\\])*'"#), body: times("\u{1}\\\u{1}\\'", 40_000), "404"),
        Situation(
            "itop-jb-mail-to-ticket-automation-v2#274", matches(#"^(\s|){1,}=\?([^?]+)\?(.*)\?="#),
            body: times(" ", 100_000) + "=?x", "404"),
        Situation(
            "oak#700", #""headers": {"X": {"matches": "\\s*,\\s*x"}}"#, ["X: a" + times(" ", 40_000) + "b"], body: "1",
            "404"),
    ]

    private static let templates = [
        Situation("liquid#1563", template: "{{#each (range 1 100000)}}{{/each}}done", "200 done"),
        Situation(
            "liquidjs#250", template: times("{{#each (range 1 100000)}}", 5) + times("{{/each}}", 5),
            "500: the template of the body cannot be rendered: line 1, column "),
        Situation(
            "jinja#1691", template: times("{{#each (range 1 100000)}}\n  ", 3) + "..." + times("{{/each}}", 3),
            "500: the template of the body cannot be rendered: line "),
        Situation(
            "coze-loop#491", template: "{{#each (range 1 10000000)}}{{#each (range 1 100000)}}DoS{{/each}}{{/each}}",
            "500: the template of the body cannot be rendered: line 1, column "),
        Situation(
            "RuView#1083", template: "{{#each (range 1 5000)}}{{#each (range 1 5000)}}xxxx{{/each}}{{/each}}",
            "500: the template of the body cannot be rendered: line 1, column "),
        Situation(
            "Liqp#29",
            template: "{{#each (range 1 90)}}{{#each (range 1 90)}}{{ljust 'x' size=100000}}{{/each}}{{/each}}",
            "500: the template of the body cannot be rendered: line 1, column "),
    ]

    /// References that double from level to level.
    private static func laughs(_ levels: Int) -> String {
        let steps = (0..<levels).map { level in
            let next = ##"{"$ref": "#/$defs/l\##(level + 1)"}"##
            return #""l\#(level)": {"allOf": [\#(next), \#(next)]}"#
        }
        let all = steps.joined(separator: ",")
        return ##"{"$ref": "#/$defs/l0", "$defs": {\##(all), "l\##(levels)": {"type": "string"}}}"##
    }

    private static let schemas = [
        Situation("json-schema-spec#315", schema(laughs(40)), body: #""laugh""#, "404"),
        Situation("openai-agents-python#3838", schema(laughs(30)), body: "{}", "404"),
        Situation(
            "json-schema-validator#1276",
            schema(
                ##"{"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/n"}, "minItems": 0}, {"type": "array", "items": {"$ref": "#/$defs/n"}, "maxItems": 99}]}}}"##
            ),
            body: times("[", 60) + "\"x\"" + times("]", 60), "404"),
        Situation(
            "php-sdk#436", schema(times(#"{"anyOf": [{"type": "null"}, "#, 60) + "false" + times("]}", 60)), body: "1",
            "404"),
    ]

    private static let deep = times("[", 400) + times("]", 400)
    private static let deepOthers = times(times("[", 400) + "1" + times("]", 400) + ",", 200)
    private static func rows(_ row: String, _ count: Int) -> String { "<r>" + times(row, count) + "</r>" }

    private static let documents = [
        Situation(
            "Meziantou.Framework#2266", #""bodyPatterns": [{"matchesJsonPath": "$.arr[?(@ == $.x)]"}]"#,
            body: #"{"x": \#(deep), "arr": [\#(deepOthers)1]}"#, "404"),
        Situation(
            "dart-xml#191", xpath("//item[value = 'none']/name"),
            body: rows("<item><name>a</name><value>1</value></item>", 10_000), "404"),
        Situation("cpython#152674", xpath("//item[last()][. = 'q']"), body: rows("<item/>", 30_000), "404"),
        Situation(
            "nokogiri#1861", xpath("//table//*[contains(concat(' ', normalize-space(@class), ' '), ' elem_100 ')]"),
            body: times("<table class='a b'>", 200) + times("<tr class=' elem_1 '/>", 5_000) + times("</table>", 200),
            "404"),
        Situation(
            "oga#88", xpath("//country/field[@ref='f2004']"),
            body: rows("<country><field ref='f1'/></country>", 20_000), "404"),
    ]

    private static let form = "Content-Type: multipart/form-data; boundary=B"
    private static func part(_ lines: String) -> String { "--B\r\n\(lines)\r\n\r\n1\r\n" }
    private static let named = #""multipartPatterns": [{"name": "none"}]"#

    private static let bodies = [
        Situation("busboy#265", named, [form], body: times(part(times("no colon here ", 5_700)), 40) + "--B--", "404"),
        Situation("python-multipart#267", named, [form], body: "--B\r\n" + times("a: b\r\n", 300_000), "404"),
        Situation("cpp-httplib#2497", named, [form], body: part(times("X: 1\r\n", 200_000) + "Y: 2") + "--B--", "404"),
        Situation(
            "tornado#3554", named, [form],
            body: part("Content-Disposition: form-data; name=\"" + times("\\\";", 200_000)) + "--B--", "200 met"),
        Situation(
            "ModSecurity#265", named, [form],
            body: times(part("Content-Disposition: form-data; name=a; filename=f"), 20_000) + "--B--", "404"),
        Situation(
            "yalantinglibs#1220", #""formParameters": {"a": {"equalTo": "2"}}"#,
            ["Content-Type: application/x-www-form-urlencoded"],
            body: (0..<100_000).map { "f\($0)=1" }.joined(separator: "&"), "404"),
    ]

    @Test(arguments: patterns + templates + schemas + documents + bodies)
    func `what costs others a core is answered, and others are`(situation: Situation) async throws {
        try await situation.play()
    }

    @Test(arguments: [
        ("tinyproxy#623", "Content-Length: 5\r\nContent-Length : 50"),
        ("cherrypy#1811", "Transfer-Encoding : chunked\r\nContent-Length: 22"),
        ("caddy#2777", "Transfer-Encoding\t: chunked\r\nContent-Length: 18"),
    ])
    func `white space in front of a colon is refused`(report: String, fields: String) async throws {
        try await TestServer.serving(stub: #"{"response": {}}"#) { server throws in
            let client = try server.connect()
            let inside = "0\r\n\r\nGET /inside HTTP/1.1\r\nHost: a\r\n\r\n"
            try client.send("POST /x HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(inside)")
            #expect(try client.response().status == 400, "\(report)")
            #expect(throws: WireError.self, "\(report)") { _ = try client.response() }
            #expect(!server.journal.entries.contains { $0.target == "/inside" }, "\(report)")
        }
    }

    @Test(arguments: [("hyper#4008", 60_000), ("pekko-http#1195", 200_000)])
    func `a body of chunks of one byte is read, whatever their number`(report: String, count: Int) async throws {
        let stub = #"{"request": {"bodyPatterns": [{"equalTo": "none"}]}, "response": {}}"#
        try await TestServer.serving(stub: stub) { server throws in
            let client = try server.connect()
            try client.send("POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<(count / 10_000) { try client.send(Self.times("1\r\na\r\n", 10_000)) }
            try client.send("0\r\n\r\n")
            #expect(try client.response().status == 404, "\(report)")
            #expect(server.journal.entries.map(\.bodySize) == [count])
        }
    }
}
