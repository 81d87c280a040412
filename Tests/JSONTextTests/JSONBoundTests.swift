// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

/// Where one thing ends and another begins: bytes, options, counts and limits, each with its neighbours.
///
/// No test can see shortcuts that save time alone: for names without `~` and `/`, integers, small objects, and texts that are all of the
/// beginning that is asked for; nor whether a check makes a tree that nobody gets.
@Suite(.supervised) struct JSONBoundTests {
    private func failure(_ bytes: [UInt8], _ options: JSONParser.Options = []) -> JSONError? {
        do {
            _ = try JSONParser.parse(bytes, options: options)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a byte that may not stand somewhere is named, by its sign if it has one`() {
        let starters = Array("\"'{[-0123456789tfn/# \n\r\t".utf8)
        for byte in UInt8.min...UInt8.max where !starters.contains(byte) {
            let name = (0x21...0x7E).contains(byte) ? "'\(Unicode.Scalar(byte))'" : "byte 0x\(String(byte, radix: 16))"
            if byte != UInt8(ascii: "]") {
                let inList = JSONError(offset: 2, message: "unexpected \(name) in the place of a value")
                #expect(failure(Array("[ ".utf8) + [byte]) == inList)
            }
            if byte != UInt8(ascii: ","), byte != UInt8(ascii: "]") {
                #expect(
                    failure(Array("[1 ".utf8) + [byte])
                        == JSONError(offset: 3, message: "expected ',' or ']', found \(name)"))
            }
        }
        #expect(
            failure(Array("[1".utf8)) == JSONError(offset: 2, message: "expected ',' or ']', found the end of the text")
        )
        #expect(failure(Array("[".utf8)) == JSONError(offset: 1, message: "the text ends, but a value should follow"))
        #expect(failure([]) == JSONError(offset: 0, message: "the text is empty"))
    }

    @Test func `an option allows what it is for, and nothing else`() {
        let all: [(JSONParser.Options, [String])] = [
            (.comments, ["1 // x", "1 // x\n", "/**/1", "1/* x * / */", "[1,/***/2]", "{/* */\"a\"//\n:1}"]),
            (.singleQuotes, ["'a'", "{'a':1}", "'\"'", #"'\''"#, #"{"a":'b'}"#, #""\'""#]),
            (.textBehind, ["1 x", "[] ]", "\"a\"b", "{}{", "true false"]),
        ]
        let plain = ["1", "[]", #"{"a":"'"}"#, "\"//\"", " \n\r\t0 \n\r\t"]
        let never = ["'a", "1.e1", "/", "/ 1", "/*/ 1", "[1 / 2]", "[1 /", "x 1", "['a\"]", "nulll"]
        for bits in 0..<8 {
            let options = JSONParser.Options(rawValue: bits)
            for text in plain { #expect(failure(Array(text.utf8), options) == nil, "\(text) with \(bits)") }
            for text in never where text != "nulll" || !options.contains(.textBehind) {
                #expect(failure(Array(text.utf8), options) != nil, "\(text) with \(bits)")
            }
            for (option, texts) in all {
                // A comment behind a value is a text behind it, too.
                for text in texts where !(option == .comments && text.hasPrefix("1") && options.contains(.textBehind)) {
                    #expect(
                        (failure(Array(text.utf8), options) == nil) == options.contains(option), "\(text) with \(bits)")
                }
            }
        }
        #expect(failure(Array("1 /".utf8), .comments) == JSONError(offset: 2, message: "unexpected '/'"))
        #expect(failure(Array("[1 /".utf8)) == JSONError(offset: 3, message: "expected ',' or ']', found '/'"))
    }

    private func count(_ node: JSONNode) -> Int {
        1 + (node.array ?? node.object?.members.map(\.value) ?? []).reduce(0) { $0 + count($1) }
    }

    @Test(arguments: ["1", "[]", "[1]", #"{"a":[1,{"b":null}],"c":"d"}"#, "[[[[]]],[1,2]]"])
    func `a text is given up at the first value too many`(text: String) throws {
        let bytes = Array(text.utf8)
        let count = count(try JSONParser.parse(text))
        for most in 0...count + 2 {
            let node = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
                try JSONParser.parse(buffer, most: most)
            }
            #expect((node != nil) == (most >= count), "\(most)")
        }
        // What is broken behind the last value that is read is not seen.
        let broken = Array("[\(text),x".utf8)
        for most in 0...count + 3 {
            let isGivenUp = broken.withUnsafeBufferPointer { buffer in
                do { return try JSONParser.parse(buffer, most: most) == nil } catch { return false }
            }
            #expect(isGivenUp == (most < count + 2), "\(most)")
        }
    }

    @Test(arguments: [
        ("[]", 88), ("[1,2]", 264), (#"{"a":1}"#, 232), (#""fifteen letters""#, 88), (#""sixteen letters!""#, 136),
        (#"{"sixteen letters!":"éééééééé"}"#, 328), (#"[{"a":[]}]"#, 320),
    ])
    func `a text is given up once it weighs too much`(text: String, weight: Int) throws {
        let weights = JSONParser.Weights(value: 88, name: 56, text: 32)
        for (most, isRead) in [(weight, true), (weight - 1, false), (0, false)] {
            let node = try Array(text.utf8).withUnsafeBufferPointer { (buffer) throws(JSONError) in
                try JSONParser.parse(buffer, most: most, weights: weights)
            }
            #expect((node != nil) == isRead, "\(most)")
        }
    }

    @Test func `a value is read where it begins, with its places in the whole text`() throws {
        let text = Array(#"x {"a": [1, 'b']} y"#.utf8)
        let node = try JSONParser.parse(text, at: 2, options: .singleQuotes)
        #expect(node.offset == 2)
        #expect(node["a"]?.array?.map(\.offset) == [9, 12])
        #expect(throws: JSONError(offset: 0, message: "unexpected 'x' in the place of a value")) {
            try JSONParser.parse(text, at: 0)
        }
        #expect(throws: JSONError(offset: text.count, message: "the text ends, but a value should follow")) {
            try JSONParser.parse(text, at: text.count)
        }
    }

    @Test(arguments: [0, 1, 4095, 4096, 4097, 8191, 8192, 8193])
    func `an array is folded by 4,096 elements`(count: Int) throws {
        let text = Array("[\((0..<count).map(String.init).joined(separator: ","))]".utf8)
        var sizes: [Int] = []
        let rest = try JSONParser.parse(text) { sizes.append($1.count) }.array?.count
        #expect(sizes == Array(repeating: 4096, count: count / 4096))
        #expect(rest == count % 4096)
    }

    @Test func `a text that stands in another is indented with it`() throws {
        let node = try JSONParser.parse(#"{"a":[1,{"b":[],"c":{}}],"d":"e"}"#)
        let pretty = String(decoding: JSONWriter.pretty(node), as: UTF8.self)
        for level in 0..<3 {
            var output: [UInt8] = []
            JSONWriter.append(node, level: level, to: &output)
            let expected = pretty.replacing("\n", with: "\n" + String(repeating: "  ", count: level))
            #expect(String(decoding: output, as: UTF8.self) == expected)
        }
    }

    @Test func `a line map takes bytes that lie in pieces`() {
        let map = LineMap([UInt8](repeating: UInt8(ascii: "\n"), count: 2).lazy.map { $0 })
        #expect((0...2).map { map.position(of: $0).line } == [1, 2, 3])
    }

    @Test(arguments: [7, 8, 9])
    func `objects of any size are equal by their names and last values`(count: Int) {
        func object(_ values: Range<Int>, _ more: [(String, Int)] = []) -> JSONObject {
            JSONObject((values.map { ("k\($0)", $0) } + more).map { .init(name: $0.0, value: .integer($0.1)) })
        }
        let whole = object(0..<count)
        #expect(whole == JSONObject(whole.members.reversed()))
        #expect(whole == object(0..<count, [("k0", 0)]))
        #expect(whole != object(0..<count, [("k0", 1)]))
        #expect(whole != object(0..<count - 1) && object(0..<count - 1) != whole)
        #expect(whole != object(0..<count - 1, [("x", 1)]))
    }

    // MARK: Patches

    /// The steps that a patch pays for; nil if it fails.
    private func steps(_ text: String, _ patch: String, most: Int = .max) -> Int? {
        var paid = 0
        let patched = try? JSONPatch(JSONParser.parse(patch)).applied(to: JSONParser.parse(text)) { steps in
            paid += steps
            return paid <= most
        }
        return patched.map { _ in paid }
    }

    @Test(arguments: [
        ("0", #"{"op":"add","path":"","value":"abc"}"#, 4), ("0", #"{"op":"add","path":"","value":12.5}"#, 5),
        ("0", #"{"op":"add","path":"","value":[null,true]}"#, 6),
        ("0", #"{"op":"add","path":"","value":{"ab":[]}}"#, 7),
        (#"{"b":1}"#, #"{"op":"add","path":"/a","value":null}"#, 4),
        ("[1,2,3]", #"{"op":"remove","path":"/0"}"#, 4), ("[1,2,3]", #"{"op":"replace","path":"/2","value":null}"#, 6),
        (#"{"a":[1,2]}"#, #"{"op":"test","path":"/a","value":[1,2]}"#, 8),
        (#"{"a":[1,2]}"#, #"{"op":"copy","from":"/a","path":"/b"}"#, 10),
        (#"{"a":[1,2]}"#, #"{"op":"move","from":"/a","path":"/b"}"#, 9),
        (#"{"a":{"b":{"c":1}}}"#, #"{"op":"remove","path":"/a/b/c"}"#, 6),
    ])
    func `an operation pays for what it passes and what it takes`(text: String, operation: String, expected: Int) {
        #expect(steps(text, "[\(operation)]") == expected)
        #expect(steps(text, "[\(operation)]", most: expected) == expected)
        #expect(steps(text, "[\(operation)]", most: expected - 1) == nil)
    }

    @Test func `a patch has 1,000 operations at most`() throws {
        let node = try JSONParser.parse(#"{"op":"test","path":"","value":0}"#)
        for (count, isRead) in [(1000, true), (1001, false)] {
            let patch = try? JSONPatch(.array(Array(repeating: node, count: count)))
            #expect((patch != nil) == isRead)
        }
    }

    @Test(arguments: ["0", "1", "2", "3", "-", "", "00", "01", "+1", "-1", "1 ", "/", ":", "9", "99999999999999999999"])
    func `an index is written in one way`(name: String) {
        let token = name.replacing("/", with: "~1")
        let places = [("test", 3), ("add", 4)]
        for (operation, count) in places {
            let isIndex = (0..<count).map(String.init).contains(name) || operation == "add" && name == "-"
            let value = Int(name).map { "\($0 * 5)" } ?? "0"
            let patch = #"[{"op":"\#(operation)","path":"/\#(token)","value":\#(value)}]"#
            #expect((steps("[0,5,10]", patch) != nil) == isIndex, "\(operation) \(name)")
        }
    }
}
