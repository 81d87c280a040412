// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiYAMLText

@Suite(.supervised) struct YAMLParserTests {
    private func json(_ yaml: String) throws -> String {
        String(decoding: JSONWriter.compact(try YAMLParser.parse(Array(yaml.utf8))), as: UTF8.self)
    }

    @Test(arguments: [
        ("a: 1\nb: x y\n", #"{"a":1,"b":"x y"}"#),
        ("- 1\n- - 2\n  - 3\n- a: 4\n  b: 5\n-\n", #"[1,[2,3],{"a":4,"b":5},null]"#),
        ("a:\n- 1\n- 2\nb:\n  - 3\n", #"{"a":[1,2],"b":[3]}"#),
        ("a: {b: 1, c: [x, 'y', \"z\"], \"d\":2, e}\n", #"{"a":{"b":1,"c":["x","y","z"],"d":2,"e":null}}"#),
        ("a: [\n  1,  # one\n  {b: 2},\n]\n", #"{"a":[1,{"b":2}]}"#),
        ("a: [b: 1, c]\n", #"{"a":[{"b":1},"c"]}"#),
        ("a: |\n  x\n   y\n\n  z\nb: 1\n", #"{"a":"x\n y\n\nz\n","b":1}"#),
        ("a: >-\n  x\n  y\n\n  z\n    more\n  w\n", #"{"a":"x y\nz\n  more\nw"}"#),
        ("a: |+\n  x\n\nb: |2-\n   y\n", #"{"a":"x\n\n","b":" y"}"#),
        ("a: one\n  two\n\n  three # no more\nb: 'it''s\n  so'\n", #"{"a":"one two\nthree","b":"it's so"}"#),
        ("a: \"\\u00e9\\ud83d\\ude00\\x41\\n\\t\\\\ b\"\n", #"{"a":"é😀A\n\t\\ b"}"#),
        ("a: &x {n: 1}\nb: *x\nc:\n  <<: *x\n  m: 2\n", #"{"a":{"n":1},"b":{"n":1},"c":{"m":2,"n":1}}"#),
        ("# c\n%YAML 1.2\n---\na: ~\nb: Null\nc:\n...\nrest", #"{"a":null,"b":null,"c":null}"#),
        ("200: x\n'201': y\n2.5: z\n", #"{"200":"x","201":"y","2.5":"z"}"#),
        (
            "[1, 007, +3, .5, 1., 0x1F, 0o17, 1e3, -2.5E-1, 1_0, 1.2.3, -, 2026-11-20, .inf, yes, True]",
            #"[1,7,3,0.5,1,31,15,1e3,-2.5e-1,"1_0","1.2.3","-","2026-11-20",".inf","yes",true]"#
        ),
        ("? a\n: b\n? |\n  c\n: - d\ne: !!int \"7\"\n", #"{"a":"b","c\n":["d"],"e":7}"#),
        ("a: !!str 1\nb: http://x/y:z\nc: a#b\nd: -x\n", #"{"a":"1","b":"http://x/y:z","c":"a#b","d":"-x"}"#),
        ("{\"a\": [1, {\"b\": null}]}", #"{"a":[1,{"b":null}]}"#),
        ("a:\r\n  b: 1\r\n  c:\r\n    - x\r\n", #"{"a":{"b":1,"c":["x"]}}"#),
        ("\"a b\" : 1\n'c' : 2\n? x\n".replacing("? x\n", with: ""), #"{"a b":1,"c":2}"#),
        (
            "a: &a {x: 1}\nb: &b {x: 2, y: 3}\nc:\n  <<: [*a, *b]\n  z: 4\nd: {y: 5, <<: *b}\n",
            #"{"a":{"x":1},"b":{"x":2,"y":3},"c":{"z":4,"x":1,"y":3},"d":{"y":5,"x":2}}"#
        ),
        ("<<: x\n", #"{"<<":"x"}"#), ("'<<': {a: 1}\n", #"{"<<":{"a":1}}"#), ("? <<\n: {a: 1}\n", #"{"<<":{"a":1}}"#),
        ("a: &l\n  - 1\nb: *l\n", #"{"a":[1],"b":[1]}"#), ("plain text\n", #""plain text""#), ("", "null"),
        ("a: !!str 1 # one\nb: ! 2\nc: !!str null", #"{"a":"1","b":"2","c":"null"}"#),
        ("[a\n b, c]", #"["a b","c"]"#), ("{a\n b: c\n d}", #"{"a b":"c d"}"#),
        ("[!!str 1, !!str 2]", #"["1","2"]"#), ("{a: !!str 1}", #"{"a":"1"}"#), ("[!!null ~, !x 1]", "[null,1]"),
        ("\"a\\ \n b\"", #""a  b""#), ("\"a \t\n\n b\"", #""a\nb""#), ("\"a\\t\n b\"", #""a\t b""#),
        ("&x ", "null"), ("a: &x", #"{"a":null}"#), ("a: 1\n...", #"{"a":1}"#), ("a: 1\n---", #"{"a":1}"#),
        ("a\n....\n", #""a ....""#), ("--- 1", "1"),
    ])
    func `a text is the value that it says`(_ yaml: String, _ expected: String) throws {
        #expect(try json(yaml) == expected)
    }

    @Test(arguments: [
        ("a: 1\n  b: 2\n", 8, "nothing may stand behind the value on this line"),
        ("a: 1\na: 2\n", 5, "the key \"a\" stands here twice"),
        ("a:\n\tb: 1\n", 4, "a tab does not indent"), ("a: *b\n", 3, "there is no anchor \"b\" before this"),
        ("a: [1, 2\n", 9, "a comma or ] is missing here"),
        ("a: \"x\n", 3, "the text's closing quote is missing"),
        ("? [a]\n: b\n", 1, "a key that is not a text"), ("a: %x\n", 3, "a value cannot begin with this character"),
        ("a:\n    b: 1\n  c: 2\n", 14, "this line is indented otherwise than those before it"),
        ("a: \"\\", 5, "the text ends within a quoted text"),
        ("a: - 1\n", 3, "a list cannot begin on this line"), ("a: ? b\n", 3, "a map cannot begin on this line"),
        ("a: b: c\n", 4, "nothing may stand behind the value on this line"),
        ("a: &x [*x]\n", 7, "there is no anchor \"x\" before this"),
        ("\"\\x41", 0, "the text's closing quote is missing"), ("\"\\x4", 3, "2 hexadecimal digits are missing here"),
        ("{", 1, "a key is expected here"), ("{[a]: 1}", 1, "a key is expected here"),
        ("{,}", 1, "a key is expected here"), ("[", 1, "the text ends within a list or a map"),
        ("{a: 1", 5, "a comma or } is missing here"), ("a: & b", 4, "a name is missing here"),
        ("a: [*]", 5, "a name is missing here"),
    ])
    func `what cannot be read is told with its place`(_ yaml: String, _ offset: Int, _ message: String) {
        #expect(throws: JSONError(offset: offset, message: message)) { try YAMLParser.parse(Array(yaml.utf8)) }
    }

    @Test func `places are those of the text`() throws {
        let node = try YAMLParser.parse(Array("a:\n  - b: x\n".utf8))
        #expect(node["a"]?.array?[0]["b"]?.offset == 10)
        #expect(node["a"]?.array?[0].object?.members[0].nameOffset == 7)
    }

    private func isRead(_ yaml: String, orElse message: String) -> Bool {
        do {
            _ = try YAMLParser.parse(Array(yaml.utf8))
            return true
        } catch {
            #expect(error.message == message)
            return false
        }
    }

    @Test func `a text has 128 levels at most, those behind aliases among them`() {
        func lists(_ count: Int, around inner: String) -> String {
            String(repeating: "[", count: count) + inner + String(repeating: "]", count: count)
        }
        for count in (1...5).map({ $0 * 40 }) + Array(120...135) {
            let maps = (0..<count).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
            let half = count / 2
            var chain = "a1: &a1 [x]\n"
            // The map, and the list in it: a level that the anchors before it have not.
            for level in 2..<count { chain += "a\(level): &a\(level) [*a\(level - 1)]\n" }
            for text in [
                lists(count, around: "x"), String(repeating: "- ", count: count) + "x", maps,
                lists(count - 2, around: "[a: x]"), lists(count - 1, around: "{a: x}"),
                String(repeating: "- ", count: count - 1) + "? x",
                String(repeating: "- ", count: count - 1) + "? x\n\(String(repeating: "  ", count: count - 1)): y",
                "a: &a \(lists(half, around: "x"))\nb: \(lists(count - half - 1, around: "*a"))",
                "a: &a \(lists(half, around: "x"))\nb: &b [*a]\nc:\n - \(lists(count - half - 3, around: "*b"))", chain,
            ] {
                #expect(isRead(text, orElse: "more than 128 levels") == (count <= 128), "\(text.prefix(200))")
            }
        }
    }

    @Test func `a text has a million values at most, those behind aliases counted each time`() {
        // A value of a block is counted again as a list or map in brackets.
        let anchor = "&a [\(String(repeating: "x,", count: 999))]"
        let aliases = String(repeating: "*a,", count: 998)
        for (rest, isRead) in [(998, true), (999, false)] {
            let plain = String(repeating: "y,", count: rest)
            for text in ["[\(anchor),\(aliases)\(plain)]", "[\(plain)\(anchor),\(aliases)]"] {
                #expect(self.isRead(text, orElse: "more than 1000000 values") == isRead)
            }
            // The anchor of a block has one value more, and so has each alias of it.
            let lines = (0..<998).map { "b\($0): *a\n" }.joined() + (998..<rest).map { "c\($0): y\n" }.joined()
            #expect(self.isRead("a: \(anchor)\n" + lines, orElse: "more than 1000000 values") == isRead)
        }
        var laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<10 {
            let names = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            laughs += "a\(level): &a\(level) [\(names)]\n"
        }
        #expect(!isRead(laughs, orElse: "more than 1000000 values"))
    }

    /// Every text of up to four of these signs, beside the core schema's expressions (YAML 1.2.2 §10.3.2).
    @Test func `a plain text is a number where the core schema says so`() throws {
        var texts = [""]
        for count in 0..<4 {
            texts += texts.filter { $0.utf8.count == count }.flatMap { text in "01-+.ex:".map { text + String($0) } }
        }
        for text in texts where !text.isEmpty {
            let isDecimal = text.wholeMatch(of: /[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?/) != nil
            let expected =
                isDecimal
                ? Double(text.hasSuffix(".") ? text + "0" : text.replacing(".e", with: "e"))
                : text.wholeMatch(of: /0x([01e]+)/).flatMap { Int($0.1, radix: 16) }.map(Double.init)
            let node = YAMLParser.resolved(text, at: 0)
            #expect(node.number?.double == expected, "\(text)")
            if let literal = node.number?.literal {
                _ = try JSONParser.parse(literal)
            } else {
                #expect(node.string == text)
            }
        }
    }

    @Test func `each beginning and each change of a text is read or refused at a place of it`() {
        let text = Array(
            "%YAML 1.2\n---\na: &x {b: [1, 'c', \"d\\u00e9\"]}\ne: |2-\n   f\ng: >+\n  h\n\n- *x\n<<: *x\n? i\n".utf8)
        for end in 0...text.count { expectPlace(within: Array(text[..<end])) }
        let signs = Array("\n :-[]{}#&*!|>'\"%\t\\".utf8)
        for index in text.indices {
            for sign in signs {
                var changed = text
                changed[index] = sign
                expectPlace(within: changed)
            }
        }
        for seed in 0..<UInt64(Thoroughness.rounds(60, thorough: 2000)) {
            var writer = YAMLWriter(seed: seed)
            let value = writer.value()
            let text = Array(writer.document(value).utf8.prefix(120))
            for end in 0...text.count { expectPlace(within: Array(text[..<end])) }
        }
    }

    /// A text is read, or has the place of what cannot be.
    private func expectPlace(within text: [UInt8]) {
        do {
            _ = try YAMLParser.parse(text)
        } catch {
            #expect((0...text.count).contains(error.offset), "\(error) in \(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test func `a value is read in each of the ways it may be written`() throws {
        let seed = UInt64(Thoroughness.rounds(61, thorough: .random(in: 0..<1 << 31)))
        for round in 0..<Thoroughness.rounds(1500, thorough: 100_000) {
            var writer = YAMLWriter(seed: seed &+ UInt64(round))
            let value = writer.value()
            let text = writer.document(value)
            let expected = try JSONParser.parse(Array(value.json.utf8))
            let node: JSONNode
            do { node = try YAMLParser.parse(Array(text.utf8)) } catch {
                Issue.record("seed \(seed &+ UInt64(round)): \(error) in\n\(text)\nfor \(value.json)")
                return
            }
            let (read, written) = (JSONWriter.compact(node), JSONWriter.compact(expected))
            if read != written {
                Issue.record(
                    "seed \(seed &+ UInt64(round)): \(String(decoding: read, as: UTF8.self)), not \(value.json), of\n\(text)"
                )
                return
            }
        }
    }
}
