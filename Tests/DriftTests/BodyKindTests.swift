// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiDrift

/// The kinds of bodies, by their media types and their bytes, and each compared as its own kind.
@Suite(.supervised) struct BodyKindTests {
    @Test func `YAML has no control characters but tabs and line ends`() {
        for byte in UInt8.min..<0x80 {
            let isControl = byte < 0x20 && ![9, 10, 13].contains(byte) || byte == 0x7F
            let body = Array("a: \"b".utf8) + [byte] + Array("c\"\n".utf8)
            if isControl { #expect(ComparableBody.documents(body, .yaml) == nil, "\(byte)") }
            if byte &- 0x61 < 26 { #expect(ComparableBody.documents(body, .yaml) != nil, "\(byte)") }
        }
    }

    @Test func `bytes look like what they begin with`() {
        for byte in UInt8.min ... .max {
            let next = UnicodeScalar(byte)
            let isTag = next.isASCII && next.properties.isAlphabetic || next == "!" || next == "?"
            for space in ["", " \n", "\u{FEFF}"] {
                #expect(BodyLook.isMarkup(Array((space + "<").utf8) + [byte]) == isTag, "\(byte)")
            }
            let isControl = byte < 0x20 && ![0x09, 0x0A, 0x0D, 0x0C].contains(byte)
            let expected: BodyLook = isControl || byte >= 0x80 ? .bytes : .text
            #expect(BodyLook([0x61, byte]) == expected, "\(byte)")
            #expect(BodyLook(Array("<a>".utf8) + [byte]) == (isControl ? .bytes : .markup), "\(byte)")
        }
        for (text, look) in [
            ("{}", BodyLook.json), (" [1]", .json), ("{", .text), ("7", .text), ("\"a\"", .text), ("", .text),
            ("<", .text), ("a<b", .text),
        ] {
            #expect(BodyLook(Array(text.utf8)) == look, "\(text)")
        }
    }

    @Test func `a body without a media type is what its bytes are, and text/plain may be JSON`() {
        for (type, text, kind) in [
            ("", "{}", .json), ("", " [1]", .json), ("", "{", .text), ("", "a", .text), ("", "GIF89a", .image),
            ("", "%PDF-1.4", .binary), ("text/plain", "{}", .json), ("text/plain", "{", .text), ("text/x", "{}", .text),
            ("application/octet-stream", "a", .text), ("application/x", "a", .binary), ("text/html", "{}", .html),
            ("image/png", "a", .image), ("image/svg+xml", "a", .svg), ("application/a+xml", "a", .xml),
        ] as [(String, String, ComparableBody.Kind)] {
            let lines = type.isEmpty ? [] : [("Content-Type", type)]
            let sample = ResponseSample(status: 200, headers: lines, body: Array(text.utf8))
            #expect(ComparableBody.kind(of: sample) == kind, "\(type) \(text)")
        }
        #expect(ComparableBody.kind(of: ResponseSample(status: 200, body: [0x61, 0xFF])) == .binary)
    }

    @Test func `a body of another kind than its own is malformed, but for JSON in the place of a form`() {
        let bodies = [
            ("application/json", #"{"a":"1"}"#), ("application/x-www-form-urlencoded", "a=1"),
            ("application/xml", "<a>1</a>"), ("application/x-ndjson", "{\"a\":\"1\"}\n{}"),
        ]
        func sample(_ body: (String, String)) -> ResponseSample {
            ResponseSample(status: 200, headers: [("Content-Type", body.0)], body: Array(body.1.utf8))
        }
        for old in bodies {
            for new in bodies where new.0 != old.0 {
                let found = ResponseComparison(recorded: [sample(old)]).compare([sample(new)]).findings
                let isForm = old.0 == bodies[1].0
                let isLine = old.0 == bodies[3].0 && new.0 == bodies[0].0
                let isMalformed = found.contains { $0.id == .bodyMalformed }
                #expect(isForm || isMalformed != isLine, "\(old) \(new)")
                if isForm, new.0 == bodies[0].0 { #expect(!isMalformed && found.count == 1) }
            }
        }
    }

    @Test func `bytes of no known kind that turn into a page, JSON or a text are of another media type`() {
        let bodies = [
            BodyLook.markup: "<a/>", .json: "{}", .text: "a b", .bytes: "\u{1}\u{0}\u{2}\u{FF}",
        ]
        func sample(_ text: String) -> ResponseSample {
            ResponseSample(status: 200, headers: [("Content-Type", "application/x-own")], body: Array(text.utf8))
        }
        for (look, body) in bodies {
            #expect(BodyLook(Array(body.utf8)) == look)
            for (other, live) in bodies {
                let found = ResponseComparison(recorded: [sample(body)]).compare([sample(live)])
                // A few bytes may happen to be all letters.
                let isOther = other != look && other != .bytes && (look, other) != (.bytes, .text)
                let expected = isOther ? ["breaking media-type-mismatch"] : []
                let told = found.findings.map { "\($0.level.rawValue) \($0.id.rawValue)" }
                #expect(told == expected && found.obstacle == nil, "\(look) \(other)")
            }
        }
    }

    @Test func `YAML of several documents is not compared by its first`() {
        func sample(_ text: String) -> ResponseSample {
            ResponseSample(status: 200, headers: [("Content-Type", "application/yaml")], body: Array(text.utf8))
        }
        let one = [
            "a: 1", "---\na: 1\n", "%YAML 1.2\n--- # c\na: 1\n...", "a: 1\n... # c\n\n...\n# d",
        ]
        let several = [
            ("a: 1\n---\na: b", 2, 1), ("a: 1\n--- b\n", 2, 1), ("a: 1\n--- # c\na: b", 2, 1),
            ("--- \na: 1\n---\t\n", 3, 1),
            ("a: 1\n...\n\n a: b", 4, 2), ("a: 1\n...\n%YAML 1.2\n---\nb", 3, 1),
        ]
        for text in one {
            for other in one {
                let result = ResponseComparison(recorded: [sample(text)]).compare([sample(other)])
                #expect(result.obstacle == nil && result.findings.isEmpty, "\(text) \(other)")
            }
            for (other, line, column) in several {
                let result = ResponseComparison(recorded: [sample(text)]).compare([sample(other)])
                #expect(result.findings.map(\.id) == [.bodyMalformed] && result.obstacle == nil, "\(other)")
                let back = ResponseComparison(recorded: [sample(other)]).compare([sample(text)])
                let place = "line \(line), column \(column): a second document begins here"
                #expect(back.obstacle == "the fixture's own body is not read as YAML: \(place)", "\(other)")
            }
        }
        #expect(ComparableBody.documents(Array("a: 1\n... b".utf8), .yaml) == nil)
    }

    @Test func `errors of GraphQL are reported once, whatever else is`() {
        func told(_ bodies: [String]) -> [String] {
            let samples = ([#"{"data":{"a":1}}"#] + bodies).map { text in
                ResponseSample(status: 200, headers: [("Content-Type", "application/json")], body: Array(text.utf8))
            }
            let found = ResponseComparison(recorded: [samples[0]]).compare(Array(samples.dropFirst())).findings
            return found.filter { $0.id != .propertyAdded }.map(\.id.rawValue).sorted()
        }
        let errors = #"{"data":{"a":1},"errors":[{"message":"x"}]}"#
        #expect(told([errors]) == ["graphql-errors"] && told([errors, errors]) == ["graphql-errors"])
        #expect(told(["\u{FEFF}\(errors)"]) == ["byte-order-mark-added", "graphql-errors"])
        #expect(told([#"{"data":{"a":1},"errors":[]}"#]) == [])
    }

    @Test func `a long body of any kind is compared to its end`() {
        func body(_ type: String, _ last: String) -> ResponseSample {
            let (row, count) = (String(repeating: "x", count: 90), 1000)
            let parts = (0..<count).map { $0 < count - 1 ? "1" : last }
            let text =
                switch type {
                case "application/x-ndjson": parts.map { "{\"a\":\($0),\"b\":\"\(row)\"}" }.joined(separator: "\n")
                case "text/event-stream": parts.map { "data: {\"a\":\($0),\"b\":\"\(row)\"}\n\n" }.joined()
                case "application/yaml": parts.enumerated().map { "k\($0)x: \($1) # \(row)" }.joined(separator: "\n")
                case "application/xml": "<r>" + parts.map { "<a>\($0)</a><b>\(row)</b>" }.joined() + "</r>"
                default: "[" + parts.map { "{\"a\":\($0),\"b\":\"\(row)\"}" }.joined(separator: ",") + "]"
                }
            return ResponseSample(status: 200, headers: [("Content-Type", type)], body: Array(text.utf8))
        }
        for type in [
            "application/json", "application/x-ndjson", "text/event-stream", "application/yaml", "application/xml",
        ] {
            let comparison = ResponseComparison(recorded: [body(type, "1")])
            let same = comparison.compare([body(type, "1")])
            #expect(same.findings.isEmpty && same.obstacle == nil && same.compared.fields > 0, "\(type)")
            let changed = comparison.compare([body(type, type == "application/xml" ? "<c/>" : "\"x\"")])
            #expect(changed.findings.contains { $0.level == .breaking && $0.id == .typeChanged }, "\(type)")
        }
    }

    @Test func `white space around the text of an element is not part of it`() {
        for (text, expected) in [(" \n x y\t", "x y"), ("x", "x"), (" ", ""), ("", ""), ("<![CDATA[ a ]]>", "a")] {
            let node = XMLDocument.parse(Array("<r>\(text)</r>".utf8))?.node
            #expect(node?["r"]?["#text"]?.string == expected)
        }
    }

    @Test func `UTF-16 is known by its mark, or by the zeros beside its first two letters`() {
        let values: [UInt8] = [0, 0x41, 0xFE, 0xFF]
        for bytes in values.flatMap({ a in values.flatMap { b in values.flatMap { c in values.map { [a, b, c, $0] } } }
        }) {
            let hasMark = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
            let zeros = bytes.map { $0 == 0 }
            let isBig = zeros[0] && !zeros[1] && zeros[2]
            let isLittle = !zeros[0] && zeros[1] && zeros[3]
            #expect(BodyObstacle.isUTF16(bytes) == (hasMark || isBig || isLittle), "\(bytes)")
            #expect(!BodyObstacle.isUTF16(Array(bytes.prefix(3))))
        }
    }
}
