// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMatchingSupport
import MockapiStubMatching
import MockapiTestSupport
import Testing

/// The matchers as a stub file writes them: what they match, and what a miss says.
@Suite(.supervised) struct MatcherTests {
    static let clock = MatchClock { (1_767_225_600, 0) }

    static func index(_ requests: String..., dialect: FixtureSet.Dialect = .mockapi) throws -> StubIndex {
        let stubs = try requests.enumerated().map { number, request in
            let text = #"{"request": \#(request), "response": {}}"#
            let added = AddedStub(Array(text.utf8), label: "\(number).stub.json", number: 0, root: "")
            return try #require(added.stub, "\(added.findings)")
        }
        return StubIndex(FixtureSet(root: "/", dialect: dialect, stubs: stubs), clock: clock)
    }

    static func matches(
        _ request: String, _ body: String, type: String? = nil, dialect: FixtureSet.Dialect = .mockapi
    ) throws -> Bool {
        let headers = type.map { [("Content-Type", $0)] } ?? []
        let result = try index(request, dialect: dialect).match(
            .make("POST", "/a", headers: headers), body: Array(body.utf8), scratch: MatchScratch())
        return result.outcome == .stub(0)
    }

    static func miss(_ request: String, _ head: RequestHead, _ body: String = "") throws -> [String] {
        let misses = try index(request).nearMisses(for: head, body: Array(body.utf8), scratch: MatchScratch())
        return misses.first?.differences.map(\.text) ?? []
    }

    @Test(arguments: [
        ("\\\\S+", "caf\u{E9}", true), ("\\\\W", "\u{20AC}", true), ("\\\\D+", "\u{E9}\u{20AC}\u{1F600}", true),
        ("\\\\S+", "a b", false), ("[^x]", "\u{E9}", true),
    ])
    func `a class of a pattern takes characters of several bytes`(pattern: String, body: String, isMatch: Bool) throws {
        #expect(try Self.matches(Self.body(#"{"matches": "\#(pattern)"}"#), body) == isMatch)
    }

