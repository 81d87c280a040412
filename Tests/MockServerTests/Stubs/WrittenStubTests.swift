// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import Testing

/// The JSON of stubs in code, byte for byte: places of findings count in it, and the admin API shows it.
@Suite(.supervised) struct WrittenStubTests {
    private func text(_ match: RequestMatch) -> String {
        String(decoding: JSONWriter.compact(match.node), as: UTF8.self)
    }

    private func findings(_ stub: MockStub) async -> String {
        do {
            let server = try await MockServer.start(stubs: [stub])
            await server.stop()
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `names that look the same and differ in bytes are two`() {
        let match = RequestMatch.get("/a").query("\u{E9}", "1").query("e\u{301}", "2").query("\u{E9}", "3")
        let expected =
            #"{"method":"GET","urlPath":"/a","queryParameters":{"\#u{E9}":{"hasExactly":[{"equalTo":"1"},{"equalTo":"3"}]},"#
            + #""e\#u{301}":{"equalTo":"2"}}}"#
        #expect(text(match).utf8.elementsEqual(expected.utf8))
    }

    @Test func `parts stand in one order, in whatever order they are said`() {
        let match = RequestMatch("PUT", "/a/{id}?q=1&q=2").noOtherQuery().body("x").cookie("c", "1").scheme("https")
            .form("f", "1").port(8080).part("p").header("Accept", "a").clientIP("192.0.2.1").basicAuth("u", "p")
            .host("A.test").pathParameter("id", .present).cookie("c", .contains("2")).header("Accept", .absent)
        #expect(
            text(match)
                == #"{"method":"PUT","urlPathTemplate":"/a/{id}","pathParameters":{"id":{"matches":"[\\s\\S]*"}},"#
                + #""host":{"equalTo":"A.test"},"port":8080,"scheme":"https","clientIp":{"equalTo":"192.0.2.1"},"#
                + #""queryParameters":{"q":{"hasExactly":[{"equalTo":"1"},{"equalTo":"2"}]}},"otherQueryParameters":"refuse","#
                + #""headers":{"Accept":{"hasExactly":[{"equalTo":"a"},{"absent":true}]}},"#
                + #""cookies":{"c":{"and":[{"equalTo":"1"},{"contains":"2"}]}},"#
                + #""basicAuthCredentials":{"username":"u","password":"p"},"formParameters":{"f":{"equalTo":"1"}},"#
                + #""bodyPatterns":[{"equalTo":"x"}],"multipartPatterns":[{"name":"p"}]}"#)
        #expect(
            "\(match)".hasPrefix(
                #"PUT /a/{id}, pathParameters {"id":{"matches":"[\\s\\S]*"}}, host {"equalTo":"A.test"}, port 8080,"#))
    }

    @Test(arguments: [
        (RequestMatch.url(matching: "/a.*"), "ANY matching /a.*"), (.path(matching: "/a"), "ANY matching /a"),
        (.url("/a?b", method: "GET"), "GET /a?b"), (.anyURL(), "ANY any URL"), (.get("/**"), "GET /**"),
    ])
    func `a request is called by its method and its target`(match: RequestMatch, name: String) {
        #expect("\(match)" == name)
    }

    @Test(arguments: [
        (ValueMatch.equalTo("a", ignoringCase: true), #"{"equalTo":"a","caseInsensitive":true}"#),
        (.matches("a", ignoringCase: true), #"{"matchesIgnoringCase":"a"}"#), (.sha256("0F"), #"{"sha256":"0f"}"#),
        (
            .equalToJSON("{\"a\": 1e400}", ignoringArrayOrder: true, ignoringExtraElements: true),
            #"{"equalToJson":"{\"a\": 1e400}","ignoreArrayOrder":true,"ignoreExtraElements":true}"#
        ),
        (.matchesJSONPath("$.a", "b"), #"{"matchesJsonPath":{"expression":"$.a","equalTo":"b"}}"#),
        (.matchesJSONSchema("{ }", version: "V7"), #"{"matchesJsonSchema":"{ }","schemaVersion":"V7"}"#),
        (
            .equalToXML(
                "<a/>", placeholders: true, delimiters: ("[", "]"), exempting: ["ATTR_VALUE"],
                ignoringOrderOfSameNode: true, namespaceAwareness: "NONE"),
            #"{"equalToXml":"<a/>","enablePlaceholders":true,"placeholderOpeningDelimiterRegex":"[","#
                + #""placeholderClosingDelimiterRegex":"]","exemptedComparisons":["ATTR_VALUE"],"#
                + #""ignoreOrderOfSameNode":true,"namespaceAwareness":"NONE"}"#
        ),
        (
            .matchesXPath("/p:a", .absent, namespaces: ["p": "urn:p", "a": "urn:a"]),
            #"{"matchesXPath":{"expression":"/p:a","absent":true},"xPathNamespaces":{"a":"urn:a","p":"urn:p"}}"#
        ),
        (
            .before(
                "now",
                .init(
                    format: "unix", offset: (3, "days"), truncateExpected: "first day of month", truncateActual: "x",
                    truncatesLast: true)),
            #"{"before":"now","actualFormat":"unix","expectedOffset":3,"expectedOffsetUnit":"days","#
                + #""truncateExpected":"first day of month","truncateActual":"x","applyTruncationLast":true}"#
        ),
        (.greaterThan(1), #"{"greaterThanNumber":1.0}"#), (.equalTo(number: .infinity), #"{"equalToNumber":"inf"}"#),
        (
            .graphQL("{ a }", operationName: "A", variables: "{\"n\": 1.0}"),
            #"{"graphqlQuery":"{ a }","operationName":"A","variables":{"n":1.0}}"#
        ),
        (.graphQL("{ a }", variables: "no JSON"), #"{"graphqlQuery":"{ a }","variables":"no JSON"}"#),
        (.anything, #"{"anything":"anything"}"#), (.all(), #"{"and":[]}"#),
        (
            .not(.hasExactly("a", .contains("\u{1}"))),
            #"{"not":{"hasExactly":[{"equalTo":"a"},{"contains":"\u0001"}]}}"#
        ),
        (.equalTo(bytes: [0xFB, 0xFF]), #"{"binaryEqualTo":"+/8="}"#),
    ])
    func `a matcher in code is written as a stub file has it`(match: ValueMatch, expected: String) {
        #expect(text(.anyURL().body(match)) == #"{"bodyPatterns":[\#(expected)]}"#)
    }

    @Test func `a response is written with its head in front`() {
        let stub = RequestMatch.anyURL().respond(
            204, headers: ["A": "1", "a": ""], body: .bytes([0]), delay: .milliseconds(1_500),
            fault: .resetStream("CANCEL", afterBytes: 2), priority: 3
        ).scenario("s", requires: "Started", becomes: "t").hold("h")
        #expect(
            String(decoding: stub.text, as: UTF8.self)
                == #"{"priority":3,"request":{},"response":{"status":204,"headers":["A: 1","a: "],"base64Body":"AA==","#
                + #""fixedDelayMilliseconds":1500,"fault":"RST_STREAM","errorCode":"CANCEL","afterBytes":2},"#
                + #""scenarioName":"s","requiredScenarioState":"Started","newScenarioState":"t","hold":"h"}"#)
        let turn = RequestMatch.anyURL().respond(inTurn: [
            MockResponse(body: .file("a")), MockResponse(fault: .goAway()),
        ])
        #expect(
            String(decoding: turn.text, as: UTF8.self)
                == #"{"request":{},"responses":[{"status":200,"bodyFile":"a"},"#
                + #"{"status":200,"fault":"GOAWAY","errorCode":"NO_ERROR","afterThisStream":true}],"afterLast":"repeat"}"#
        )
    }

    @Test(arguments: [
        (
            RequestMatch.get("/a").body(.equalToJSON("{} // a comment")).respond(fileID: "F.swift", line: 1),
            "F.swift:1:1:74: error: this string is not JSON: "
        ),
        (
            RequestMatch.get("/a").query("q", .not(.hasExactly("1"))).respond(fileID: "F.swift", line: 1),
            "F.swift:1:1:74: error: unknown key \"hasExactly\"; it is for parts that can have several values: query parameters and headers"
        ),
        (
            RequestMatch.get("/a").part(PartMatch("p").fileName("a").fileName("b")).respond(fileID: "F.swift", line: 1),
            "repeated key \"fileName\" (/request/multipartPatterns/0/fileName)"
        ),
        (
            RequestMatch.get("/a").part(PartMatch("p").header("A", "a").header("A", "b"))
                .respond(fileID: "F.swift", line: 1), "repeated key \"A\" (/request/multipartPatterns/0/headers/A)"
        ),
        (
            RequestMatch.get("/a").respond(fault: .resetStream("NO_SUCH"), fileID: "F.swift", line: 1),
            "F.swift:1:1:102: error: expected \"NO_ERROR\" or"
        ),
        (
            RequestMatch.get("/a").respond(headers: ["A B": "c"], fileID: "F.swift", line: 1),
            "\"A B\" is not a field name (RFC 9110 §5.1) (/response/headers/0)"
        ),
    ])
    func `what no stub can say is a finding, at its place`(stub: MockStub, finding: String) async throws {
        let text = await findings(stub)
        #expect(text.contains(finding), "\(text)")
    }
}
