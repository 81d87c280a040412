// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiDrift

/// What is known of the values at one place: the same however they are put together, and each limit on both sides.
@Suite(.supervised) struct ShapeFactsTests {
    private static func shape(_ nodes: some Sequence<JSONNode>) -> Shape {
        let shape = Shape()
        for node in nodes { shape.add(node, sample: 0) }
        return shape
    }

    private static func findings(_ old: Shape, _ new: Shape) -> Set<String> {
        var comparison = ShapeComparison()
        comparison.compare(old, new)
        return Set(comparison.findings.map { "\($0.level.rawValue) \($0.id.rawValue) \($0.pointer)" })
    }

    @Test func `shapes that are merged, and long arrays that are folded, are what all values together are`() throws {
        var random = SplitMix(seed: 31)
        for _ in 0..<300 {
            let nodes = (0..<1 + random.below(6)).map { _ in SamplePropertyTests.value(&random, 0) }
            let others = (0..<1 + random.below(4)).map { _ in SamplePropertyTests.value(&random, 0) }
            let (whole, other) = (Self.shape(nodes), Self.shape(others))
            let merged = Self.shape([])
            for node in nodes.shuffled(using: &random) { merged.merge(Self.shape([node])) }
            let folded = FoldedArrays()
            let text = JSONWriter.compact(.array(nodes))
            let long = Self.shape([])
            long.add(try folded.parse(text, sample: 0), sample: 0, folded: folded)
            let known = Self.findings(whole, other)
            #expect(Self.findings(merged, other) == known && Self.findings(whole, merged).isEmpty)
            #expect(Self.findings(other, merged) == Self.findings(other, whole))
            #expect(long.arrays?.longest == nodes.count && long.arrays?.shortest == nodes.count)
            let items = try #require(long.arrays?.items)
            #expect(items.count == nodes.count && Self.findings(items, other) == known)
        }
    }

    private static func json(_ text: String) throws -> JSONNode { try JSONParser.parse(text) }

    @Test(arguments: [31, 32, 33]) func `up to 32 kinds of objects are told apart`(count: Int) throws {
        let nodes = try (0..<count).map { try Self.json("{\"type\":\"k\($0)\",\"m\($0)\":1}") }
        let merged = Self.shape(nodes.prefix(20))
        merged.merge(Self.shape(nodes.dropFirst(20)))
        for shape in [Self.shape(nodes), merged] {
            #expect(shape.variants.count == (count > 32 ? 0 : count))
            #expect((shape.objects == nil) == (count <= 32))
            #expect(shape.allObjects?.count == count)
            shape.add(nodes[0], sample: 0)
            #expect(shape.variants.count == (count > 32 ? 0 : count))
        }
    }

    @Test(arguments: [7, 8, 9]) func `a tuple has eight items at most`(count: Int) throws {
        let tuple = try Self.json("[\((0..<count).map { $0 == 0 ? "\"a\"" : "\($0)" }.joined(separator: ","))]")
        #expect(Self.shape([tuple, tuple]).arrays?.tuple?.count == (count > 8 ? nil : count))
        #expect(Self.shape([tuple]).arrays?.tuple == nil)
    }

    @Test func `words are those of a set if they repeat, and are few and short`() {
        func enumeration(_ values: Int, _ count: Int, _ name: (Int) -> String = { "w\($0)" }) -> Int? {
            Self.shape((0..<count).map { .string(name($0 % values)) }).strings?.enumeration?.count
        }
        #expect(enumeration(1, 4) == nil && enumeration(1, 5) == 1)
        #expect(enumeration(3, 5) == nil && enumeration(3, 6) == 3)
        #expect(enumeration(8, 16) == 8 && enumeration(9, 18) == nil)
        #expect(enumeration(1, 5) { _ in String(repeating: "a", count: 64) } == 1)
        #expect(enumeration(1, 5) { _ in String(repeating: "a", count: 65) } == nil)
        for (count, isKept) in [(16, true), (17, false)] {
            let words = (0..<count).map { JSONNode.string("w\($0)") }
            let merged = Self.shape(words.prefix(9))
            merged.merge(Self.shape(words.dropFirst(9)))
            for shape in [Self.shape(words), merged] { #expect(shape.strings?.values?.count == (isKept ? count : nil)) }
        }
        for byte in UInt8.min..<0x80 {
            let sign = UnicodeScalar(byte)
            let isLetter = sign.properties.isAlphabetic || sign == "_"
            #expect(StringFacts.isWord("\(sign)a") == isLetter, "\(byte)")
            let isInside = isLetter || (0x30...0x39).contains(byte) || "-./:+".unicodeScalars.contains(sign)
            #expect(StringFacts.isWord("a\(sign)") == isInside, "\(byte)")
        }
        #expect(!StringFacts.isWord("") && !StringFacts.isWord("é"))
    }

    /// A number: i for one written as an integer, d as a decimal that is whole, f as a fraction; u if no double has it exactly, b if no Int64
    /// has it, x if no double has it.
    @Test(arguments: [
        ("0", "i"), ("-0", "i"), ("1", "i"), ("9007199254740992", "i"), ("-9007199254740992", "i"),
        ("9007199254740993", "iu"), ("-9007199254740993", "iu"), ("9223372036854775807", "iu"),
        ("9223372036854775808", "iub"), ("-9223372036854775808", "iu"), ("-9223372036854775809", "iub"),
        ("1.0", "d"), ("0.0", "d"), ("0e0", "d"), ("1E2", "d"), ("1.5", "f"), ("5e-1", "f"), ("1e-400", "f"),
        ("9007199254740992.0", "d"), ("9007199254740994.0", "du"), ("9.3e18", "dub"), ("-9.3e18", "dub"),
        ("9.2e18", "du"), ("9223372036854775808.0", "dub"), ("1e400", "dubx"), ("-1e400", "dubx"),
    ])
    func `a number is what its literal says`(literal: String, expected: String) {
        var facts = NumberFacts()
        facts.add(JSONNumber(literal: literal), Sighting("", sample: 0, offset: 0))
        let found = [
            ("i", facts.integers == 1), ("d", facts.firstDecimal != nil), ("f", facts.firstFraction != nil),
            ("u", facts.firstUnsafe != nil), ("b", facts.firstBeyond64 != nil), ("x", facts.firstInfinite != nil),
        ]
        #expect(found.filter(\.1).map(\.0).joined() == expected)
        #expect(facts.isInteger == expected.hasPrefix("i") && facts.count == 1)
        var merged = NumberFacts()
        merged.merge(facts)
        #expect(merged.isInteger == facts.isInteger && merged.smallest == facts.smallest)
    }
}
