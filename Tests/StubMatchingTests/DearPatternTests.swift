// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import Testing

@testable import MockapiStubMatching

/// Patterns that are given up on a text of everyday length are named before one comes.
@Suite(.supervised) struct DearPatternTests {
    private func findings(_ request: String) throws -> [String] {
        let text = Array(#"{"request": \#(request), "response": {}}"#.utf8)
        let read = AddedStub(text, label: "x.stub.json", number: 0, root: "")
        #expect(read.findings == [])
        let set = FixtureSet(root: "/", stubs: [try #require(read.stub)])
        return DearPatterns.findings(set).map { "\($0)" }
    }

    private func isDear(_ pattern: String) throws -> Bool {
        let quoted = pattern.replacing("\\", with: "\\\\")
        return try !findings(#"{"urlPath": "/a", "headers": {"X": {"matches": "\#(quoted)"}}}"#).isEmpty
    }

    @Test(arguments: [
        ".*[0-9]+x", "(a+)+b", "(a|a)*b", "(a|aa)+$", "(.*a){12}b", "(x+x+)+y", "([a-z]+)*!x", "(foo|fo)*(o|oo)*bar",
        "(\\d+)*\\d+\\d+x", ".*.*.*=.*x", "(?:a*)*b", "((ab)*)*c",
    ])
    func `a pattern whose repeats share a text is named`(pattern: String) throws {
        #expect(try isDear(pattern))
    }

    @Test(arguments: [
        "[a-z]+", "/items/[0-9]+/parts/[0-9]+", ".*", "Bearer .+", "[^/]+/[^/]+", "\\d{4}-\\d{2}-\\d{2}",
        "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}", "(a|b)+c", "(?:a++)+b", "a*+b*+c", ".*json.*", "https?://[^/]+/.*",
    ])
    func `a pattern that reads a text once is not`(pattern: String) throws {
        #expect(try !isDear(pattern))
    }

    @Test func `the finding shows a text and the way out, wherever the pattern stands, and each pattern once`() throws {
        let pattern = "(a+)+b"
        let text =
            "this pattern is given up, and does not match, on a text such as \"aaaaaaaaaaaa…ab!\" of 4098 bytes: its repeats can share the "
            + "text in too many ways; let each take what the next cannot, such as [^0-9]* in front of [0-9]+, or make it possessive (*+)"
        #expect(
            try findings(#"{"urlPathPattern": "\#(pattern)"}"#) == [
                "x.stub.json:1:32: warning: \(text) (/request/urlPathPattern)"
            ])
        for place in [
            #""queryParameters": {"a": {"hasExactly": [{"matches": "P"}]}}"#,
            #""cookies": {"a": {"doesNotMatch": "P"}}"#,
            #""bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "matches": "P"}}]"#,
            #""headers": {"a": {"or": [{"equalTo": "x"}, {"not": {"matches": "P"}}]}}"#,
            #""headers": {"a": {"matchesIgnoringCase": "P"}}"#, #""formParameters": {"a": {"matches": "P"}}"#,
            #""multipartPatterns": [{"bodyPatterns": [{"matches": "P"}]}]"#,
            #""pathParameters": {"a": {"matches": "P"}}"#,
        ] {
            let request = #"{"urlPathTemplate": "/{a}", \#(place.replacing("\"P\"", with: "\"\(pattern)\""))}"#
            #expect(try findings(request).count == 1, "\(place)")
        }
        let twice = #"{"urlPath": "/a", "headers": {"a": {"matches": "(a+)+b"}, "b": {"matches": "(a+)+b"}}}"#
        #expect(try findings(twice).count == 1)
    }
}
