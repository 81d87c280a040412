// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiMatchingSupport
import MockapiStubMatching
import MockapiTestSupport
import Testing

@Suite(.supervised) struct LintTests {
    private func findings(_ stubs: [Stub], _ dialect: FixtureSet.Dialect = .mockapi) -> [String] {
        StubIndex(FixtureSet(root: "/", dialect: dialect, stubs: stubs)).findings.map(\.description)
    }

    private func equal(_ text: String) -> MultiValueMatcher { .single(.equalTo(text, caseInsensitive: false)) }

    private func unreachable(_ path: String, by other: String) -> String {
        "\(path):1:1: warning: no request reaches this stub: \(other):1 answers every request that it matches; remove one of them, "
            + "or ask more of the other or give it a higher priority number"
    }

    private func ambiguous(_ path: String, with other: String) -> String {
        "\(path):1:1: warning: a request can match this stub and \(other):1, which answers only because it stands later; "
            + "give one of them a priority or one more condition"
    }

    @Test func `a broken pattern is an error at its place`() {
        #expect(
            findings([.make("a.stub.json", RequestPattern(url: .pathPattern(Pattern("/a(b"))))]) == [
                "a.stub.json:3:7: error: the pattern is broken at its byte 4: missing closing parenthesis (/request)"
            ])
    }

    @Test func `a broken pattern in any case is an error at its place`() {
        let place = Place(path: "a.stub.json", line: 5, column: 9)
        let host = ValueMatcher.leaf(CaselessPattern(Pattern("a(b", at: place)))
        #expect(
            findings([.make("a.stub.json", RequestPattern(host: host))]) == [
                "a.stub.json:5:9: error: the pattern is broken at its byte 3: missing closing parenthesis"
            ])
    }

    @Test func `a stub that asks the same as a later one is out of reach`() {
        let request = RequestPattern(
            method: "GET", url: .path("/a"), queryParameters: [.init("p", equal("1")), .init("q", equal("2"))])
        var other = request
        other.conditions.reverse()
        #expect(
            findings([.make("a.stub.json", request), .make("b.stub.json", other)]) == [
                unreachable("a.stub.json", by: "b.stub.json")
            ])
    }

    @Test(arguments: [
        (#"{"id": 12345678901234567890}"#, #"{"id": 12345678901234567891}"#),
        (#"{"id": 1, "token": "${json-unit.any-string}"}"#, #"[1]"#),
        (#"{"id": 1, "token": "${json-unit.any-string}"}"#, #"{"id": 2, "token": "${json-unit.any-string}"}"#),
        (#"{"a": {"b": [1, "${json-unit.any-string}"]}}"#, #"{"a": {"b": [2, "x"]}}"#),
        (#"{"a": "${json-unit.any-string}"}"#, #"{"b": "${json-unit.any-string}"}"#),
        (#"["${json-unit.any-string}"]"#, #"["${json-unit.any-string}", 1]"#),
    ])
    func `bodies that differ in one place are told apart, whatever a placeholder leaves open`(
        one: String, other: String
    ) throws {
        let stubs = try [one, other].enumerated().map { index, text in
            let json = ValueMatcher.equalToJSON(
                try JSONParser.parse(Array(text.utf8)), ignoreArrayOrder: false, ignoreExtraElements: false)
            return Stub.make(
                "\(index).stub.json", RequestPattern(method: "POST", url: .path("/a"), body: [.value(json)]))
        }
        #expect(findings(stubs) == [])
    }

    @Test(arguments: [
        (#"{"id": 1.0}"#, #"{"id": 1}"#), (#"{"a": "${json-unit.any-string}"}"#, #"{"a": "x"}"#),
        (#"{"a": 1, "b": "${json-unit.ignore-element}"}"#, #"{"a": 1}"#),
    ])
    func `bodies that one request can have are still told`(one: String, other: String) throws {
        let stubs = try [one, other].enumerated().map { index, text in
            let json = ValueMatcher.equalToJSON(
                try JSONParser.parse(Array(text.utf8)), ignoreArrayOrder: false, ignoreExtraElements: false)
            return Stub.make(
                "\(index).stub.json", RequestPattern(method: "POST", url: .path("/a"), body: [.value(json)]))
        }
        #expect(findings(stubs).count == 1)
    }

    @Test func `a stub behind a wider one of better priority is out of reach`() {
        let narrow = RequestPattern(method: "GET", url: .path("/api/a"), queryParameters: [.init("p", equal("1"))])
        let covers: [RequestPattern] = [
            RequestPattern(), RequestPattern(url: .path("/api/a")), RequestPattern(url: .pathTemplate("/api/{id}")),
            RequestPattern(method: "GET", url: .pathPattern(Pattern("/api/.*"))),
            RequestPattern(queryParameters: [.init("p", equal("1"))]),
        ]
        for cover in covers {
            #expect(
                findings([.make("a.stub.json", narrow), .make("b.stub.json", cover, priority: 1)]) == [
                    unreachable("a.stub.json", by: "b.stub.json")
                ])
        }
    }

    @Test func `a stub that some request reaches is no finding`() {
        let narrow = RequestPattern(method: "GET", url: .path("/api/a"), queryParameters: [.init("p", equal("1"))])
        let others: [RequestPattern] = [
            RequestPattern(method: "POST"), RequestPattern(url: .path("/api/b")),
            RequestPattern(queryParameters: [.init("p", equal("2"))]),
            RequestPattern(host: .equalTo("a.example", caseInsensitive: false)),
            RequestPattern(url: .url("/api/a")), RequestPattern(url: .pattern(Pattern("/api/a"))),
        ]
        for other in others {
            #expect(findings([.make("a.stub.json", narrow), .make("b.stub.json", other, priority: 1)]) == [])
        }
        let ends = Stub.make("b.stub.json", RequestPattern(), priority: 1, responses: 2, afterLast: .unmatched)
        #expect(findings([.make("a.stub.json", narrow), ends]) == [])
    }

    /// Body patterns, or a pattern of a header line, of two stubs that no request meets both, and of two that one may.
    @Test(arguments: [
        (
            ["[^&]*(&[^&]*){1}", "(.*&)?a=1(&.*)?", "(.*&)?b=[^&]+(&.*)?"],
            ["[^&]*(&[^&]*){1}", "(.*&)?a=2(&.*)?", "(.*&)?b=[^&]+(&.*)?"], false
        ),
        (
            ["[^&]*(&[^&]*){1}", "(.*&)?a=1(&.*)?", "(.*&)?b=1(&.*)?"],
            ["[^&]*(&[^&]*){1}", "(.*&)?a=1(&.*)?", "(.*&)?c=1(&.*)?"], false
        ),
        (["(.*&)?a=1(&.*)?"], ["(.*&)?b=1(&.*)?"], true),
        (
            ["[^&]*(&[^&]*){1}", "(.*&)?a=1(&.*)?", "(.*&)?a=2(&.*)?"],
            ["[^&]*(&[^&]*){1}", "(.*&)?a=1(&.*)?", "(.*&)?a=3(&.*)?"], false
        ),
        (
            ["[^&]*(&[^&]*){1}", "(.*&)?a=1(&.*)?", "(.*&)?a=1(&.*)?"],
            ["[^&]*(&[^&]*){1}", "(.*&)?a=1(&.*)?", "(.*&)?a=3(&.*)?"], true
        ),
        (["(.* )?redacted\\.token\\.ann"], ["(.* )?redacted\\.token\\.anna"], false),
        (["(.* )?redacted\\.token.ann"], ["(.* )?redacted\\.token\\.anna"], true),
        (["(?i:basic) +YW5uO[gh].*"], ["(?i:basic) +Ym9iO[gh].*"], false),
    ])
    func `stubs that ask for other fields of a form or end in another word are not ambiguous`(
        one: [String], other: [String], isAmbiguous: Bool
    ) {
        func stub(_ path: String, _ patterns: [String]) -> Stub {
            let isForm = patterns[0].contains("&")
            let request = RequestPattern(
                method: "POST", url: .path("/a"),
                headers: isForm ? [] : [.init("Authorization", .single(.matches(Pattern(patterns[0]))))],
                body: isForm ? patterns.map { .value(.matches(Pattern($0))) } : [])
            return .make(path, request)
        }
        let found = findings([stub("a.stub.json", one), stub("b.stub.json", other)])
        #expect(found == (isAmbiguous ? [ambiguous("a.stub.json", with: "b.stub.json")] : []))
    }

    @Test(arguments: [
        (["n\"\r\n\r\n1\r\n"], ["n\"\r\n\r\n2\r\n"], false), (["n\"\r\n\r\n1\r\n"], ["m\"\r\n\r\n1\r\n"], true),
        (["f\"; filename=\"1.jpg\"\r\n\r\n"], ["f\"; filename=\"2.jpg\"\r\n\r\n"], false),
        (["n\"\r\n\r\n"], ["n\"\r\n\r\n2\r\n"], true), (["n\"\r\n\r\n1"], ["n\"\r\n\r\n2\r\n"], true),
        (["n\"\r\n\r\n1\r\n", "n\"\r\n\r\n2\r\n"], ["n\"\r\n\r\n1\r\n", "n\"\r\n\r\n3\r\n"], true),
    ])
    func `stubs that ask for another head or content of a form's part are not ambiguous`(
        one: [String], other: [String], isAmbiguous: Bool
    ) {
        func stub(_ path: String, _ parts: [String]) -> Stub {
            let body = parts.map { BodyMatcher.value(.contains("Content-Disposition: form-data; name=\"\($0)")) }
            return .make(path, RequestPattern(method: "POST", url: .path("/a"), body: body))
        }
        let found = findings([stub("a.stub.json", one), stub("b.stub.json", other)])
        #expect(found == (isAmbiguous ? [ambiguous("a.stub.json", with: "b.stub.json")] : []))
    }

    @Test func `a stub for HEAD is not covered by one for any method`() {
        #expect(
            findings([
                .make("a.stub.json", RequestPattern(method: "HEAD", url: .path("/a"))),
                .make("b.stub.json", RequestPattern(url: .path("/a")), priority: 1),
            ]) == [])
    }

    @Test func `in a WireMock root the newer stub covers the older, however wide it is`() {
        #expect(
            findings(
                [.make("a.stub.json", RequestPattern(url: .path("/a"))), .make("b.stub.json", RequestPattern())],
                .wireMock)
                == [unreachable("a.stub.json", by: "b.stub.json")])
    }

    @Test func `other lists of exact values are told apart, the same in another order are not`() {
        func stub(_ path: String, _ values: String...) -> Stub {
            let exactly = MultiValueMatcher.hasExactly(values.map { .equalTo($0, caseInsensitive: false) })
            return .make(path, RequestPattern(url: .path("/a"), queryParameters: [.init("p", exactly)]))
        }
        #expect(findings([stub("a.stub.json", "1", "2"), stub("b.stub.json", "2", "3")]) == [])
        #expect(
            findings([stub("a.stub.json", "1", "2"), stub("b.stub.json", "2", "1")]) == [
                ambiguous("a.stub.json", with: "b.stub.json")
            ])
    }

    @Test func `stubs told apart by their order alone are named`() {
        let one = RequestPattern(url: .path("/a"), headers: [.init("accept", .single(.contains("json")))])
        let other = RequestPattern(url: .path("/a"), queryParameters: [.init("p", equal("1"))])
        #expect(
            findings([.make("a.stub.json", one), .make("b.stub.json", other)]) == [
                ambiguous("a.stub.json", with: "b.stub.json")
            ])
        #expect(findings([.make("a.stub.json", one), .make("b.stub.json", other, priority: 4)]) == [])
        #expect(findings([.make("a.stub.json", one), .make("b.stub.json", other)], .wireMock) == [])
        #expect(
            findings([
                .make("a.stub.json", RequestPattern(url: .pathTemplate("/{x}/b"))),
                .make("b.stub.json", RequestPattern(url: .pathTemplate("/a/{y}"))),
            ]) == [ambiguous("a.stub.json", with: "b.stub.json")])
        #expect(
            findings([
                .make("a.stub.json", RequestPattern(url: .url("/a?p=1"))), .make("b.stub.json", other),
            ]) == [ambiguous("a.stub.json", with: "b.stub.json")])
    }

    @Test func `stubs that exclude each other are no finding`() {
        func path(_ parameters: [(String, MultiValueMatcher)], refuse: Bool = false) -> RequestPattern {
            RequestPattern(
                url: .path("/a"), queryParameters: parameters.map { .init($0.0, $0.1) },
                allowsOtherQueryParameters: !refuse)
        }
        let pairs: [(RequestPattern, RequestPattern)] = [
            (path([("p", equal("1"))]), path([("p", equal("2"))])),
            (path([("p", equal("1"))]), path([("p", .single(.absent))])),
            (path([("p", .single(.contains("1")))]), path([("p", .single(.absent))])),
            (path([("p", equal("1"))], refuse: true), path([("q", equal("1"))], refuse: true)),
            (RequestPattern(method: "GET", url: .path("/a")), RequestPattern(method: "PUT", url: .path("/a"))),
            (RequestPattern(url: .url("/a?p=1")), path([("p", equal("2"))])),
            (RequestPattern(url: .url("/a")), path([("p", equal("2"))])),
            (
                RequestPattern(url: .pathTemplate("/a/{x}")), RequestPattern(url: .pathTemplate("/b/{x}"))
            ),
        ]
        for (one, other) in pairs { #expect(findings([.make("a.stub.json", one), .make("b.stub.json", other)]) == []) }
    }

    @Test func `many stubs of one target are compared by their values`() {
        var stubs = (0..<3000).map { number in
            let parameters = [("p", "\(number / 2)"), ("q", "\(number % 2)")]
            return Stub.make(
                "\(number).stub.json",
                RequestPattern(url: .path("/a"), queryParameters: parameters.map { .init($0.0, equal($0.1)) }))
        }
        #expect(findings(stubs) == [])
        let loose = [
            ("p", MultiValueMatcher.single(.equalTo("7", caseInsensitive: false))), ("r", .single(.contains("x"))),
        ]
        stubs.append(
            .make(
                "z.stub.json", RequestPattern(url: .path("/a"), queryParameters: loose.map { .init($0.0, $0.1) })))
        #expect(
            findings(stubs) == [
                ambiguous("14.stub.json", with: "z.stub.json"), ambiguous("15.stub.json", with: "z.stub.json"),
            ])
    }
}
