// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMatchingSupport
import MockapiMetering
import MockapiRegularExpressions
import MockapiTestSupport
import Testing

@testable import MockapiFixtures
@testable import MockapiStubMatching

/// The patterns of WireMock's mappings, which are Java's.
@Suite(.supervised) struct JavaPatternTests {
    private static func matches(
        _ pattern: String, _ text: String, _ dialect: RegularExpression.Dialect = .java
    ) throws -> Bool {
        let expression = try RegularExpression(pattern, dialect, .whole)
        var allowance = Allowance(steps: 100_000)
        return RegularExpressionMatcher().match(expression, text, allowance: &allowance) == .matches
    }

    /// A pattern, what it matches, and what it does not; each as `java.util.regex` of Java 17 has it.
    @Test(
        arguments: [
            ("[a-z&&[^b]]+", ["ac", "z"], ["b", "abc", "A"]), ("[\\d&&[1-5]]+", ["15"], ["16", "x"]),
            ("/p\\?x=[^&&[a]]+", ["/p?x=b"], ["/p?x=a"]), ("[a-d[m-p]]+", ["am", "dp"], ["e", "q"]),
            ("[a-z&&[def]&&[^e]]", ["d", "f"], ["e", "a"]), ("[^a-z&&[c-x]]", ["a", "z", "1"], ["c", "x"]),
            ("[a&&]", ["a"], ["&"]), ("[a&b]+", ["a&b"], ["c"]), ("[]a]+", ["]a"], ["["]),
            ("[^]a]", ["b"], ["]", "a"]),
            ("\\u0061\\x62\\0143\\0o", [], ["abc"]), ("\\u0061\\x62\\0143", ["abc"], ["ABC"]),
            ("[\\u0400-\\u04FF]+", ["Привет"], ["abc"]), ("\\uD83D\\uDE00", ["😀"], ["x"]),
            ("\\x{1F600}", ["😀"], ["x"]), ("\\p{Alpha}+", ["abc"], ["ß", "1"]), ("\\P{Alpha}", ["1", "ß"], ["a"]),
            ("[[:alpha:]]+", ["alph:"], ["b", "z"]), ("\\p{Punct}+", ["!-/:@[`{~"], ["a", " "]),
            ("\\p{IsLatin}+", ["abcß"], ["я"]), ("\\p{IsCyrillic}+", ["яж"], ["a"]), ("\\p{InGreek}", ["α"], ["a"]),
            ("\\p{javaLowerCase}", ["a", "ß"], ["A"]), ("\\p{javaWhitespace}", [" ", "\t"], ["\u{A0}"]),
            ("[\\P{Alpha}b]+", ["1b"], ["a"]), ("[\\p{L}&&[^\\p{Lu}]]", ["a"], ["A", "1"]),
            ("\\pL\\pN", ["a1"], ["1a"]),
            ("(?d)a(?u)b(?-d)c", ["abc"], ["abC"]), ("(?i)ABC", ["abc", "aBC"], ["ab"]),
            ("(?x) a b # c\n c", ["abc"], ["a b"]), ("(?x)[a b]+", ["ab"], ["a b"]),
            ("(?x:a b)c d", ["abc d"], ["abcd"]),
            ("(?U)\\w+", ["äß"], ["-"]), ("(a)\\11", ["aa1"], ["aa"]), ("(?<n>a)\\k<n>", ["aa"], ["a"]),
            ("\\Qa.b[\\E.", ["a.b[c"], ["axb[c"]), ("[\\Qa-c\\E]+", ["a-c"], ["b"]), ("a\\cAb", ["a\u{1}b"], ["ab"]),
            ("[[^a]^b]+", ["^b", "xyz"], ["a"]), ("[+--]+", ["+,-"], ["a"]), ("a.b", ["a\nb"], ["ab"]),
            ("/api/v\\d+/items(\\?.*)?", ["/api/v1/items?x"], ["/api/v/items"]),
            ("a{2,3}b{1}c{1,}", ["aabcc"], ["abc"]),
        ] as [(String, [String], [String])])
    func `a pattern matches what Java has it match`(pattern: String, matched: [String], others: [String]) throws {
        if matched.isEmpty {
            #expect(throws: RegularExpression.Failure.self) { try RegularExpression("\\0o", .java, .whole) }
            return
        }
        for text in matched { #expect(try Self.matches(pattern, text), "\(pattern) \(text)") }
        for text in others { #expect(try !Self.matches(pattern, text), "\(pattern) \(text)") }
    }

    @Test(
        arguments: [
            ("a{,2}", 1, "a \"{\" that begins no repetition such as {2,3}; write \"\\{\" for the character"),
            ("é{", 2, "a \"{\" that begins no repetition such as {2,3}; write \"\\{\" for the character"),
            ("a\\K", 1, "\"\\K\" is not an escape of Java's"), ("(?R)", 0, "\"(?R\" begins no group of Java's"),
            ("(?P<n>a)", 0, "\"(?P\" begins no group of Java's"), ("(*UTF)a", 1, "a \"*\" without anything to repeat"),
            ("\\N{DIGIT ONE}", 0, "\\N{…} names a character; write its number, such as \\u0061"),
            ("\\p{InNowhere}", 0, "\\p{InNowhere} is not a property that is known here"),
            ("\\p{IsKlingon}", 0, "\\p{IsKlingon} is not a property that is known here"),
            ("a(?U)b", 1, "(?U) that does not stand at the beginning is not supported"),
            ("[a", 0, "a \"[\" without its \"]\""), ("\\uD800", 0, "\"\\uD800\" is the number of no character"),
            ("[z-a]", 2, "a range that ends before it begins"), ("a\\", 1, "a \"\\\" at the end"),
        ] as [(String, Int, String)])
    func `what is not Java's is told by name`(pattern: String, offset: Int, message: String) throws {
        let failure = #expect(throws: RegularExpression.Failure.self) {
            try RegularExpression(pattern, .java, .whole)
        }
        #expect(failure?.offset == offset && failure?.message == message)
    }

    @Test func `no nesting is too deep for the reader`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: RegularExpression.Failure.self) { try RegularExpression(deep, .java, .whole) }
    }

    @Test func `a native directory has PCRE2's language, and a WireMock root Java's`() throws {
        let text = Array(#"{"request": {"urlPathPattern": "/[[:alpha:]]+"}, "response": {}}"#.utf8)
        let native = AddedStub(text, label: "a.stub.json", number: 0, root: "")
        let wireMock = AddedStub(
            ofAdmin: text, label: "a.json", number: 0, root: "", templatesAll: false, replacing: nil)
        for (stub, dialect, matched, other) in [
            (native.stub, FixtureSet.Dialect.mockapi, "/abz", "/:"), (wireMock.stub, .wireMock, "/alph:", "/abz"),
        ] {
            let index = StubIndex(FixtureSet(root: "", dialect: dialect, stubs: [try #require(stub)]))
            #expect(index.match(.make("GET", matched), scratch: MatchScratch()).outcome == .stub(0))
            #expect(index.match(.make("GET", other), scratch: MatchScratch()).outcome == .none)
        }
    }
}
