// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering
import MockapiTestSupport
import MockapiXMLText
import Testing

/// What is done with a document is paid for as it goes on, so that it ends when its client has left.
@Suite(.supervised) struct XMLWorkTests {
    private static func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    /// Documents that take much to read: each by another part of them.
    private static let documents: [(name: String, bytes: [UInt8])] =
        [
            ("elements", "<a>" + times("<b/>", 20_000) + "</a>"),
            ("attributes", "<a>" + times("<b c='1' d='2'/>", 8_000) + "</a>"),
            ("texts", "<a>" + times("x<!-- -->", 12_000) + "</a>"),
            ("one text", "<a>" + times("x", 1_200_000) + "</a>"),
            ("a comment in front", "<!--" + times("- ", 400_000) + "--><a/>"),
            ("white space in front", times(" ", 800_000) + "<a/>"),
            ("a document type", "<!DOCTYPE a [" + times("<!ELEMENT a ANY>\n", 50_000) + "]><a/>"),
            ("namespaces", "<r>" + times("<n:a xmlns:n='u'/>", 10_000) + "</r>"),
            ("names below many namespaces", times("<r \(namespaces)>", 20) + times("<b/>", 2_000) + times("</r>", 20)),
        ].map { ($0.0, Array($0.1.utf8)) } + [
            (
                "UTF-16",
                [0xFE, 0xFF] + "<a>\(times("x", 400_000))</a>".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            )
        ]
    private static let namespaces = (0..<100).map { "xmlns:n\($0)='u'" }.joined(separator: " ")

    @Test(arguments: documents.map { ($0.0, Long($0.1)) })
    func `a document that nobody waits for is not read to its end`(name: String, document: Long<[UInt8]>) throws {
        let bytes = document.value
        let all = Meter(.max)
        #expect(try XMLDocument(parsing: bytes, meter: all).nodes.count > 1, "\(name)")
        #expect(all.paid > bytes.count && all.paid > 2 * Meter.certain, "\(name): \(all.paid)")
        let stop = WorkStop()
        stop.ask()
        let meter = Meter(stop: stop)
        let error = #expect(throws: XMLError.self, "\(name)") { _ = try XMLDocument(parsing: bytes, meter: meter) }
        #expect(error?.cause == .work && meter.isStopped, "\(name)")
    }

