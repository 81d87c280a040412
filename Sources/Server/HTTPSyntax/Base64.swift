// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Base64 (RFC 4648), written and read; readers differ in how much they tolerate.
package enum Base64 {
    /// The spelling that a reader takes.
    package struct Dialect: Sendable {
        /// The digits of 62 and 63: `+` and `/` (§4), `-` and `_` (§5), or both.
        package enum Alphabet: Sendable {
            case standard
            case url
            case both
        }

        /// The `=` at the end that fill the last group.
        package enum Padding: Sendable {
            /// There is none.
            case none
            /// There is none, or as much as the group lacks.
            case exact
            /// At most two, whatever the group lacks.
            case atMostTwo
            /// Anywhere and any number, as incomplete groups are.
            case ignored
        }

        package var alphabet: Alphabet
        package var padding: Padding
        /// Whether white space between the digits is passed over.
        package var skipsSpace: Bool

        package init(alphabet: Alphabet, padding: Padding, skipsSpace: Bool) {
            self.alphabet = alphabet
            self.padding = padding
            self.skipsSpace = skipsSpace
        }

        /// A text that people write: §4, on several lines perhaps.
        package static let written = Dialect(alphabet: .standard, padding: .exact, skipsSpace: true)
        /// A field value such as HTTP2-Settings: §5 without padding.
        package static let token = Dialect(alphabet: .url, padding: .none, skipsSpace: false)
        /// A run of digits found in a text.
        package static let found = Dialect(alphabet: .both, padding: .atMostTwo, skipsSpace: false)
        /// Whatever can be read at all; control characters are white space here.
        package static let lenient = Dialect(alphabet: .both, padding: .ignored, skipsSpace: true)
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The six bits of each digit of both alphabets; `none` for any other byte.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: none, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        values[0x2D] = 62
        values[0x5F] = 63
        return values
    }()
    private static let none: UInt8 = 0xFF

    /// The 64 digits of an alphabet in their order; those of §4 for both.
    package static func digits(of alphabet: Dialect.Alphabet) -> String {
        String(decoding: alphabet == .url ? digits.dropLast(2) + [0x2D, 0x5F] : digits[...], as: UTF8.self)
    }

    /// The text of bytes in the alphabet of §4.
    ///
    /// - Parameter pads: whether the last group is filled with `=`.
    package static func encode(_ bytes: [UInt8], pads: Bool = true) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= UInt32(8 * (3 - group.count))
            for digit in 0...group.count { output.append(digits[Int(bits >> UInt32(18 - 6 * digit) & 63)]) }
            if pads { for _ in group.count..<3 { output.append(padding) } }
        }
        return output
    }

    package static func text(of bytes: [UInt8], pads: Bool = true) -> String {
        String(decoding: encode(bytes, pads: pads), as: UTF8.self)
    }

    private static let padding = UInt8(ascii: "=")

    /// The bytes; nil for a text that is not Base64 of this dialect.
    package static func decode(_ text: String, _ dialect: Dialect) -> [UInt8]? {
        var text = text
        return text.withUTF8 { decode($0, dialect) }
    }

    /// The bytes; nil for a text that is not Base64 of this dialect.
    package static func decode(_ text: UnsafeBufferPointer<UInt8>, _ dialect: Dialect) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var count = 0
        var pads = 0
        for byte in text {
            let value = values[Int(byte)]
            if value != none, value < 62 || isOf(dialect.alphabet, byte) {
                // Padding stands at the end.
                if pads > 0, dialect.padding != .ignored { return nil }
                bits = bits << 6 | UInt32(value)
                count += 1
                if count % 4 != 1 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * ((count - 1) % 4)))) }
            } else if byte == padding {
                pads += 1
            } else if !dialect.skipsSpace || !isSpace(byte, dialect) {
                return nil
            }
        }
        switch dialect.padding {
        case .ignored: return bytes
        case .none: return pads == 0 && count % 4 != 1 ? bytes : nil
        case .atMostTwo: return pads <= 2 && count % 4 != 1 ? bytes : nil
        case .exact: return count % 4 != 1 && (pads == 0 || pads == (4 - count % 4) % 4) ? bytes : nil
        }
    }

    private static func isOf(_ alphabet: Dialect.Alphabet, _ byte: UInt8) -> Bool {
        switch alphabet {
        case .standard: byte == ASCII.plus || byte == ASCII.slash
        case .url: byte == 0x2D || byte == 0x5F
        case .both: true
        }
    }

    private static func isSpace(_ byte: UInt8, _ dialect: Dialect) -> Bool {
        if dialect.padding == .ignored { return byte <= ASCII.space }
        return byte == ASCII.space || byte == ASCII.tab || byte == ASCII.lineFeed || byte == ASCII.carriageReturn
    }
}
