// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@Suite(.supervised) struct JSONParserTests {
    @Test func `order, literals and places survive reading and writing`() throws {
        let text = #"{"b":1.50,"a":[9223372036854775808,"\u00e9\n",{}],"c":null}"#
        let node = try JSONParser.parse(text)
        #expect(
            String(decoding: JSONWriter.compact(node), as: UTF8.self)
                == #"{"b":1.50,"a":[9223372036854775808,"é\n",{}],"c":null}"#)
        #expect(node["b"]?.offset == 5)
        #expect(node["a"]?.array?[0].number?.literal == "9223372036854775808")
    }

    @Test(arguments: [
        ("1", "1.0", true), ("10", "1e1", true), ("-0", "0", true), ("0.1", "0.10", true), ("1", "2", false),
        ("9223372036854775808", "9223372036854775807", false), ("100", "10e1", true), ("0e5", "0", true),
    ])
    func `numbers are equal by value`(left: String, right: String, equal: Bool) throws {
        #expect((try JSONParser.parse(left) == JSONParser.parse(right)) == equal)
    }

    @Test(arguments: [
        (#"{"a" 1}"#, 5, "expected ':' behind a member's name, found '1'"),
        ("[1, ]", 2, "a comma in front of ']'; take it out"),
        ("{\"a\":1\n,}", 7, "a comma in front of '}'; take it out"),
        ("[,]", 1, "unexpected ',' in the place of a value"),
        ("[1,,2]", 3, "unexpected ',' in the place of a value"),
        ("// a\n1", 0, "JSON has no comments; take it out"), ("[1 /* a */]", 3, "JSON has no comments; take it out"),
        ("{\"a\":1} # a", 8, "JSON has no comments; take it out"), ("[/]", 1, "unexpected '/' in the place of a value"),
        ("['a']", 1, "a single quote; JSON has double quotes only"), ("", 0, "the text is empty"),
        ("01", 0, "a number with a zero in front"), ("\"a", 0, "a string that does not end"),
        ("1 2", 2, "text behind the end of the value"), ("nul", 0, "expected null"),
        ("1.", 0, "a number without digits"),
        ("{'a':1}", 1, "a single quote; JSON has double quotes only"),
    ])
    func `a broken text is named with its place`(text: String, offset: Int, message: String) {
        #expect(throws: JSONError(offset: offset, message: message)) { try JSONParser.parse(text) }
    }

    @Test(
        arguments: [
            [0xFF, 0xFE, 0x31, 0x00], [0xFE, 0xFF, 0x00, 0x31], [0x31, 0x00, 0x0A, 0x00], [0x00, 0x31],
        ] as [[UInt8]])
    func `a text in UTF-16 is named so`(text: [UInt8]) {
        #expect(throws: JSONError(offset: 0, message: "the text is in UTF-16; save it in UTF-8")) {
            try JSONParser.parse(text)
        }
    }

    @Test func `surrogate pairs make one character`() throws {
        #expect(try JSONParser.parse(#""\ud83d\ude00 \ud83d""#).string == "😀 \u{FFFD}")
    }

    @Test func `deep nesting is refused`() {
        #expect(throws: JSONError.self) { try JSONParser.parse(String(repeating: "[", count: 100_000)) }
    }

    @Test(arguments: ["/*", "/* ", "/**", "/*/", "/* a", "/* a*", "/*\n* /"])
    func `a comment that does not end is named with its place`(comment: String) {
        #expect(throws: JSONError(offset: 2, message: "a comment that does not end")) {
            try JSONParser.parse("1 " + comment, options: .comments)
        }
    }

    @Test func `comments and single quotes are read where they are allowed`() throws {
        let node = try JSONParser.parse("// a\n{'x': /* b */ 'it'}", options: [.comments, .singleQuotes])
        #expect(node["x"]?.string == "it")
    }

    @Test func `objects are equal in any order`() throws {
        #expect(try JSONParser.parse(#"{"a":1,"b":[1]}"#) == JSONParser.parse(#"{"b":[1.0],"a":1e0}"#))
        #expect(try JSONParser.parse(#"{"a":1}"#) != JSONParser.parse(#"{"a":1,"b":2}"#))
    }

    @Test func `pretty text is indented by two`() throws {
        let node = try JSONParser.parse(#"{"a":[1,{"b":[]}]}"#)
        #expect(
            String(decoding: JSONWriter.pretty(node), as: UTF8.self) == """
                {
                  "a": [
                    1,
                    {
                      "b": []
                    }
                  ]
                }
                """)
    }

    @Test func `an offset is a line and a column`() {
        let map = LineMap("ab\ncd\n".utf8)
        #expect(map.position(of: 0) == (1, 1))
        #expect(map.position(of: 4) == (2, 2))
        #expect(map.position(of: 6) == (3, 1))
    }

    @Test func `elements of long arrays are given out as they come, inner arrays before those around them`() throws {
        let inner = "[\((0..<5000).map(String.init).joined(separator: ","))]"
        let text = Array("[\(inner),7,[1]]".utf8)
        var folded: [Int: [JSONNode]] = [:]
        let node = try JSONParser.parse(text) { offset, elements in folded[offset, default: []] += elements }
        let array = try #require(node.array)
        #expect(array.count == 3, "a short array is in the tree")
        let rest = try #require(array[0].array)
        #expect(folded.keys.sorted() == [1])
        #expect(((folded[array[0].offset] ?? []) + rest).compactMap { $0.number?.integer } == Array(0..<5000))
    }
}