    @Test func `a document is read the same whether it is paid for or not, and never for less`() throws {
        for (name, bytes) in Self.documents {
            let meter = Meter(.max)
            let document = try XMLDocument(parsing: bytes, meter: meter)
            #expect(try XMLDocument(parsing: bytes).nodes.count == document.nodes.count, "\(name)")
            let enough = Meter(meter.paid)
            #expect(
                try XMLDocument(parsing: bytes, meter: enough).nodes.count == document.nodes.count && enough.left == 0,
                "\(name)")
            let error = #expect(throws: XMLError.self, "\(name)") {
                _ = try XMLDocument(parsing: bytes, meter: Meter(meter.paid - 1))
            }
            #expect(error?.cause == .work, "\(name)")
        }
    }

    /// The ways to write a document.
    private static let ways: [@Sendable (XMLDocument, Meter?) -> String?] = [
        { $0.printed(0, meter: $1) }, { $0.pretty(meter: $1) }, { $0.transformed(meter: $1) },
        { $0.transformed(isIndented: false, sortsAttributes: true, meter: $1) },
        { $0.transformed(keepsBlanks: true, sortsAttributes: true, meter: $1) },
    ]

    @Test(arguments: ways.indices)
    func `a document is written whole and paid for, or not at all`(way: Int) throws {
        let write = Self.ways[way]
        let document = try XMLDocument(
            parsing: "<a c='1' b='2'>t<d> <e/>u<f><g/></f></d><![CDATA[x]]><!-- h --><i> </i><j><k/><l/></j></a>")
        let meter = Meter(.max)
        let text = try #require(write(document, meter))
        #expect(text.hasSuffix("</a>") || text.hasSuffix("</a>\n"))
        #expect(meter.paid > text.utf8.count)
        for units in 0..<meter.paid { #expect(write(document, Meter(units)) == nil, "\(units)") }
        #expect(write(document, Meter(meter.paid)) == text && write(document, nil) == text)
    }

    @Test func `a text with line ends that make it longer than 32 MiB is not cut`() throws {
        let document = try XMLDocument(
            parsing: Self.times("<a>", 250) + Self.times("<b/>", 70_000) + Self.times("</a>", 250))
        #expect(document.transformed(meter: Meter(.max)) == nil)
        #expect(document.printed(0, meter: Meter(.max))?.utf8.count == 250 * 7 + 70_000 * 4)
    }

    private static let depth = 200
    /// A text within many elements.
    private static let nested = times("<a>", depth) + times("x", 20_000) + times("</a>", depth)
    private static let wide = "<a>" + times("<b>1</b>", 20_000) + "</a>"
    private static let text = "<a>" + times("a ", 100_000) + "</a>"

    /// Expressions with the units that they take at least.
    private static let expressions: [(document: String, path: String, least: Int)] = [
        (nested, "//*", depth * 20_000), (nested, "//a[. = 'b']", depth * 20_000 / 4), (wide, "/a/b", 20_000 * 16),
        (wide, "//b[. < 0]", 20_000 * 16), (wide, "count(//b[preceding::b[1] = 2])", 1_600_000),
        (text, "normalize-space(/a)", 200_000), (text, "string-length(/a)", 100_000), (text, "number(/a)", 200_000),
        (text, "translate(/a, 'ab', 'ba')", 200_000), (text, "substring(/a, 3)", 200_000),
        (text, "contains(/a, 'b')", 90_000),
        (text, "contains(/a, '\(times("a ", 400))b')", 1_000_000), (text, "sum(/a)", 200_000),
        (text, "id(/a)", 200_000),
    ]

    @Test(arguments: expressions.map { (Long($0.document), $0.path, $0.least) })
    func `an expression pays for all that it reads and makes`(text: Long<String>, path: String, least: Int) throws {
        let document = try XMLDocument(parsing: text.value)
        let meter = Meter(.max)
        _ = try? XPath(parsing: path).texts(document, meter: meter)
        #expect(meter.paid >= least, "\(path.prefix(60)): \(meter.paid)")
    }

    @Test func `the results of all expressions take no more memory than a request may`() throws {
        let document = try XMLDocument(
            parsing: Self.times("<a>", 100) + Self.times("x", 200_000) + Self.times("</a>", 100))
        let path = try XPath(parsing: "//*")
        let meter = Meter(.max)
        let made = try path.texts(document, meter: meter).reduce(0) { $0 + $1.utf8.count }
        #expect(made > Meter.bytes / 2 && meter.bytesLeft == Meter.bytes - made)
        #expect(throws: XPathError.self) { _ = try path.texts(document, meter: meter) }
        meter.giveBack(made)
        #expect(throws: Never.self) { _ = try path.texts(document, meter: meter) }
    }

    private static let many = (0..<400).map { "<i>\($0)</i>" }.joined()
    /// Expected documents and others, with the units that their comparison takes at least.
    private static let comparisons: [(expected: String, actual: String, least: Int)] = [
        ("<a/>", wide, 20_000 * 16), ("<a>\(times("<b/>", 20_000))</a>", wide, 40_000 * 16),
        ("<a>b</a>", text, 200_000 / 4),
        ("<a>\(many)</a>", "<a>\(many)x</a>", 800 * 16),
        ("<a>b</a>", "<a>\(times("x<!-- -->", 30_000))</a>", 60_000 * 16),
        (text, text, 200_000 / 4),
    ]

    @Test(arguments: comparisons.indices, [false, true])
    func `a comparison pays for all of a document that it reads, and makes no word that nobody reads`(
        index: Int, ignoresOrder: Bool
    ) throws {
        let compared = Self.comparisons[index]
        var options = XMLEquality.Options()
        options.ignoresOrderOfSameName = ignoresOrder
        let equality = try XMLEquality(compared.expected, options: options)
        let actual = try XMLDocument(parsing: compared.actual)
        let (meter, told) = (Meter(.max), Meter(.max))
        let isEqual = compared.expected == compared.actual
        #expect(equality.outcome(actual, meter: meter) == (isEqual ? .equal : .different))
        #expect(meter.paid >= compared.least, "\(meter.paid)")
        #expect(equality.differences(actual, most: 1, meter: told).isEmpty == isEqual)
        #expect(told.paid >= meter.paid)
        let stop = WorkStop()
        stop.ask()
        let left = Meter(stop: stop)
        _ = left.pay(Meter.certain)
        #expect(equality.outcome(actual, meter: left) == .givenUp)
    }

    @Test func `the first difference of many is found without a look at the rest`() throws {
        let equality = try XMLEquality("<a>" + Self.times("<b>1</b>", 2_000) + "</a>")
        let other = try XMLDocument(parsing: "<a>" + Self.times("<b>2</b>", 2_000) + "</a>")
        let (meter, all) = (Meter(.max), Meter(.max))
        #expect(equality.outcome(other, meter: meter) == .different)
        #expect(equality.differences(other, meter: all).count == 10)
        #expect(meter.paid < all.paid)
    }

    /// Values of nodes that are compared; of two that look the same, each has its own letters.
    private static let values = ["", "1", "2", "2.0", "a", "é", "e\u{301}", "-1"]
    private static let comparers: [(text: String, holds: @Sendable (String, String) -> Bool)] = [
        ("=", { Array($0.utf8) == Array($1.utf8) }), ("!=", { Array($0.utf8) != Array($1.utf8) }),
        ("<", { number($0) < number($1) }),
        ("<=", { number($0) <= number($1) }), (">", { number($0) > number($1) }), (">=", { number($0) >= number($1) }),
    ]
    private static func number(_ text: String) -> Double { Double(text) ?? .nan }

    @Test func `sets of nodes compare as all their pairs do`() throws {
        var generator = SplitMix(seed: 52)
        for _ in 0..<300 {
            let (left, right) = (
                (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    Self.values.randomElement(using: &generator) ?? ""
                },
                (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    Self.values.randomElement(using: &generator) ?? ""
                }
            )
            let document = try XMLDocument(
                parsing: "<r>" + left.map { "<a>\($0)</a>" }.joined() + right.map { "<b>\($0)</b>" }.joined() + "</r>")
            for (text, holds) in Self.comparers {
                let expected = left.contains { one in right.contains { holds(one, $0) } }
                #expect(
                    try XPath(parsing: "/r/a \(text) /r/b").evaluate(document) == .boolean(expected),
                    "\(left) \(text) \(right)")
                guard let other = right.first else { continue }
                #expect(
                    try XPath(parsing: "/r/a \(text) '\(other)'").evaluate(document)
                        == .boolean(left.contains { holds($0, other) }), "\(left) \(text) \(other)")
                #expect(
                    try XPath(parsing: "'\(other)' \(text) /r/a").evaluate(document)
                        == .boolean(left.contains { holds(other, $0) }), "\(other) \(text) \(left)")
            }
        }
    }

    @Test func `an error behind many lines names its own`() {
        let text = "<?xml version='1.0'?>" + Self.times("\n", 300_000) + "  <!DOCTYPE a [<!ENTITY b 'c'>]><a/>"
        let refusal = "a document type that declares entities with a text is not accepted"
        #expect(failure(text) == "line 300001, column 16: \(refusal)")
    }
}
