// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiDrift

/// Messages of Protocol Buffers, written by the rules of its encoding.
@Suite(.supervised) struct WireMessageTests {
    private static func varint(_ value: UInt64) -> [UInt8] {
        var (rest, bytes): (UInt64, [UInt8]) = (value, [])
        repeat {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        } while rest > 0
        return bytes.dropLast() + [(bytes.last ?? 0) & 0x7F]
    }

    private static let numbers: [UInt64] = [1, 2, 15, 16, 2047, 2048, 1 << 28, (1 << 29) - 1]
    private static let values: [UInt64] = [0, 1, 127, 128, 129, 255, 16383, 16384, 1 << 35, .max]

    /// A field as bytes, with its number and kind.
    private static func field(_ random: inout SplitMix) -> (number: Int, kind: WireMessage.Kind, bytes: [UInt8]) {
        let number = random.pick(numbers)
        func tag(_ kind: UInt64) -> [UInt8] { varint(number << 3 | kind) }
        switch random.below(5) {
        case 0: return (Int(number), .varint, tag(0) + varint(random.pick(values)))
        case 1: return (Int(number), .fixed64, tag(1) + Array(repeating: 0xFF, count: 8))
        case 2:
            let content = Array(repeating: UInt8(0xFF), count: random.pick([0, 1, 127, 128, 200]))
            return (Int(number), .length, tag(2) + varint(UInt64(content.count)) + content)
        case 3: return (Int(number), .group, tag(3) + tag(4))
        default: return (Int(number), .fixed32, tag(5) + [1, 2, 3, 4])
        }
    }

    @Test func `a message has the fields that were written, and its beginning is another or none`() {
        var random = SplitMix(seed: 7)
        for _ in 0..<300 {
            let fields = (0..<random.below(5)).map { _ in Self.field(&random) }
            var message = WireMessage()
            let bytes = fields.flatMap(\.bytes)
            let isRead = message.add(bytes)
            #expect(isRead, "\(bytes)")
            #expect(message.count == 1)
            let known = Dictionary(grouping: fields, by: \.number)
            #expect(Set(message.fields.keys) == Set(known.keys))
            for (number, fields) in known {
                #expect(message.fields[number]?.kinds == Set(fields.map(\.kind)))
                // A group is two tags.
                #expect(message.fields[number]?.count == fields.reduce(0) { $0 + ($1.kind == .group ? 2 : 1) })
                #expect(message.fields[number]?.messages == 1)
            }
            // Between two fields a message may end, elsewhere it cannot.
            let ends = fields.indices.map { fields[...$0].flatMap(\.bytes).count }
            for end in bytes.indices.dropFirst() where !ends.contains(end) {
                var part = WireMessage()
                let isRead = part.add(Array(bytes[..<end]))
                #expect(!isRead, "\(bytes[..<end])")
            }
        }
    }

    /// A number, a text, a short and a long message, bytes, nothing, and a message that is not UTF-8.
    private static let contents: [[UInt8]] = [
        [0x08, 7], [0x0A, 3, 0x41, 0x6E, 0x6E], [0x0A, 2, 8, 7], [0x0A, 8, 8, 7, 16, 1, 24, 1, 32, 1],
        [0x0A, 2, 0xFF, 0xFF],
        [0x0A, 0], [0x0A, 3, 8, 0xFF, 1],
    ]

    /// By what a field was, what each other content is to its readers: `-` nothing, `t` another type, `w` so with a warning, `l` a type that
    /// is learnt, `r` fields that are gone, `a` fields that are new.
    @Test(arguments: [
        (0, "-tttttt"), (1, "t---t-t"), (2, "tw-awr-"), (3, "ttr-trr"), (4, "t-ll--l"), (5, "t---t--"), (6, "tw-awr-"),
    ])
    func `a field with a length is a message, a text or bytes by all its contents`(old: Int, expected: String) {
        for (new, sign) in expected.enumerated() {
            var (known, live) = (WireMessage(), WireMessage())
            let areRead = known.add(Self.contents[old]) && live.add(Self.contents[new])
            let found = Set(
                known.differences(to: live, sample: 0).map { finding -> Character in
                    switch (finding.id, finding.level) {
                    case (.typeChanged, .breaking): "t"
                    case (.typeChanged, .warning): "w"
                    case (.typeLearned, .info): "l"
                    case (.propertyRemoved, .info): "r"
                    case (.propertyAdded, .info): "a"
                    default: "?"
                    }
                })
            #expect(areRead && found == (sign == "-" ? [] : [sign]), "\(old) \(new)")
        }
    }

    @Test func `a field that is new is called by what it holds`() {
        let words = ["varint", "a text", "a message", "a message", "bytes", "a text", "a message"]
        func said(_ contents: [[UInt8]]) -> [String?] {
            var live = WireMessage()
            for content in contents {
                let isRead = live.add(content)
                #expect(isRead)
            }
            return WireMessage().differences(to: live, sample: 0).map(\.received)
        }
        for (content, expected) in zip(Self.contents, words) { #expect(said([content]) == [expected], "\(content)") }
        #expect(said([Self.contents[0], Self.contents[1]]) == ["length or varint"])
        #expect(said([Self.contents[1], Self.contents[4]]) == ["bytes"])
    }

    @Test func `a field holds a text for people if no sign of it is one of control`() {
        for byte in UInt8.min ... .max {
            var message = WireMessage()
            let isRead = message.add([0x0A, 2, 0x61, byte])
            let isText = byte < 0x80 && (byte >= 0x20 && byte != 0x7F || [0x09, 0x0A, 0x0D].contains(byte))
            #expect(isRead && message.fields[1]?.hasText == isText, "\(byte)")
            #expect(message.fields[1]?.isUTF8 == (byte < 0x80) && message.fields[1]?.length == 2)
        }
    }

    @Test(arguments: [
        [0x00, 0x01], Self.varint(1 << 32) + [0], [0x0E], [0x0F], [0x0C], [0x0B], [0x0B, 0x14], [0x08],
        Array(repeating: 0x80, count: 11),
        [0x0A, 0x02, 0x01], [0x0A] + Self.varint(.max),
    ])
    func `what breaks the encoding is no message`(bytes: [UInt8]) {
        var message = WireMessage()
        let isRead = message.add(bytes)
        #expect(!isRead)
        #expect(message.count == 0)
    }
}
