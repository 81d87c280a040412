// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@Suite(.supervised) struct JSONPropertyTests {
    private func tree(_ random: inout SplitMix, depth: Int = 0) -> JSONNode {
        switch Int.random(in: 0..<(depth > 4 ? 5 : 7), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int.random(in: .min ... .max, using: &random))
        case 3:
            let literals = ["0", "-0", "1.50", "1E400", "-2.5e-3", "9223372036854775808", "0.000", "1e0"]
            return JSONNode(.number(JSONNumber(literal: literals.randomElement(using: &random) ?? "0")))
        case 4: return .string(text(&random))
        case 5: return .array((0..<Int.random(in: 0..<12, using: &random)).map { _ in tree(&random, depth: depth + 1) })
        default:
            return JSONNode(
                .object(
                    JSONObject(
                        (0..<Int.random(in: 0..<12, using: &random)).map { position in
                            .init(name: text(&random) + "\(position)", value: tree(&random, depth: depth + 1))
                        })))
        }
    }

    private func text(_ random: inout SplitMix) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "é", "\u{301}", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "\u{7F}", "😀", "\u{FFFD}",
        ]
        return (0..<Int.random(in: 0..<9, using: &random)).reduce(into: "") { text, _ in
            text.unicodeScalars.append(scalars.randomElement(using: &random) ?? "a")
        }
    }

    @Test(arguments: 1...200)
    func `what is written reads back the same, text and value`(seed: UInt64) throws {
        var random = SplitMix(seed: seed &* 0x9E37_79B9_7F4A_7C15)
        let node = tree(&random)
        let compact = JSONWriter.compact(node)
        let read = try JSONParser.parse(compact)
        #expect(read == node)
        #expect(JSONWriter.compact(read) == compact)
        #expect(try JSONParser.parse(JSONWriter.pretty(node)) == node)
        try JSONParser.check(compact)
    }

    @Test(arguments: 1...200)
    func `checking finds what reading finds`(seed: UInt64) throws {
        var random = SplitMix(seed: seed &* 0x9E37_79B9_7F4A_7C15)
        var text = JSONWriter.pretty(tree(&random))
        for _ in 0..<3 {
            text[Int.random(in: text.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            let options: JSONParser.Options = Bool.random(using: &random) ? [.comments, .singleQuotes] : []
            let read = Result { () throws(JSONError) in _ = try JSONParser.parse(text, options: options) }
            let check = Result { () throws(JSONError) in try JSONParser.check(text, options: options) }
            switch (read, check) {
            case (.success, .success): break
            case (.failure(let left), .failure(let right)): #expect(left == right)
            default: Issue.record("\(read) but \(check)")
            }
        }
    }

    @Test(arguments: 0...40)
    func `bytes in a string that are not UTF-8 are refused, and others kept, wherever they stand`(length: Int) throws {
        var random = SplitMix(seed: UInt64(length + 1) &* 0x9E37_79B9_7F4A_7C15)
        let plain = (UInt8(0x20)...0xFF).filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        // Bytes beyond ASCII are rare here, and of all kinds: a lone one among even ones, too.
        let ascii = plain.filter { $0 < 0x80 }
        for _ in 0..<200 {
            var bytes = (0..<length).compactMap { _ in ascii.randomElement(using: &random) }
            if let place = bytes.indices.randomElement(using: &random), Bool.random(using: &random) {
                bytes[place] = plain.randomElement(using: &random) ?? 0
            }
            let text = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
            let read = Result { () throws(JSONError) in try JSONParser.parse(text) }
            let check = Result { () throws(JSONError) in try JSONParser.check(text) }
            if let expected = String(validating: bytes, as: UTF8.self) {
                #expect(try read.get().string.map { Array($0.utf8) } == Array(expected.utf8))
                try check.get()
            } else {
                let error = JSONError(offset: 0, message: "a string that is not UTF-8; save the text in UTF-8")
                #expect(throws: error) { try read.get() }
                #expect(throws: error) { try check.get() }
            }
        }
    }

    @Test func `every byte is a hexadecimal digit in an escape, or is refused`() throws {
        for byte in UInt8.min...UInt8.max {
            let text = Array("\"\\u00".utf8) + [UInt8(ascii: "0"), byte] + Array("\"".utf8)
            let digit = byte < 0x80 ? Character(Unicode.Scalar(byte)).hexDigitValue : nil
            if let digit {
                #expect(try JSONParser.parse(text).string?.unicodeScalars.first?.value == UInt32(digit))
            } else {
                #expect(throws: JSONError(offset: 1, message: "expected four hexadecimal digits")) {
                    try JSONParser.parse(text)
                }
            }
        }
    }

    @Test func `names are equal by their bytes`() throws {
        let composed = try JSONParser.parse(#"{"\u00e9": 1}"#)
        let decomposed = try JSONParser.parse(#"{"e\u0301": 1}"#)
        #expect(composed != decomposed)
        #expect(composed["e\u{301}"] == nil)
        #expect(composed["\u{e9}"] != nil)
    }

    @Test func `of a repeated name the last value counts, in large objects too`() throws {
        let many = (0..<20).map { "\"k\($0)\": 1" }.joined(separator: ", ")
        #expect(try JSONParser.parse(#"{"a": 1, "a": 2}"#) == JSONParser.parse(#"{"a": 2}"#))
        #expect(
            try JSONParser.parse("{\(many), \"k3\": 2}")
                == JSONParser.parse("{\"k3\": 2, \(many.replacing("\"k3\": 1, ", with: ""))}"))
    }

    @Test func `the deepest text that is read needs little of a stack`() throws {
        let depth = JSONParser.maximumDepth
        let text = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        let node = try JSONParser.parse(text)
        #expect(String(decoding: JSONWriter.compact(node), as: UTF8.self) == text)
        #expect(throws: JSONError(offset: depth + 1, message: "nested deeper than 512 levels")) {
            try JSONParser.parse("[" + text)
        }
    }

    /// Literals, and what `Double.toString` of Java 17 makes of them; nil where the literal stays.
    private static let javaNumbers: [(literal: String, text: String?)] = [
        ("1.50", "1.5"), ("1e3", "1000.0"), ("1e7", "1.0E7"), ("9999999.0", nil), ("12345678.9", "1.23456789E7"),
        ("0.001", nil), ("0.00099", "9.9E-4"), ("0.0001", "1.0E-4"), ("1e-3", "0.001"), ("100.0", nil),
        ("-2.50", "-2.5"), ("0e5", "0.0"), ("-0.0", nil), ("-0.00", "-0.0"), ("1e21", "1.0E21"), ("1E+2", "100.0"),
        ("123456.7890", "123456.789"), ("12e-2", "0.12"), ("1200", nil), ("-7", nil), ("1.5", nil), ("1e999", nil),
        ("123456789.0123450", "1.23456789012345E8"), ("1234567.8901234500", "1234567.89012345"),
        ("1234567.89012345000", nil), ("12345678901234567890", nil),
    ]

    @Test(arguments: [
        ("5", "5"), ("007", "7"), ("-0", "0"), ("-12", "-12"), ("2147483647", "2147483647"),
        ("2147483648", "2.147483648E9"), ("1.0", "1.0"), ("1.50", "1.5"), ("-0.0", "-0.0"),
        ("12345678901234567", "1.2345678901234568E16"), ("0.1234567890123456789", "0.12345678901234568"),
    ])
    func `a number in a template is an int or a double of Java`(literal: String, text: String) {
        #expect(JSONNumber.javaLiteral(literal) == text)
    }

    @Test(arguments: [
        ("10.50", "10.50", "10.5"), ("1e3", "1000", "1000"), ("1.0", "1.0", "1"), ("100.0", "100.0", "100"),
        ("-0.0", "0.0", "0"), ("-0", "0", "0"), ("0e5", "0", "0"), ("0.00", "0.00", "0"), ("120", "120", "120"),
        ("1e-7", "0.0000001", "0.0000001"), ("-1.50E+2", "-150", "-150"), ("1.50e1", "15.0", "15"),
        ("-12345678901234567890.10", "-12345678901234567890.10", "-12345678901234567890.1"),
        ("2.5e-40", "0.\(String(repeating: "0", count: 39))25", "0.\(String(repeating: "0", count: 39))25"),
        ("1e40", "1\(String(repeating: "0", count: 40))", "1\(String(repeating: "0", count: 40))"),
        ("1e41", "1e41", "1e41"), ("1e-41", "1e-41", "1e-41"),
        ("1e99999999999999999999", "1e99999999999999999999", nil),
        ("1e-9223372036854775808", "1e-9223372036854775808", nil),
    ])
    func `a number without its exponent is a BigDecimal of Java`(literal: String, kept: String, short: String?) {
        #expect(JSONNumber(literal: literal).plainText(keepsZeros: true) == kept)
        #expect(JSONNumber(literal: literal).plainText(keepsZeros: false) == short ?? kept)
    }

    @Test func `numbers are written as Java writes them, wherever they stand, and only where that changes something`()
        throws
    {
        for (literal, text) in Self.javaNumbers {
            #expect(JSONNumber(literal: literal).javaText == text ?? literal, "\(literal)")
            for (start, end) in [
                ("", ""), ("[true,", ",\"1.50\"]"), ("[[null],{\"a\":", "}]"), ("{\"1.50\":[", "],\"b\":1}"),
            ] {
                let node = try JSONParser.parse(start + literal + end)
                let changed = node.withNumbers { $0.javaText }.map {
                    String(decoding: JSONWriter.compact($0), as: UTF8.self)
                }
                #expect(changed == text.map { start + $0 + end }, "\(start)\(literal)\(end)")
            }
        }
    }
}
