// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiDrift

/// The formats of strings, held against regular expressions that say the same.
@Suite(.supervised) struct StringFormatTests {
    private static let days = ["31", "29", "31", "30", "31", "30", "31", "31", "30", "31", "30", "31"]

    private static func isDay(_ text: Substring) -> Bool {
        guard text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil else { return false }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard (1...12).contains(parts[1]), parts[2] >= 1 else { return false }
        let isCommon = parts[1] == 2 && (parts[0] % 4 != 0 || [100, 200, 300].contains(parts[0] % 400))
        return parts[2] <= (isCommon ? 28 : Int(days[parts[1] - 1]) ?? 0)
    }

    static func expected(_ text: String) -> StringFormats {
        var formats: StringFormats = []
        func insert(_ format: StringFormats, _ pattern: Regex<Substring>) {
            if text.wholeMatch(of: pattern) != nil { formats.insert(format) }
        }
        if isDay(text.prefix(10)) {
            insert(.date, /[0-9]{4}-[0-9]{2}-[0-9]{2}/)
            insert(
                .localDateTime, /[-0-9]{10}[Tt ](?:[01][0-9]|2[0-4]):[0-5][0-9](?::(?:[0-5][0-9]|60)(?:[.,][0-9]+)?)?/)
            insert(
                .dateTime,
                /[-0-9]{10}[Tt](?:[01][0-9]|2[0-4]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:[.,][0-9]+)?(?:[Zz]|[+\-][0-9]{2}:[0-9]{2})/
            )
        }
        if text.utf8.count <= 40 { insert(.numeric, /-?[0-9]+(?:\.[0-9]+)?/) }
        insert(.uuid, /[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}/)
        insert(.uri, /(?:[A-Za-z][A-Za-z0-9+.\-]+:\/\/|(?i:urn|mailto|data|tel):)[^\u{0}- \u{7F}<>"{}|\\^`]+/)
        insert(.email, /[^\u{0}- ,;:<>()\[\]\\"\/@]+@[^\u{0}- ,;:<>()\[\]\\"\/@]+\.[^\u{0}- ,;:<>()\[\]\\"\/@.]+/)
        insert(.hexColor, /#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})/)
        let (hasCapital, hasSmall, hasDigit) = (
            text.contains(/[A-Z]/), text.contains(/[a-z]/), text.contains(/[0-9]/)
        )
        let size = text.utf8.count
        if size % 4 == 0, size >= 24 ? hasCapital && hasSmall && hasDigit : size >= 8 && (hasCapital || hasDigit) {
            insert(.base64, size >= 24 ? /[A-Za-z0-9+\/]+={0,2}/ : /[A-Za-z0-9+\/]+={1,2}/)
        }
        return formats
    }

    private static let texts = [
        "2026-11-20T10:00:00Z", "2024-02-29t24:59:60.125+05:30", "1900-02-28 00:00", "2000-12-31T23:00:01,5-00:00",
        "2026-04-30",
        "-12.50", "0b2c7e3c-6a53-4f6e-9a59-5f0c8D6F6A01", "https://a.example/x?y=1#z", "urn:isbn:0451450523", "tel:+41",
        "a1+b-c.d://",
        "mailto:a@b.c", "ann.lee@mail.example.com", "#a1B", "#a1B2", "#a1B2c3", "#a1B2c3D4", "YWJjZA==", "abc1efg=",
        "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4",
        "0123456789012345678901234567890123456789", "x", "a word or two", "é@ü.ö",
    ]

    @Test func `a string has the formats that a regular expression finds`() {
        var random = SplitMix(seed: 11)
        let signs = Array("0123456789-:TtZz .,+#@/=aAfFgG\\\u{7F}é\"<(".unicodeScalars)
        var counts: [UInt16: Int] = [:]
        for _ in 0..<Thoroughness.rounds(3000, thorough: 400_000) {
            var scalars = Array(random.pick(Self.texts).unicodeScalars)
            for _ in 0..<random.below(3) {
                let place = random.below(scalars.count)
                switch random.below(5) {
                case 0: scalars[place] = random.pick(signs)
                case 1: scalars.insert(random.pick(signs), at: place)
                case 2: scalars.append(random.pick(signs))
                case 3: if scalars.count > 1 { scalars.remove(at: place) }
                default:
                    // A digit beside it, so that limits are tried on both sides.
                    let value = scalars[place].value
                    if (0x30...0x39).contains(value) { scalars[place] = signs[Int(value - 0x30 + 1) % 10] }
                }
            }
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            let (found, expected) = (StringFormats.of(text), Self.expected(text))
            if found != expected { Issue.record("\(text): \(found.rawValue), not \(expected.rawValue)") }
            for (format, _) in StringFormats.named where found.contains(format) {
                counts[format.rawValue, default: 0] += 1
            }
        }
        #expect(counts.count == StringFormats.named.count)
        #expect(counts.values.allSatisfy { $0 > 30 }, "\(counts)")
        #expect(StringFormats.of("") == [])
        #expect(StringFormats.of(String(repeating: "1", count: 40)) == .numeric)
    }

    @Test func `a sign beside the digits and letters changes the formats as a regular expression says`() {
        for text in Self.texts {
            let scalars = Array(text.unicodeScalars)
            for place in scalars.indices {
                for sign in "/:@`g[{".unicodeScalars {
                    var other = scalars
                    other[place] = sign
                    let changed = String(String.UnicodeScalarView(other))
                    if StringFormats.of(changed) != Self.expected(changed) { Issue.record("\(changed)") }
                }
            }
        }
    }

    /// The decades in which numbers are times: 9·10⁸ to 5·10⁹ in some unit.
    @Test func `numbers are times of a unit within its decades`() {
        for power in [0, 3, 6, 9] {
            var scale = 1
            for _ in 0..<power { scale *= 10 }
            for (numbers, expected) in [
                ([900_000_000 * scale], power), ([900_000_000 * scale - 1], nil), ([5_000_000_000 * scale - 1], power),
                ([5_000_000_000 * scale], nil), ([900_000_000 * scale, 5_000_000_000 * scale - 1], power),
                ([1, 900_000_000 * scale], nil),
            ] as [([Int], Int?)] {
                var facts = NumberFacts()
                for number in numbers { facts.add(.init(literal: "\(number)"), Sighting("", sample: 0, offset: 0)) }
                // A double cannot tell the last of the nanoseconds from the first beyond.
                if power < 9 { #expect(facts.epochUnit == expected, "\(numbers)") }
            }
        }
    }
}
