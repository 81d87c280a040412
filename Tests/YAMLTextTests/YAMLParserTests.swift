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
    ])
    func `what cannot be read is told with its place`(_ yaml: String, _ offset: Int, _ message: String) {
        #expect(throws: JSONError(offset: offset, message: message)) { try YAMLParser.parse(Array(yaml.utf8)) }
    }

    @Test func `places are those of the text`() throws {
        let node = try YAMLParser.parse(Array("a:\n  - b: x\n".utf8))
        #expect(node["a"]?.array?[0]["b"]?.offset == 10)
        #expect(node["a"]?.array?[0].object?.members[0].nameOffset == 7)
    }

    @Test func `depth and aliases have bounds`() throws {
        let deep = String(repeating: "[", count: 200)
        #expect { try YAMLParser.parse(Array(deep.utf8)) } throws: {
            ($0 as? JSONError)?.message == "more than 128 levels"
        }
        let blocks = (0..<200).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
        #expect { try YAMLParser.parse(Array(blocks.utf8)) } throws: {
            ($0 as? JSONError)?.message == "more than 128 levels"
        }
        var laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<10 {
            let names = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            laughs += "a\(level): &a\(level) [\(names)]\n"
        }
        #expect { try YAMLParser.parse(Array(laughs.utf8)) } throws: {
            ($0 as? JSONError)?.message == "more than 1000000 values"
        }
        var chain = "a0: &a0 [x]\n"
        for level in 1..<200 { chain += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        #expect { try YAMLParser.parse(Array(chain.utf8)) } throws: {
            ($0 as? JSONError)?.message == "more than 128 levels"
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
