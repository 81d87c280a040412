// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Texts, numbers and patches as Python has them: its `json` and `decimal`, and RFC 6902 and RFC 7396 written down in it.
@Suite(.supervised) struct JSONReferenceTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.compactMap { UInt8(String(Unicode.Scalar($0)), radix: 16) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test func `texts, numbers and patches are what they are to Python`() async throws {
        let seed = Thoroughness.rounds(8259, thorough: .random(in: 0..<1 << 31))
        let end = try await Command(python: "texts.py", ["\(seed)"]).end()
        try #require(end.code == 0, "\(end.errors)")
        var counts: [String: Int] = [:]
        for line in end.output.split(separator: "\n") {
            let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            switch parts[0] {
            case "text":
                let (text, expected) = (Self.bytes(parts[1]), Self.bytes(parts[2]))
                let node = try? JSONParser.parse(text)
                if node.map(JSONWriter.compact) ?? [] != expected {
                    Issue.record(
                        "\(String(decoding: text, as: UTF8.self)) is \(node.map { String(decoding: JSONWriter.compact($0), as: UTF8.self) } ?? "refused")"
                    )
                }
                counts[expected.isEmpty ? "refused" : "read", default: 0] += 1
            case "number":
                let (left, right) = (JSONNumber(literal: parts[1]), JSONNumber(literal: parts[2]))
                let order = Int(parts[3]) ?? 0
                #expect(left.compare(to: right).signum() == order, "\(line)")
                #expect((left == right) == (order == 0), "\(line)")
                #expect((left.canonicalText == right.canonicalText) == (order == 0), "\(line)")
                #expect(left.integer == Int(parts[4]), "\(line)")
                counts["number \(order)", default: 0] += 1
            case "patch":
                let node = try JSONParser.parse(parts[1])
                do {
                    let patched = try JSONPatch(JSONParser.parse(parts[2])).applied(to: node, paying: { _ in true })
                    let expected = try? JSONParser.parse(parts[3])
                    #expect(patched == expected, "\(line)")
                    counts["patched", default: 0] += 1
                } catch let error as JSONPatch.Failure {
                    #expect("\(error.kind)" == parts[3], "\(line): \(error.text)")
                    counts[parts[3], default: 0] += 1
                }
            default:
                let expected = try JSONParser.parse(parts[3])
                #expect(try JSONParser.parse(parts[1]).merging(JSONParser.parse(parts[2])) == expected, "\(line)")
            }
        }
        #expect(counts.count == 9)
        #expect(counts.values.allSatisfy { $0 > 30 }, "\(counts)")
    }

    @Test func `what is enough of a text is its beginning`() throws {
        let node = try JSONParser.parse(
            #"{"name":["a long text","é😀",[1,[2.5],{"x":{}}],-12345678901234567890],"":null,"b":[true,false]}"#)
        let whole = JSONWriter.compact(node)
        for enough in 0...whole.count + 2 {
            let start = JSONWriter.compact(node, enough: enough)
            #expect(start.count > enough || start == whole, "\(enough)")
            #expect(
                whole.starts(with: start.prefix(enough + 1)), "\(enough): \(String(decoding: start, as: UTF8.self))")
            #expect(start.count <= 2 * enough + 24, "\(enough): \(start.count)")
        }
    }

    @Test func `a patch makes no value that is nested deeper than a text may be`() throws {
        let wraps: [(JSONNode) -> JSONNode] = [{ .array([$0]) }, { .object(["a": $0]) }]
        for wrap in wraps {
            for levels in 508...515 {
                let value = (0..<levels).reduce(JSONNode.null) { node, _ in wrap(node) }
                for (document, path) in [(#"{"b":0}"#, "/b"), ("[[0]]", "/0/0"), ("0", "")] {
                    let patch = try JSONPatch(
                        .array([.object(["op": .string("add"), "path": .string(path), "value": value])]))
                    let depth = levels + path.split(separator: "/").count
                    let patched = try? patch.applied(to: JSONParser.parse(document), paying: { _ in true })
                    #expect((patched != nil) == (depth <= JSONParser.maximumDepth), "\(levels) at \(path)")
                    if let patched { try JSONParser.check(JSONWriter.compact(patched)) }
                }
            }
        }
    }

    @Test func `what is small stands in one line of a text for review`() throws {
        func reviewable(_ text: String) throws -> String {
            String(decoding: JSONWriter.reviewable(try JSONParser.parse(text)), as: UTF8.self)
        }
        for (text, expected) in [
            ("1", "1"), ("[]", "[]"), ("{}", "{}"), ("[1]", "[1]"), ("[[1]]", "[[1]]"), ("[1,2]", "[\n  1,\n  2\n]"),
            (#"{"a":1}"#, #"{ "a": 1 }"#),
            (#"{"a":1,"b":null}"#, #"{ "a": 1, "b": null }"#), (#"{"a":{"b":[{}]}}"#, #"{ "a": { "b": [{}] } }"#),
            (#"{"a":1,"b":{"c":2}}"#, "{\n  \"a\": 1,\n  \"b\": { \"c\": 2 }\n}"),
            (#"{"a":1,"b":[2]}"#, "{\n  \"a\": 1,\n  \"b\": [2]\n}"),
            (#"{"a":1,"b":2,"c":3}"#, "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}"),
            (#"{"a":[1,2]}"#, "{\n  \"a\": [\n    1,\n    2\n  ]\n}"),
        ] {
            #expect(try reviewable(text) == expected)
        }
        for count in 0..<100 {
            let line = #"{ "a": "\#(String(repeating: "x", count: count))" }"#
            #expect(try (reviewable(line) == line) == (line.utf8.count <= 80), "\(line.utf8.count)")
        }
    }

    @Test func `an offset has the line and the column that counting gives`() {
        let text = Array("a\n\nbc\r\n\n\nlast".utf8)
        let map = LineMap(text)
        var (line, column) = (1, 1)
        for (offset, byte) in text.enumerated() {
            #expect(map.position(of: offset) == (line, column))
            if column == 1 { #expect(map.start(ofLine: line) == offset) }
            (line, column) = byte == UInt8(ascii: "\n") ? (line + 1, 1) : (line, column + 1)
        }
        #expect(map.position(of: text.count) == (line, column))
        #expect(map.start(ofLine: 0) == nil)
        #expect(map.start(ofLine: line + 1) == nil)
    }
}
