// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// Documents, queries and links by which users of parsers, validators, comparers and watchers have seen these take minutes or never end: each is
/// named by its tracker, and made small.
@Suite(.supervised) struct ReportedDocumentTests {
    private typealias Situation = ReportedWorkTests.Situation

    private static func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    private static func quoted(_ text: String) -> String {
        String(decoding: JSONWriter.compact(.string(text)), as: UTF8.self)
    }
    private static func body(_ matcher: String, _ text: String, _ more: String = "") -> String {
        #""bodyPatterns": [{"\#(matcher)": \#(quoted(text))\#(more)}]"#
    }
    private static func rows(_ row: String, _ count: Int) -> String { "<r>\(times(row, count))</r>" }

    /// Namespaces of an element.
    private static func namespaces(_ count: Int) -> String {
        (0..<count).map { "xmlns:n\($0)='u\($0)'" }.joined(separator: " ")
    }
    private static let members =
        "<m>" + (0..<20).map { "<role><name>\($0)</name><right>r</right></role>" }.joined() + "</m>"
    private static let reversed =
        "<m>" + (0..<20).reversed().map { "<role><name>\($0)</name><right>r</right></role>" }.joined() + "</m>"

    private static let markup = [
        Situation(
            "quick-xml#980", body("matchesXPath", "//q"),
            body: times("<a \(namespaces(900))>", 40) + times("<b/>", 20_000) + times("</a>", 40), "404"),
        Situation("roxmltree#153", body("matchesXPath", "/r"), body: "<r \(namespaces(40_000))/>", "404"),
        Situation(
            "node-soap#1322", body("matchesXPath", "count(//n7:a) = 10000"),
            body: "<r \(namespaces(200))>" + times("<n7:a n3:b='1'/>", 10_000) + "</r>", "200 met"),
        Situation(
            "tixi#237", body("matchesXPath", "//*[not(. = ../../@*|preceding::*/@*)][. = 'none']"),
            body: rows("<a b='1'>2</a>", 20_000), "404"),
        Situation(
            "xmlunit#236", body("equalToXml", rows("<a>1</a>", 45_000)), body: rows("<a>1</a>", 45_000), "200 met"),
        Situation(
            "xmlunit#262", body("equalToXml", "<r>\(times(members, 30))</r>", #", "ignoreOrderOfSameNode": true"#),
            body: "<r>\(times(reversed, 30))</r>", "200 met"),
        Situation(
            "typecho#1648", body("matchesXPath", "//m"),
            body: "<!DOCTYPE l [<!ENTITY p \"\(times("a", 50_000))\">]><m>\(times("&p;", 50_000))</m>", "404"),
    ]

    private static let schemas = [
        Situation(
            "santhosh-tekuri/jsonschema#121", #""bodyPatterns": [{"matchesJsonSchema": {"uniqueItems": true}}]"#,
            body: "[" + (0..<30_000).map { #"{"name": "n\#($0)", "price": \#($0)}"# }.joined(separator: ",")
                + #", {"price": 0, "name": "n0"}]"#,
            "404"),
        Situation(
            "jsonrainbow/json-schema#332",
            #""bodyPatterns": [{"matchesJsonSchema": {"type": "array", "items": {"type": "string"}}}]"#,
            body: "[" + times("\"a\",", 100_000) + "\"a\"]", "200 met"),
        Situation(
            "RedisJSON#968", body("matchesJsonPath", "$..[?(@ >= 2)]"),
            body: times("[", 300) + times("1,", 50_000) + "1" + times("]", 300), "404"),
    ]

    private static func query(_ text: String) -> String { #"{"query": \#(quoted(text))}"# }
    private static let asked = body("graphqlQuery", "{a}")

    private static let queries = [
        Situation(
            "graphql-ruby#620", asked,
            body: query("query {...f} fragment f on Query {__typename} fragment f on Query {...f}"), "404"),
        Situation("agoo#109", asked, body: query("{...A} fragment A on S {b ...B} fragment B on S {...A}"), "404"),
        Situation(
            "fxa#6876", asked,
            body: query(
                "{" + (0..<2_000).map { "a\($0): devices {...D}" }.joined(separator: " ")
                    + "} fragment D on Device {id tabs {id}}"), "404"),
    ]

    private static let letters = (0..<26).map { "(?:/\(Character(UnicodeScalar(UInt8(97 + $0)))))?" }.joined()

    private static let patterns = [
        Situation(
            "fresh#28", #""headers": {"X": {"matches": ".*x *, *y"}}"#, ["X: " + times(" ", 50_000) + ","], body: "1",
            "404"),
        Situation(
            "suspicious_login#726", #""headers": {"X": {"before": "2030-01-01T00:00:00Z"}}"#,
            ["X: " + times("(", 50_000)], body: "1", "404"),
        Situation("PCRE2Plus#2", body("matches", "^(.)*$"), body: times("X", 20_000), "200 met"),
        Situation("fancy-regex#134", body("matches", "(a|b|ab)*(?=c)"), body: times("ab", 100_000) + "c", "404"),
        Situation(
            "path-to-regexp#419", body("matches", "(?:" + letters + "){9}z"), body: times("/a/b/c/d/e/f/g/h", 2_000),
            "404"),
        Situation(
            "haystack#9402", template: "{{#each (range 1 25000)}}{{#each (range 1 25000)}}x{{/each}}{{/each}}",
            "500: the template of the body cannot be rendered: line 1, column "),
    ]

    @Test(arguments: markup + schemas + queries + patterns)
    func `a situation that takes others minutes gets its response, and so do other requests`(
        situation: ReportedWorkTests.Situation
    ) async throws {
        try await situation.play()
    }

    @Test(arguments: [
        ("chokidar#56", [("a/b/up", "../..")]), ("directory-watcher#28", [("a/link", "../a")]),
        ("LightTable#658", [("a/b/back", "../b")]),
        ("fsnotify#96", [("a/self", ".")]), ("brick#251", [("foo", "foo"), ("a/foo", "bar"), ("a/bar", "foo")]),
        ("node-inspector#565", [("a/b/name", "../.."), ("a/b/other", "../../a")]),
    ])
    func `links that lead in circles are walked once`(report: String, links: [(name: String, target: String)])
        async throws
    {
        let files: KeyValuePairs = [
            "x.stub.json": #"{"request": {"urlPath": "/x"}, "response": {"body": "x"}}"#, "a/a.txt": "a",
            "a/b/b.txt": "b",
        ]
        try await TestServer.serving(files) { server throws in
            for link in links { try server.directory.link(link.name, to: link.target) }
            try server.reload()
            #expect(server.server.stubs.count == 1, "\(report)")
            for (path, text) in [("/x", "x"), ("/a/a.txt", "a"), ("/a/b/b.txt", "b")] {
                #expect(try server.get(path).text == text, "\(report)")
            }
        }
    }
}
