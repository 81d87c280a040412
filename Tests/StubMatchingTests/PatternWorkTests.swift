// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

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
        let all = PatternWork(steps: steps)
        var work = all
        let matcher = RegularExpressionMatcher(stack: PatternLimits.stack)
        let outcome = subject.withUnsafeBufferPointer { matcher.match(expression, $0, work: &work) }
        return (outcome, work.steps(of: all))
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
        #expect(result.exceedingPatterns.count == MatchResult.exceedingLimit)
        let misses = index.nearMisses(for: .make("POST", "/"), body: body, scratch: scratch)
        #expect(misses.count == 3)
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
