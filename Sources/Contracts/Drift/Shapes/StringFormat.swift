// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The forms of strings that clients decode by, as a set.
package struct StringFormats: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// RFC 3339 §5.6 with a zone.
    package static let dateTime = StringFormats(rawValue: 1)
    /// The same without a zone.
    package static let localDateTime = StringFormats(rawValue: 2)
    package static let date = StringFormats(rawValue: 4)
    package static let uuid = StringFormats(rawValue: 8)
    package static let uri = StringFormats(rawValue: 16)
    package static let email = StringFormats(rawValue: 32)
    package static let numeric = StringFormats(rawValue: 64)
    package static let hexColor = StringFormats(rawValue: 128)
    package static let base64 = StringFormats(rawValue: 256)
    package static let all = StringFormats(rawValue: 511)

    /// The first format of a set is reported.
    static let named: [(format: StringFormats, name: String)] = [
        (.dateTime, "date-time"), (.localDateTime, "local date-time"), (.date, "date"), (.uuid, "uuid"), (.uri, "uri"),
        (.email, "email"), (.numeric, "numeric string"), (.hexColor, "hex color"), (.base64, "base64"),
    ]

    /// The format of a contract's word; nil for an unknown one.
    static func named(_ name: String) -> StringFormats? {
        let word = name.lowercased()
        let aliases = [
            "url": "uri", "numeric": "numeric string", "number": "numeric string", "color": "hex color",
            "datetime": "date-time", "byte": "base64", "guid": "uuid",
        ]
        return named.first { $0.name == aliases[word] ?? word }?.format
    }

    /// The formats that a string has.
    package static func of(_ text: String) -> StringFormats {
        var text = text
        return text.withUTF8 { bytes in
            guard let first = bytes.first, bytes.count <= 8192 else { return [] }
            var formats: StringFormats = []
            let isDigit = first &- 0x30 < 10
            if isDigit {
                formats.formUnion(time(bytes))
            }
            if isNumeric(bytes) { formats.insert(.numeric) }
            if TextLook.isUUID(bytes) { formats.insert(.uuid) }
            if isURI(bytes) { formats.insert(.uri) }
            if isEmail(bytes) { formats.insert(.email) }
            if first == UInt8(ascii: "#"), [4, 5, 7, 9].contains(bytes.count),
                bytes.dropFirst().allSatisfy({ ASCII.hexValue($0) != nil })
            {
                formats.insert(.hexColor)
            }
            if isBase64(bytes) { formats.insert(.base64) }
            return formats
        }
    }

    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// A part of two or four digits; nil if it is not one.
    private static func number(_ bytes: Bytes, _ start: Int, _ count: Int) -> Int? {
        guard start + count <= bytes.count else { return nil }
        var value = 0
        for index in start..<start + count {
            let digit = bytes[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }

    private static func time(_ bytes: Bytes) -> StringFormats {
        guard TextLook.day(bytes) != nil else { return [] }
        if bytes.count == 10 { return .date }
        let separator = bytes[10]
        guard separator == UInt8(ascii: "T") || separator == UInt8(ascii: "t") || separator == 0x20,
            let hour = number(bytes, 11, 2), hour <= 24, let minute = number(bytes, 14, 2), minute < 60,
            bytes[13] == UInt8(ascii: ":")
        else { return [] }
        var index = 16
        var hasSeconds = false
        if index < bytes.count, bytes[index] == UInt8(ascii: ":") {
            guard let second = number(bytes, index + 1, 2), second <= 60 else { return [] }
            hasSeconds = true
            index += 3
            if index < bytes.count, bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ",") {
                let start = index + 1
                index = start
                while index < bytes.count, bytes[index] &- 0x30 < 10 { index += 1 }
                if index == start { return [] }
            }
        }
        if index == bytes.count { return .localDateTime }
        // A form that RFC 3339 has no place for is not a date-time that decoders take.
        guard hasSeconds, separator != 0x20 else { return [] }
        if bytes[index] | 0x20 == UInt8(ascii: "z") { return index + 1 == bytes.count ? .dateTime : [] }
        guard bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-"),
            index + 6 == bytes.count, number(bytes, index + 1, 2) != nil, bytes[index + 3] == UInt8(ascii: ":"),
            number(bytes, index + 4, 2) != nil
        else { return [] }
        return .dateTime
    }

    private static func isNumeric(_ bytes: Bytes) -> Bool {
        guard bytes.count <= 40 else { return false }
        var digits = 0
        var points = 0
        for (index, byte) in bytes.enumerated() {
            if byte &- 0x30 < 10 {
                digits += 1
            } else if byte == UInt8(ascii: "."), digits > 0 {
                points += 1
            } else if byte != UInt8(ascii: "-") || index > 0 {
                return false
            }
        }
        return digits > 0 && points <= 1 && bytes[bytes.count - 1] != UInt8(ascii: ".")
    }

    private static func isURI(_ bytes: Bytes) -> Bool {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 1, colon + 1 < bytes.count,
            (bytes[0] | 0x20) &- 0x61 < 26,
            bytes[..<colon].allSatisfy({ ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || "+.-".utf8.contains($0) }),
            bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !"<>\"{}|\\^`".utf8.contains($0) })
        else { return false }
        if bytes.count > colon + 3, bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/") {
            return true
        }
        return ["urn", "mailto", "data", "tel"].contains(String(decoding: bytes[..<colon], as: UTF8.self).lowercased())
    }

    private static func isEmail(_ bytes: Bytes) -> Bool {
        guard let sign = bytes.firstIndex(of: UInt8(ascii: "@")), sign > 0,
            sign == bytes.lastIndex(of: UInt8(ascii: "@")),
            let point = bytes.lastIndex(of: UInt8(ascii: ".")), point > sign + 1, point < bytes.count - 1
        else { return false }
        return bytes.allSatisfy { $0 > 0x20 && !",;:<>()[]\\\"/".utf8.contains($0) }
    }

    /// Groups of four characters, of capitals, small letters and digits: a long word is not one.
    private static func isBase64(_ bytes: Bytes) -> Bool {
        // Padding distinguishes a short text from a word.
        let isPadded = bytes[bytes.count - 1] == UInt8(ascii: "=")
        guard bytes.count % 4 == 0, bytes.count >= (isPadded ? 8 : 24) else { return false }
        var (capitals, letters, digits) = (false, false, false)
        var end = bytes.count
        while end > bytes.count - 2, bytes[end - 1] == UInt8(ascii: "=") { end -= 1 }
        for byte in bytes[..<end] {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): capitals = true
            case UInt8(ascii: "a")...UInt8(ascii: "z"): letters = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits = true
            case UInt8(ascii: "+"), UInt8(ascii: "/"): break
            default: return false
            }
        }
        return isPadded && bytes.count < 24 ? capitals || digits : capitals && letters && digits
    }
}
