// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Numbers and strings (RFC 8259 §6 and §7).
extension JSONParser {
    mutating func number() throws(JSONError) -> JSONNumber {
        let start = index
        if current == UInt8(ascii: "-") { index += 1 }
        if current == UInt8(ascii: "0") {
            index += 1
            if let byte = current, isDigit(byte) { throw failure("a number with a zero in front", at: start) }
        } else {
            try digits(from: start)
        }
        if current == UInt8(ascii: ".") {
            index += 1
            try digits(from: start)
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            index += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { index += 1 }
            try digits(from: start)
        }
        return JSONNumber(literal: makesTree ? ascii(start..<index) : "0")
    }

    private mutating func digits(from start: Int) throws(JSONError) {
        guard let byte = current, isDigit(byte) else { throw failure("a number without digits", at: start) }
        while let byte = current, isDigit(byte) { index += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    mutating func string(quote: UInt8) throws(JSONError) -> String {
        let start = index
        index += 1
        var first = index
        // Most strings have no escape: find the end first.
        let isASCII = skipPlain(until: quote)
        if current == quote {
            defer { index += 1 }
            if isASCII { return makesTree ? ascii(first..<index) : "" }
            return try utf8(UnsafeBufferPointer(rebasing: bytes[first..<index]), at: start)
        }
        var buffer: [UInt8] = []
        while let byte = current {
            buffer += UnsafeBufferPointer(rebasing: bytes[first..<index])
            if byte == quote {
                index += 1
                var text = ""
                try buffer.withUnsafeBufferPointer { (buffer) throws(JSONError) in text = try utf8(buffer, at: start) }
                return text
            }
            guard byte == UInt8(ascii: "\\") else { throw failure("a control character in a string") }
            try escape(into: &buffer)
            first = index
            _ = skipPlain(until: quote)
        }
        throw failure("a string that does not end", at: start)
    }

    /// Passes over bytes that stand for themselves in a string, eight at once if there are as many.
    ///
    /// - Returns: whether all of them are ASCII.
    private mutating func skipPlain(until quote: UInt8) -> Bool {
        var all: UInt64 = 0
        if let base = bytes.baseAddress {
            while bytes.count - index >= 8 {
                let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
                // The high bit of each byte that is below 0x20, a quote or a backslash; bytes beyond ASCII have none.
                let control = (word &- Self.eight &* 0x20) & ~word
                let ends = word ^ Self.eight &* UInt64(quote)
                let escapes = word ^ Self.eight &* UInt64(UInt8(ascii: "\\"))
                let found = control | (ends &- Self.eight) & ~ends | (escapes &- Self.eight) & ~escapes
                if found & Self.highBits != 0 { break }
                all |= word
                index += 8
            }
        }
        while index < bytes.count, bytes[index] != quote, bytes[index] != UInt8(ascii: "\\"), bytes[index] >= 0x20 {
            all |= UInt64(bytes[index])
            index += 1
        }
        return all & Self.highBits == 0
    }

    /// 1 in each of eight bytes.
    private static let eight: UInt64 = 0x0101_0101_0101_0101
    /// The bit of each of eight bytes that no ASCII character has.
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    private func ascii(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    private func utf8(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) throws(JSONError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure("a string that is not UTF-8; save the text in UTF-8", at: start)
        }
        return text
    }

    private mutating func escape(into buffer: inout [UInt8]) throws(JSONError) {
        let start = index
        index += 1
        guard let byte = current else { throw failure("a string that does not end", at: start) }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
        case UInt8(ascii: "'") where options.contains(.singleQuotes): buffer.append(byte)
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"): buffer.append(contentsOf: try unicodeEscape(at: start).utf8)
        default: throw failure("an unknown escape in a string", at: start)
        }
    }

    /// Reads the digits behind `\u`, of both halves of a surrogate pair; half a pair alone becomes U+FFFD.
    private mutating func unicodeEscape(at start: Int) throws(JSONError) -> Unicode.Scalar {
        let unit = try hexadecimal(at: start)
        if unit & 0xFC00 == 0xD800, bytes[index...].starts(with: "\\u".utf8) {
            let before = index
            index += 2
            let low = try hexadecimal(at: before)
            if low & 0xFC00 == 0xDC00 {
                return Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF) ?? "\u{FFFD}"
            }
            index = before
        }
        return Unicode.Scalar(unit) ?? "\u{FFFD}"
    }

    private mutating func hexadecimal(at start: Int) throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = current.flatMap(Self.hexadecimalDigit) else {
                throw failure("expected four hexadecimal digits", at: start)
            }
            unit = unit << 4 | digit
            index += 1
        }
        return unit
    }

    /// The value of a hexadecimal digit, in either case; nil for any other byte.
    package static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
