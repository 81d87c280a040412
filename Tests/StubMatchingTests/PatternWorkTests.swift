// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiMatchingSupport
import MockapiMetering
import MockapiRegularExpressions
import MockapiTestSupport
import Testing

@testable import MockapiFixtures
@testable import MockapiStubMatching

/// What patterns may cost, whoever wrote them and whatever they are put to.
@Suite(.supervised) struct PatternWorkTests {
    /// Repeats that stand beside, within and behind each other.
    private static let pieces = [
        "[0-9]+", "1*", "1*?", ".*", ".*?", "(?:1|11)+", "(?:1+)+", "(?=.*1)1*", "(?>1?)*", "(1*)\\1", "(?<=1*?1)1+",
        "(?:1{1,50}){2,}",
    ].filter { (try? RegularExpression($0, .stubs, .whole)) != nil }

    /// All patterns of two pieces that a text without an end for them is put to.
    private static let hostile = pieces.flatMap { first in pieces.map { "x?\(first)\($0)[yz]" } } + [".*[0-9]+x"]

    private static func outcome(
        _ pattern: String, _ subject: [UInt8], steps: Int, scope: RegularExpression.Scope = .whole
    ) throws -> (RegularExpressionMatcher.Outcome, steps: Int) {
        let expression = try RegularExpression(pattern, .stubs, scope)
        expression.compileJustInTime()
        let all = Allowance(steps: steps)
        var allowance = all
        let matcher = RegularExpressionMatcher(stack: PatternLimits.stack)
        let outcome = subject.withUnsafeBufferPointer { matcher.match(expression, $0, allowance: &allowance) }
        return (outcome, all.steps - allowance.steps)
    }

    @Test func `no pattern reads more than it has steps for`() throws {
        let subject = Array(("x" + String(repeating: "1", count: 60_000)).utf8)
        for pattern in Self.hostile {
            for scope in [RegularExpression.Scope.whole, .part] {
                let result = try Self.outcome(pattern, subject, steps: 20_000, scope: scope)
                #expect(result.0 != .matches || pattern.hasSuffix("x"), "\(pattern)")
                #expect(result.steps <= 20_000, "\(pattern)")
            }
        }
    }

    @Test func `a pattern whose tries each read a long text is given up`() throws {
        let subject = Array(("x" + String(repeating: "1", count: 1_000_000)).utf8)
        let result = try Self.outcome(".*[0-9]+x", subject, steps: 1_000_000)
        #expect(result.0 == .exceedsLimit && result.steps == 1_000_000)
        let lazy = try Self.outcome(".*?[0-9]+x.*", subject, steps: 1_000_000)
        #expect(lazy.0 == .exceedsLimit)
    }

    @Test(arguments: [".*\"id\":5.*", "[^,]*,.*", "(?s).*?end", "x?[0-9 ]*.*end"])
    func `a plain pattern reads a text of a megabyte`(pattern: String) throws {
        let filler = String(repeating: "1 2,3 4 \"id\":5 ", count: 60_000)
        let result = try Self.outcome(pattern, Array((filler + "end").utf8), steps: 1_000_000)
        #expect(result.0 == .matches, "\(pattern): \(result.steps)")
    }

    @Test func `the patterns of one request share their steps`() {
        let body = Array(("x" + String(repeating: "1", count: 60_000)).utf8)
        let stubs = (0..<200).map { number in
            Stub.make("\(number).stub.json", RequestPattern(body: [.value(.matches(Pattern(".*[0-9]+x\(number)?")))]))
        }
        let index = StubIndex(FixtureSet(root: "/", stubs: stubs))
        let scratch = MatchScratch()
        let result = index.match(.make("POST", "/"), body: body, scratch: scratch, keepsBody: true)
        #expect(result.outcome == .none)
        #expect(result.exceeding.count == MatchResult.exceedingLimit)
        let misses = index.nearMisses(for: .make("POST", "/"), body: body, scratch: scratch)
        #expect(misses.count == 3)
    }

