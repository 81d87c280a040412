// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The matchers in code, each of which says what a stub file can.
@Suite(.supervised) struct RequestMatchTests {
    struct Example: CustomTestStringConvertible, Sendable {
        let match: RequestMatch
        /// The request as a line, its fields and its content, one that matches and one that does not.
        let yes: [String]
        let no: [String]

        init(_ match: RequestMatch, _ yes: [String], _ no: [String]) {
            self.match = match
            self.yes = yes
            self.no = no
        }

        var testDescription: String { match.description }
    }

    static let examples: [Example] = [
        Example(.get("/a").header("X", .equalTo("A", ignoringCase: true)), ["GET /a", "X: a"], ["GET /a", "X: b"]),
        Example(.get("/a").header("X", .doesNotContain("b")), ["GET /a"], ["GET /a", "X: abc"]),
        Example(.get("/a").header("X", .doesNotMatch("a+")), ["GET /a", "X: ab"], ["GET /a", "X: aa"]),
        Example(.get("/a").header("X", .matches("a+", ignoringCase: true)), ["GET /a", "X: aA"], ["GET /a", "X: ab"]),
        Example(
            .get("/a").header("X", .all(of: .contains("a"), .contains("b"))), ["GET /a", "X: ab"], ["GET /a", "X: a"]),
        Example(.get("/a").header("X", .any(of: "a", "b")), ["GET /a", "X: b"], ["GET /a", "X: c"]),
        Example(.get("/a").header("X", .not("a")), ["GET /a", "X: b"], ["GET /a", "X: a"]),
        Example(.get("/a").query("n", .hasExactly("1", "2")), ["GET /a?n=2&n=1"], ["GET /a?n=1&n=2&n=3"]),
        Example(.get("/a").query("n", .includes("1")), ["GET /a?n=3&n=1"], ["GET /a?n=3"]),
        Example(.get("/a").query("n", "1").noOtherQuery(), ["GET /a?n=1"], ["GET /a?n=1&m=2"]),
        Example(.url("/a?n=%31"), ["GET /a?n=%31"], ["GET /a?n=1"]),
        Example(.url(matching: "/a\\?n=\\d+", method: "GET"), ["GET /a?n=12"], ["POST /a?n=12"]),
        Example(.path(matching: "/[ab]"), ["PURGE /b?x"], ["GET /c"]),
        Example(.anyURL("POST"), ["POST /x"], ["GET /x"]),
        Example(.get("/files/**"), ["GET /files/a/b"], ["GET /file"]),
        Example(.get("/{id}/x").pathParameter("id", .matches("\\d+")), ["GET /12/x"], ["GET /ab/x"]),
        Example(.get("/a").host("api.test"), ["GET /a", "Host: api.test:80"], ["GET /a", "Host: other.test"]),
        Example(
            .get("/a").cookie("s", "1").cookie("t", .present), ["GET /a", "Cookie: t=2; s=1"],
            ["GET /a", "Cookie: s=1"]),
        Example(
            .get("/a").basicAuth("ann", "pw"), ["GET /a", "Authorization: Basic YW5uOnB3"],
            ["GET /a", "Authorization: Basic YW5uOnB4"]),
        Example(.post("/a").body(.equalTo(bytes: [0x61, 0x62])), ["POST /a", "", "ab"], ["POST /a", "", "abc"]),
        Example(
            .post("/a").body(.equalToJSON("[1,2]", ignoringArrayOrder: true)), ["POST /a", "", "[2, 1.0]"],
            ["POST /a", "", "[2]"]),
        Example(
            .post("/a").body(.equalToJSON(#"{"a": "${json-unit.any-string}"}"#, ignoringExtraElements: true)),
            ["POST /a", "", #"{"a": "x", "b": 1}"#], ["POST /a", "", #"{"a": 1}"#]),
        Example(.post("/a").body(.contains("a")).body(.contains("b")), ["POST /a", "", "ab"], ["POST /a", "", "a"]),
        Example(.any("/a").header("X", .absent), ["GET /a"], ["GET /a", "X: 1"]),
        Example(
            .post("/a").form("n", "a b").form("m", .matches("\\d")),
            ["POST /a", "Content-Type: application/x-www-form-urlencoded", "", "m=1&n=a+b"],
            ["POST /a", "", "m=1&n=a+b"]),
        Example(
            .post("/a").part(.part("f").fileName("n.txt").header("Content-Type", .contains("text")).body("1")),
            ["POST /a", "Content-Type: multipart/form-data; boundary=b", "", parts("n.txt")],
            ["POST /a", "Content-Type: multipart/form-data; boundary=b", "", parts("m.txt")]),
        Example(
            .post("/a").part(.everyPart().body("1")),
            ["POST /a", "Content-Type: multipart/form-data; boundary=b", "", parts("n.txt")], ["POST /a", "", "1"]),
        Example(.get("/a").port(8123), ["GET /a", "Host: localhost:8123"], ["GET /a", "Host: localhost:8124"]),
        Example(.get("/a").scheme("http"), ["GET /a"], ["GET /b"]),
        Example(
            .get("/a").clientIP(.any(of: "127.0.0.1", "::1")), ["GET /a"], ["GET /a", "X-Forwarded-For: 192.0.2.1"]),
        Example(.get("/a").header("X", .equalTo(number: 1)), ["GET /a", "X: 1.0"], ["GET /a", "X: 1.1"]),
        Example(.get("/a").header("X", .greaterThan(1)), ["GET /a", "X: 1.01"], ["GET /a", "X: 1"]),
        Example(.get("/a").header("X", .atLeast(1)), ["GET /a", "X: 1"], ["GET /a", "X: 0.9"]),
        Example(.get("/a").header("X", .lessThan(1)), ["GET /a", "X: -2"], ["GET /a", "X: 1"]),
        Example(.get("/a").header("X", .atMost(1)), ["GET /a", "X: 1"], ["GET /a", "X: one"]),
        Example(
            .get("/a").header("X", .matchesPathTemplate("/b/{id}")), ["GET /a", "X: /b/1"], ["GET /a", "X: /b/1/2"]),
        Example(.get("/a").header("X", .anything), ["GET /a"], ["GET /b"]),
        Example(
            .get("/a").header("X", .before("now +3 days")), ["GET /a", "X: 2020-01-01T00:00:00Z"],
            ["GET /a", "X: 9000-01-01T00:00:00Z"]),
        Example(
            .get("/a").header(
                "X",
                .after(
                    "2026-01-15T10:00:00Z",
                    .init(
                        format: "dd/MM/yyyy", offset: (1, "days"), truncateExpected: "first day of month",
                        truncatesLast: true))),
            ["GET /a", "X: 02/01/2026"], ["GET /a", "X: 31/12/2025"]),
        Example(
            .get("/a").header(
                "X", .equalToDateTime("2026-01-01T00:00:00Z", .init(truncateActual: "first day of month"))),
            ["GET /a", "X: 2026-01-15T10:00:00Z"], ["GET /a", "X: 2026-02-15T10:00:00Z"]),
        Example(
            .post("/a").body(.sha256("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")),
            ["POST /a", "", "abc"], ["POST /a", "", "abd"]),
        Example(
            .post("/a").body(.matchesJSONPath("$.a")), ["POST /a", "", #"{"a":0}"#], ["POST /a", "", #"{"a":[]}"#]),
        Example(
            .post("/a").body(.matchesJSONPath("$.a[*].b", "x")), ["POST /a", "", #"{"a":[{"b":1},{"b":"x"}]}"#],
            ["POST /a", "", #"{"a":[{"b":1}]}"#]),
        Example(
            .post("/a").body(.matchesJSONSchema(#"{"required": ["a"]}"#, version: "V7")),
            ["POST /a", "", #"{"a":1}"#], ["POST /a", "", "{}"]),
        Example(
            .post("/a").body(.graphQL("{ a b }", operationName: "A", variables: #"{"n": 1}"#)),
            ["POST /a", "", #"{"query":"{b,a}","operationName":"A","variables":{"n":1.0}}"#],
            ["POST /a", "", #"{"query":"{b,a}","operationName":"B","variables":{"n":1.0}}"#]),
        Example(
            .post("/a").body(.matchesXPath("//s:b/text()", "x", namespaces: ["s": "urn:s"])),
            ["POST /a", "", #"<a xmlns:t="urn:s"><t:b>x</t:b></a>"#], ["POST /a", "", "<a><b>x</b></a>"]),
        Example(.post("/a").body(.matchesXPath("/a")), ["POST /a", "", "<a/>"], ["POST /a", "", "<b/>"]),
        Example(
            .post("/a").body(
                .equalToXML(
                    "<a><b>[[xmlunit.ignore]]</b><c>1</c></a>", placeholders: true, delimiters: ("\\[\\[", "]]"),
                    exempting: ["NAMESPACE_PREFIX"], ignoringOrderOfSameNode: true, namespaceAwareness: "LEGACY")),
            ["POST /a", "", "<a><b>x</b><c>1</c></a>"], ["POST /a", "", "<a><b>x</b><c>2</c></a>"]),
    ]

    private static func parts(_ fileName: String) -> String {
        "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\(fileName)\"\r\n"
            + "Content-Type: text/plain\r\n\r\n1\r\n--b--\r\n"
    }

    @Test(arguments: examples)
    func `a matcher in code matches as one of a stub file does`(_ example: Example) async throws {
        let server = try await MockServer.start(stubs: [example.match.respond(299)])
        let client = try WireClient(port: server.baseURL.port ?? 0)
        func status(_ lines: [String]) throws -> Int {
            let words = lines[0].split(separator: " ").map(String.init)
            let end = lines.firstIndex(of: "") ?? lines.endIndex
            let body = end < lines.endIndex ? lines[(end + 1)...].joined() : ""
            return try client.request(words[0], words[1], Array(lines[1..<end]), body: body).status
        }
        #expect(try status(example.yes) == 299)
        #expect(try status(example.no) != 299)
        // An expectation looks for requests with the same words.
        #expect(try server.journal.entries(matching: example.match).map(\.sequence) == [1])
        await server.stop()
    }

    @Test func `all that the format has can be said in code`() throws {
        func names(_ node: JSONNode) -> Set<String> {
            var found = Set((node.object?.members ?? []).map(\.name))
            let children = (node.object?.members.map(\.value) ?? []) + (node.array ?? [])
            for child in children { found.formUnion(names(child)) }
            return found
        }
        let said = Self.examples.reduce(into: Set<String>()) { $0.formUnion(names($1.match.node)) }
        let keys = [
            "method", "url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate", "pathParameters", "host",
            "queryParameters", "otherQueryParameters", "headers", "cookies", "basicAuthCredentials", "bodyPatterns",
            "equalTo", "caseInsensitive", "contains", "doesNotContain", "matches", "doesNotMatch", "absent",
            "equalToJson", "ignoreArrayOrder", "ignoreExtraElements", "and", "or", "not", "hasExactly", "includes",
            "binaryEqualTo", "formParameters", "multipartPatterns", "port", "scheme", "clientIp", "anything",
            "matchesJsonPath", "matchesJsonSchema", "schemaVersion", "equalToXml", "enablePlaceholders",
            "placeholderOpeningDelimiterRegex", "placeholderClosingDelimiterRegex", "exemptedComparisons",
            "ignoreOrderOfSameNode", "namespaceAwareness", "matchesXPath", "xPathNamespaces", "before", "after",
            "equalToDateTime", "actualFormat", "expectedOffset", "expectedOffsetUnit", "truncateExpected",
            "truncateActual", "applyTruncationLast", "matchesPathTemplate", "equalToNumber", "greaterThanNumber",
            "greaterThanEqualNumber", "lessThanNumber", "lessThanEqualNumber", "graphqlQuery", "operationName",
            "variables", "matchingType", "matchesIgnoringCase", "sha256", "name", "fileName", "expression",
        ]
        #expect(keys.filter { !said.contains($0) } == [])
        // Whatever the format has is in this list, or is WireMock's or yet to come; code reads files itself.
        let elsewhere = ["$schema", "id", "name", "metadata"] + FileMatcher.allCases.map(\.rawValue)
        let definitions = FixtureSchema.node["$defs"]
        for definition in ["request", "matcher", "multiMatcher", "bodyMatcher", "multipart", "expression"] {
            let properties = definitions?[definition]?["properties"]?.object?.members.map(\.name) ?? []
            #expect(!properties.isEmpty)
            #expect(
                properties.filter { !keys.contains($0) && !elsewhere.contains($0) } == [])
        }
    }
}
