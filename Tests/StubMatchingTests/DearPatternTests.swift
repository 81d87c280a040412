// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiMetering
import MockapiRegularExpressions
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
        "(\\d+)*\\d+\\d+x", ".*.*.*=.*x", "(?:a*)*b", "((ab)*)*c", "(a+)+b[cd]", "(?:[a-z]+)*q?!", "^[01]([-]*[01]+)*$",
        "([a-z]+.?)+[A-Z]",
        "(a*)*\\d", "(?=.*a)(a*)*[bc]", "^(.*?,){11}P", "(x+x+)+y?z", ".*?[0-9]+?x.+y",
    ])
    func `a pattern whose repeats share a text is named`(pattern: String) throws {
        #expect(try isDear(pattern))
    }

    /// A pattern of polynomial or exponential cost, and a text that shows it: repeats that share the letters of a text, and an end that it lacks.
    private static func drawn(_ random: inout SplitMix) -> (pattern: String, text: String) {
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &random)] }
        let (atom, letter) = pick([
            ("a", "a"), ("[a-z]", "k"), ("\\w", "w"), ("[^!]", "z"), ("(?:a|aa)", "a"), ("(?:[a-z]|\\d)", "m"),
            ("\\d", "7"),
        ])
        let repeated = atom + pick(["+", "*", "{1,}", "+?", "{2,}"])
        let core = pick([
            "(\(repeated))+", "(?:\(repeated))*", "(\(repeated)\(atom)+)+", "(?:\(repeated)|\(atom))+",
            "(?:(\(repeated))*)+",
        ])
        let (end, missed) = pick([
            ("q", ""), ("b[cd]", "b"), ("q?!", "!"), ("[A-Z]", ""), ("-x", "-"), ("=\\d", "="), ("$(?!)", ""),
            ("@", ""),
        ])
        let text = String(repeating: letter, count: DearPatterns.length - 8) + missed + "~"
        return (pick(["", "^", "x?"]) + core + end, text)
    }

    @Test func `a drawn pattern that is given up on a text is named`() throws {
        var givenUp = 0
        for seed in 1...UInt64(Thoroughness.rounds(40, thorough: 1_000)) {
            var random = SplitMix(seed: seed)
            let (pattern, text) = Self.drawn(&random)
            let expression = try RegularExpression(pattern, .stubs, .whole)
            var allowance = Allowance(steps: PatternLimits.steps)
            let outcome = Array(text.utf8).withUnsafeBufferPointer {
                RegularExpressionMatcher.ofStubs().match(expression, $0, allowance: &allowance)
            }
            if outcome != .exceedsLimit { continue }
            givenUp += 1
            #expect(try isDear(pattern), "\(pattern)")
        }
        #expect(givenUp > 5)
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