    @Test(arguments: [
        ("2021-01-01T00:00:00+01:00", true), ("2021-01-01T00:00:00.250+01:00", true), ("2021-01-01+01:00", false),
        ("2021-01-01T00%3A00:00+01:00", false), ("a+b", false), ("2021-01-01T00:00:00+0100", false),
    ])
    func `a plus in a date and time of a query is not a space`(value: String, isKept: Bool) throws {
        let plain = value.replacing("%3A", with: ":")
        for (text, isMatch) in [(plain, isKept), (plain.replacing("+", with: " "), !isKept)] {
            let index = try Self.index(#"{"queryParameters": {"t": {"equalTo": "\#(text)"}}}"#)
            let result = index.match(.make("GET", "/a?t=\(value)"), scratch: MatchScratch())
            #expect((result.outcome == .stub(0)) == isMatch)
        }
    }

    private static func body(_ matcher: String) -> String { #"{"bodyPatterns": [\#(matcher)]}"# }

    @Test(arguments: [
        // Jayway: presence is a value that is not null, nor an empty list or object.
        (#""$.a""#, #"{"a": 0}"#, true), (#""$.a""#, #"{"a": ""}"#, true), (#""$.a""#, #"{"a": false}"#, true),
        (#""$.a""#, #"{"a": null}"#, false), (#""$.a""#, #"{"a": []}"#, false), (#""$.a""#, #"{"a": {}}"#, false),
        (#""$.a""#, "{}", false), (#""$.a""#, "<a/>", false), (#""$.a""#, "", false),
        (#""$..a""#, #"{"b": [{"a": null}]}"#, true), (#""$[?(@.a == 'x')]""#, #"[{"a": "x"}]"#, true),
        (#"{"expression": "$.a", "equalTo": "1"}"#, #"{"a": 1}"#, true),
        (#"{"expression": "$.a", "contains": "b"}"#, #"{"a": ["x", "abc"]}"#, true),
        (#"{"expression": "$.a", "equalToJson": "[1, 2]", "ignoreArrayOrder": true}"#, #"{"a": [2, 1]}"#, true),
        (#"{"expression": "$.a", "equalTo": "{\"b\":1}"}"#, #"{"a": {"b": 1}}"#, true),
        (#"{"expression": "$.a", "absent": true}"#, "{}", true),
        (#"{"expression": "$.a", "absent": true}"#, #"{"a": null}"#, true),
        (#"{"expression": "$.a", "absent": true}"#, #"{"a": 1}"#, false),
        (#"{"expression": "$.a", "doesNotContain": "x"}"#, "{}", false),
        (#"{"expression": "$.a", "greaterThanNumber": 3}"#, #"{"a": 3.01}"#, true),
        (#"{"expression": "$.a", "matchesJsonPath": "$.b"}"#, #"{"a": {"b": 1}}"#, true),
        (#"{"expression": "$.a", "matchesJsonSchema": {"minimum": 3}}"#, #"{"a": 2}"#, false),
    ])
    func `a JSON path`(operand: String, body: String, isMatch: Bool) throws {
        #expect(try Self.matches(Self.body(#"{"matchesJsonPath": \#(operand)}"#), body) == isMatch)
    }

    @Test func `in a WireMock root objects are written as Java does`() throws {
        let list = Self.body(#"{"matchesJsonPath": {"expression": "$.a", "equalTo": "{b=x, c=[1, 2]}"}}"#)
        #expect(try Self.matches(list, #"{"a": [{"b": "x", "c": [1, 2]}]}"#, dialect: .wireMock))
        let object = Self.body(#"{"matchesJsonPath": {"expression": "$.a", "contains": "\"b\" : \"x\""}}"#)
        #expect(try Self.matches(object, #"{"a": {"b": "x"}}"#, dialect: .wireMock))
        #expect(try !Self.matches(object, #"{"a": {"b": "x"}}"#))
    }

    @Test(arguments: [
        (#"{"matchesJsonSchema": {"type": "object", "required": ["a"]}}"#, #"{"a": 1}"#, true),
        (#"{"matchesJsonSchema": "{\"required\": [\"a\"]}"}"#, "{}", false),
        (#"{"matchesJsonSchema": {"exclusiveMinimum": true, "minimum": 1}, "schemaVersion": "V4"}"#, "1", false),
        (#"{"matchesJsonSchema": true}"#, "[", false), (#"{"matchesJsonSchema": {"type": "string"}}"#, "abc", true),
        (#"{"matchesJsonSchema": {"type": "string"}}"#, "5", true),
        (#"{"matchesJsonSchema": {"type": "string", "maxLength": 2}}"#, "abc", false),
        (#"{"matchesJsonSchema": {"type": "number"}}"#, "5", true),
        (#"{"matchesJsonSchema": {"type": "number"}}"#, "a", false),
        (#"{"equalToXml": "<a><b/><c> 1 </c></a>"}"#, "<a>\n <c>1</c>\n <b></b></a>", true),
        (#"{"equalToXml": "<a b='1'/>"}"#, "<a b='2'/>", false),
        (#"{"equalToXml": "<a>${xmlunit.ignore}</a>", "enablePlaceholders": true}"#, "<a>x</a>", true),
        (#"{"matchesXPath": "//b[text()='x']"}"#, "<a><b>x</b></a>", true),
        (#"{"matchesXPath": {"expression": "//b/text()", "contains": "y"}}"#, "<a><b>x</b><b>xyz</b></a>", true),
        (#"{"matchesXPath": {"expression": "//b/text()", "absent": true}}"#, "<a/>", true),
        (#"{"matchesXPath": "/a"}"#, "a", false),
        (
            #"{"graphqlQuery": "query A($n: Int) { a(n: $n) { x y } }"}"#,
            #"{"query": "query A($n:Int){a(n:$n){y,x}}"}"#, true
        ),
        (#"{"graphqlQuery": "{ a }"}"#, #"{"query": "{ b }"}"#, false),
        (
            #"{"graphqlQuery": "{ a }", "variables": {"n": 1, "m": 2}}"#,
            #"{"query": "{a}", "variables": {"m": 2.0, "n": 1}}"#, true
        ),
        (#"{"graphqlQuery": "{ a }", "operationName": "A"}"#, #"{"query": "{a}"}"#, false),
        (#"{"equalToNumber": 10}"#, "1e1", true), (#"{"equalToNumber": 9007199254740993}"#, "9007199254740992", false),
        (#"{"lessThanNumber": 1}"#, "-0.5", true), (#"{"lessThanEqualNumber": 1}"#, "x", false),
        (#"{"matchesIgnoringCase": "art[aeiou]cle-\\d+"}"#, "ARTiCLE-12", true),
        (#"{"matchesIgnoringCase": "é+"}"#, "ÉÉé", true), (#"{"matchesIgnoringCase": "a"}"#, "ab", false),
        (#"{"not": {"matchesIgnoringCase": "(a+)+b"}}"#, String(repeating: "A", count: 5_000) + "c", true),
        (#"{"sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}"#, "abc", true),
        (#"{"sha256": "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"}"#, "abd", false),
        (#"{"matchesPathTemplate": "/a/{b}/**"}"#, "/a/x/y/z", true),
        (#"{"matchesPathTemplate": "/a/{b}"}"#, "/a/", false),
        (#"{"anything": "x"}"#, "", true), (#"{"not": {"anything": "x"}}"#, "", false),
        (#"{"before": "now"}"#, "2025-12-31T23:59:59Z", true), (#"{"before": "now"}"#, "2026-01-01T00:00:00Z", false),
        (#"{"after": "now -3 days"}"#, "2025-12-29T00:00:01Z", true),
        (
            #"{"after": "2026-01-01T00:00:00Z", "expectedOffset": -1, "expectedOffsetUnit": "days"}"#,
            "2025-12-31T01:00:00Z", true
        ),
        (#"{"equalToDateTime": "2026-01-01T00:00:00Z"}"#, "2026-01-01T01:00:00+01:00", true),
        (#"{"equalToDateTime": "2026-01-01T00:00:00Z", "actualFormat": "unix"}"#, "1767225600", true),
        (#"{"equalToDateTime": "now", "truncateExpected": "first day of next month"}"#, "2026-02-01T00:00:00Z", true),
        (#"{"before": "2026-01-01"}"#, "yesterday", false),
    ])
    func `a matcher of a body`(matcher: String, body: String, isMatch: Bool) throws {
        #expect(try Self.matches(Self.body(matcher), body) == isMatch)
    }

    @Test(arguments: [
        ("a=1&b=x+y&a=2", "application/x-www-form-urlencoded; charset=utf-8", true),
        ("b=x%20y&a=1&a=2", "APPLICATION/X-WWW-FORM-URLENCODED", true),
        ("a=1&b=x+y", "application/x-www-form-urlencoded", false),
        ("a=1&b=x+y&a=2", "text/plain", false),
    ])
    func `the fields of a form`(body: String, type: String, isMatch: Bool) throws {
        let request =
            #"{"formParameters": {"a": {"hasExactly": [{"equalTo": "2"}, {"equalTo": "1"}]}, "b": {"equalTo": "x y"}, "c": {"absent": true}}}"#
        #expect(try Self.matches(request, body, type: type) == isMatch)
    }

    private static let parts = """
        before\r
        --x\r
        Content-Disposition: form-data; name="a"; filename="a \\"b\\".txt"\r
        content-type: text/plain\r
        \r
        1\r
        -x is not a boundary\r
        --x\r
        Content-Disposition: form-data; name=b\r
        \r
        \r
        --x--\r
        after
        """

    @Test(arguments: [
        (#"{"name": "a", "fileName": "a \"b\".txt"}"#, true),
        (#"{"name": "b", "bodyPatterns": [{"equalTo": ""}]}"#, true),
        (#"{"name": "b", "fileName": "a"}"#, false),
        (#"{"headers": {"Content-Type": {"equalTo": "text/plain"}}}"#, true),
        (#"{"name": "a", "bodyPatterns": [{"equalTo": "1\r\n-x is not a boundary"}]}"#, true),
        (#"{"name": "a", "bodyPatterns": [{"binaryEqualTo": "MQ=="}]}"#, false),
        (#"{"matchingType": "ALL", "headers": {"Content-Disposition": {"contains": "form-data"}}}"#, true),
        (#"{"matchingType": "ALL", "name": "a"}"#, false),
    ])
    func `the parts of a multipart body`(pattern: String, isMatch: Bool) throws {
        let request = #"{"multipartPatterns": [\#(pattern)]}"#
        let form = "multipart/form-data; boundary=\"x\""
        #expect(try Self.matches(request, Self.parts, type: form) == isMatch)
        #expect(try !Self.matches(request, Self.parts, type: "multipart/form-data"))
        #expect(try !Self.matches(request, Self.parts, type: "text/plain"))
    }

    @Test func `a time that stands still is the now of dates`() throws {
        let index = try Self.index(Self.body(#"{"equalToDateTime": "now -1 days"}"#))
        let scratch = MatchScratch()
        scratch.frozenMilliseconds = 86_400_250
        let body = Array("1970-01-01T00:00:00.250Z".utf8)
        #expect(index.match(.make("POST", "/"), body: body, scratch: scratch).outcome == .stub(0))
        scratch.frozenMilliseconds = nil
        #expect(index.match(.make("POST", "/"), body: body, scratch: scratch).outcome == .none)
    }

    @Test func `the port, the scheme and the client of a request`() throws {
        let index = try Self.index(
            #"{"port": 8443}"#, #"{"scheme": "https", "port": 443}"#, #"{"clientIp": {"equalTo": "192.0.2.7"}}"#)
        let scratch = MatchScratch()
        #expect(index.readsClients)
        #expect(index.match(.make("GET", "/", host: "a:8443"), scratch: scratch).outcome == .stub(0))
        #expect(index.match(.make("GET", "/", host: "[::1]:8443"), scratch: scratch).outcome == .stub(0))
        #expect(index.match(.make("GET", "/", host: "a", isSecure: true), scratch: scratch).outcome == .stub(1))
        #expect(index.match(.make("GET", "/", host: "a"), scratch: scratch).outcome == .none)
        scratch.clientAddress = "192.0.2.7"
        #expect(index.match(.make("GET", "/"), scratch: scratch).outcome == .stub(2))
        let forwarded = RequestHead.make("GET", "/", headers: [("X-Forwarded-For", "192.0.2.8, 192.0.2.7")])
        #expect(index.match(forwarded, scratch: scratch).outcome == .none)
    }

    @Test(arguments: [
        (#"{"matchesJsonPath": "$.a"}"#, "{}", #"body: expected matchesJsonPath "$.a", found nothing there"#),
        (
            #"{"matchesJsonPath": {"expression": "$.a", "equalTo": "x"}}"#, #"{"a": "y"}"#,
            #"body: expected matchesJsonPath "$.a" equalTo "x", found "y""#
        ),
        (
            #"{"matchesJsonPath": "$.a"}"#, "<a/>",
            #"body: expected matchesJsonPath "$.a", found "<a/>", which is not JSON"#
        ),
        (#"{"matchesJsonPath": "$.a"}"#, "", #"body: expected matchesJsonPath "$.a", found nothing"#),
        (
            #"{"matchesXPath": {"expression": "/a/text()", "equalTo": "1"}}"#, "<a>2</a>",
            #"body: expected matchesXPath "/a/text()" equalTo "1", found "2""#
        ),
        (#"{"equalToNumber": 1}"#, "one", #"body: expected equalToNumber 1, found "one", which is not a number"#),
        (#"{"greaterThanNumber": 1.50}"#, "1", #"body: expected greaterThanNumber 1.50, found "1""#),
        (#"{"matchesIgnoringCase": "a+"}"#, "B", #"body: expected matchesIgnoringCase "a+", found "B""#),
        (
            #"{"before": "now -1 days"}"#, "soon",
            #"body: expected before "now -1 days", found "soon", which is not a date of that form"#
        ),
        (#"{"after": "2026-01-01"}"#, "2025-01-01", #"body: expected after "2026-01-01", found "2025-01-01""#),
        (#"{"matchesPathTemplate": "/{a}"}"#, "x", #"body: expected matchesPathTemplate "/{a}", found "x""#),
        (
            #"{"graphqlQuery": "{ a }", "operationName": "A"}"#, #"{"query": "{a}", "operationName": "B"}"#,
            #"body: expected graphqlQuery "{ a }" with operationName "A", found "B""#
        ),
        (
            #"{"graphqlQuery": "{ a }"}"#, #"{"query": "{a"}"#,
            #"body: expected graphqlQuery "{ a }", found "{\"query\": \"{a\"}", whose query is broken at its line 1, column 3: expected a field, found the end of the document"#
        ),
        (
            #"{"matchesJsonSchema": {"required": ["a"]}}"#, "{}",
            #"body: expected matchesJsonSchema {"required":["a"]}, found "{}" (has no property "a")"#
        ),
        (
            #"{"matchesJsonSchema": {"required": ["a"]}}"#, "<",
            #"body: expected matchesJsonSchema {"required":["a"]}, found "<", which is not JSON"#
        ),
        (
            #"{"equalToXml": "<a><b>1</b></a>"}"#, "<a><b>2</b></a>",
            #"body: expected equalToXml "<a><b>1</b></a>", found "<a><b>2</b></a>" (/a/b/text(): expected "1", got "2")"#
        ),
    ])
    func `a miss says what was found instead`(matcher: String, body: String, text: String) throws {
        #expect(try Self.miss(Self.body(matcher), .make("POST", "/a"), body) == [text])
    }

    @Test func `a miss tells of forms, parts, ports and clients`() throws {
        let request =
            #"{"port": 81, "scheme": "https", "clientIp": {"equalTo": "::1"}, "formParameters": {"a": {"equalTo": "1"}, "password": {"equalTo": "geheim"}}, "multipartPatterns": [{"name": "f", "bodyPatterns": [{"equalTo": "1"}]}]}"#
        let head = RequestHead.make(
            "POST", "/a", headers: [("Content-Type", "application/x-www-form-urlencoded")], host: "h")
        #expect(
            try Self.miss(request, head, "a=2&password=nicht") == [
                "port: 81 ≠ 80", "scheme: https ≠ http", #"clientIp: expected equalTo "::1", found nothing"#,
                #"formParameters.a: expected equalTo "1", found "2""#,
                "formParameters.password: expected equalTo 6 bytes (not shown), found 5 bytes (not shown)",
                #"multipartPatterns: expected a part "f" with equalTo "1", found a body which is not multipart"#,
            ])
    }

    @Test(arguments: [
        (#"{"matchesJsonPath": "$.["}"#, "the JSON path is broken at its byte "),
        (#"{"matchesXPath": "//["}"#, "the XPath is broken at its byte "),
        (#"{"matchesJsonSchema": {"type": "thing"}}"#, "the JSON Schema is broken: "),
        (#"{"equalToXml": "<a>"}"#, "the XML is broken at its line 1, column "),
        (#"{"before": "never"}"#, "the date is broken at its byte 0: "),
        (#"{"before": "now", "actualFormat": "{"}"#, "the format is broken at its byte "),
        (#"{"graphqlQuery": "{"}"#, "the GraphQL query is broken at its line 1, column "),
        (
            #"{"not": {"matchesJsonPath": {"expression": "$", "matches": "("}}}"#,
            "the pattern is broken at its byte 1: "
        ),
    ])
    func `an operand that is broken is a finding at its key, and its stub answers nothing`(
        matcher: String, text: String
    ) throws {
        let index = try Self.index(Self.body(matcher))
        #expect(index.findings.count == 1)
        let finding = try #require(index.findings.first)
        #expect(finding.severity == .error)
        #expect(finding.text.hasPrefix(text), "\(finding)")
        #expect(finding.place.line == 1)
        #expect(finding.place.column > 30)
        #expect(index.unusable == [0])
        #expect(index.match(.make("POST", "/a"), body: Array("x".utf8), scratch: MatchScratch()).outcome == .none)
    }

    @Test func `stubs that differ by one value that a path finds are asked alone`() throws {
        for (request, body) in [
            (#"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.op", "equalTo": "~"}}]}"#, #"{"op": "~"}"#),
            (
                #"{"bodyPatterns": [{"graphqlQuery": "{ a }", "operationName": "~"}]}"#,
                #"{"query": "{a}", "operationName": "~"}"#
            ),
            (#"{"bodyPatterns": [{"matchesXPath": {"expression": "/a/text()", "equalTo": "~"}}]}"#, "<a>~</a>"),
            (#"{"headers": {"SOAPAction": {"equalTo": "~"}}}"#, ""),
            (#"{"host": {"equalTo": "~"}}"#, ""),
        ] {
            let stubs = try (0..<500).map { number in
                let text = #"{"request": \#(request.replacing("~", with: "n\(number)")), "response": {}}"#
                return try #require(AddedStub(Array(text.utf8), label: "\(number)", number: 0, root: "").stub)
            }
            let index = StubIndex(FixtureSet(root: "/", stubs: stubs))
            #expect(index.findings == [])
            let head = RequestHead.make("POST", "/", headers: [("soapaction", "n377")], host: "n377:80")
            let result = index.match(
                head, body: Array(body.replacing("~", with: "n377").utf8), matchesAnyHost: false,
                scratch: MatchScratch())
            #expect(result.outcome == .stub(377))
            #expect(
                index.candidateCount(for: head, body: Array(body.replacing("~", with: "n377").utf8)) == 1, "\(request)")
        }
    }
}