    @Test func `all tests of one request share its work, whatever kind they are`() throws {
        let schema = try JSONParser.parse(
            ##"{"anyOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}], "minItems": 1, "title": "N"}"##)
        let xpath = "//a[count(//a[count(//a) > N]) > 1]"
        let json = Array((String(repeating: "[", count: 20) + String(repeating: "]", count: 20)).utf8)
        let xml = Array("<a>\(String(repeating: "<a/>", count: 300))</a>".utf8)
        let texts: [(String, [UInt8])] = [
            (#"{"matchesJsonSchema": \#(String(decoding: JSONWriter.compact(schema), as: UTF8.self))}"#, json),
            (#"{"matchesXPath": "\#(xpath)"}"#, xml),
        ]
        for (pattern, body) in texts {
            func paid(_ count: Int) -> (units: Int, result: MatchResult) {
                let stubs = (0..<count).compactMap { number in
                    let pattern = pattern.replacing("N", with: "\(number)")
                    let text = Array(#"{"request": {"bodyPatterns": [\#(pattern)]}, "response": {}}"#.utf8)
                    return AddedStub(text, label: "\(number)", number: number, root: "").stub
                }
                let index = StubIndex(FixtureSet(root: "/", stubs: stubs))
                let scratch = MatchScratch()
                let result = index.match(.make("POST", "/"), body: body, scratch: scratch)
                #expect(scratch.hasGivenUp)
                return (scratch.state.budget.meter.paid, result)
            }
            let (one, four) = (paid(1), paid(4))
            #expect(one.units > 1_000_000)
            #expect(four.units > 3 * one.units && four.units <= 4 * one.units)
            #expect(four.result.outcome == .none && four.result.exceeding.count == 4)
        }
    }

    @Test func `a text that is looked for by many stubs is paid for by each`() {
        let stubs = (0..<600).map { number in
            Stub.make("\(number).stub.json", RequestPattern(body: [.value(.contains("none of \(number)"))]))
        }
        let index = StubIndex(FixtureSet(root: "/", stubs: stubs))
        let scratch = MatchScratch()
        let body = [UInt8](repeating: 0x61, count: 1_000_000)
        let result = index.match(.make("POST", "/"), body: body, scratch: scratch)
        #expect(result.outcome == .none && !result.exceeding.isEmpty)
        #expect(scratch.state.budget.meter.left == 0)
        let few = StubIndex(FixtureSet(root: "/", stubs: Array(stubs[..<100])))
        #expect(few.match(.make("POST", "/"), body: body, scratch: scratch).exceeding == [])
    }

    @Test func `the digest of a body is made once, however many stubs ask for it`() throws {
        let zeros = String(repeating: "0", count: 64)
        let text = #"{"request": {"bodyPatterns": [{"sha256": "\#(zeros)"}]}, "response": {}}"#
        let stubs = (0..<200).compactMap {
            AddedStub(Array(text.utf8), label: "\($0)", number: $0, root: "").stub
        }
        #expect(stubs.count == 200)
        let index = StubIndex(FixtureSet(root: "/", stubs: stubs))
        let scratch = MatchScratch()
        let body = [UInt8](repeating: 0x61, count: 100_000)
        #expect(index.match(.make("POST", "/"), body: body, scratch: scratch).outcome == .none)
        let paid = scratch.state.budget.meter.paid
        #expect(paid >= 100_000 && paid < 200_000 + 200 * (100_000 / 16 + 64), "\(paid)")
    }

    @Test func `a search through many requests pays from one meter`() {
        let pattern = RequestPattern(url: .pathPattern(Pattern(".*[0-9]+x")))
        let index = StubIndex(FixtureSet(root: "/", stubs: [Stub.make("x.stub.json", pattern)]))
        let scratch = MatchScratch()
        scratch.shareWork()
        let target = "/x" + String(repeating: "1", count: 20_000)
        for _ in 0..<100 { #expect(index.match(.make("GET", target), scratch: scratch).outcome == .none) }
        #expect(scratch.hasGivenUp)
        #expect(scratch.state.budget.meter.left == 0)
    }

    @Test func `a text that nearly stands everywhere is looked for without going back`() {
        let text = [UInt8](repeating: 0x61, count: 200_000)
        for needle in [
            String(repeating: "a", count: 50_000) + "b", "b" + String(repeating: "a", count: 9), "aab", "aaa",
        ] {
            let expected = !needle.contains("b")
            let bytes = Array(needle.utf8)
            let found = text.withUnsafeBufferPointer { text in bytes.withUnsafeBufferPointer { text.contains($0) } }
            #expect(found == expected)
            let ended = text + bytes
            #expect(ended.withUnsafeBufferPointer { text in bytes.withUnsafeBufferPointer { text.contains($0) } })
        }
    }
}
