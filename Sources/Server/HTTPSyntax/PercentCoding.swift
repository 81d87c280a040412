// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Percent-coding of paths and queries (RFC 3986 §2.1); decoding is lenient: a `%` without two hexadecimal digits stands for itself.
public enum PercentCoding {
    /// Hands over the decoded bytes of a text, one after the other.
    ///
    /// - Parameter plusIsSpace: true for queries and forms, in which `+` means a space; false for paths.
    @inlinable @inline(__always)
    public static func decode(
        _ source: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool, _ append: (UInt8) -> Void
    ) {
        var index = 0
        while index < source.count {
            let byte = source[index]
            if byte == ASCII.percent, index + 2 < source.count,
                let high = ASCII.hexValue(source[index + 1]), let low = ASCII.hexValue(source[index + 2])
            {
                append(high << 4 | low)
                index += 3
            } else {
                append(plusIsSpace && byte == ASCII.plus ? ASCII.space : byte)
                index += 1
            }
        }
    }

    /// The decoded bytes of a text.
    @inlinable public static func decode(_ source: some Sequence<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        let source = Array(source)
        var output: [UInt8] = []
        output.reserveCapacity(source.count)
        source.withUnsafeBufferPointer { decode($0, plusIsSpace: plusIsSpace) { output.append($0) } }
        return output
    }

    /// A text with all bytes encoded but those that are kept as they are.
    package static func encode(
        _ source: some Sequence<UInt8>, digits: [UInt8] = Hexadecimal.uppercaseDigits, keeps: (UInt8) -> Bool
    ) -> [UInt8] {
        var output: [UInt8] = []
        for byte in source {
            if keeps(byte) {
                output.append(byte)
            } else {
                output += [ASCII.percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return output
    }

    /// A text with all bytes encoded but those that are unreserved.
    package static func encode(_ text: String) -> String {
        String(decoding: encode(text.utf8, keeps: isUnreserved), as: UTF8.self)
    }

    /// Whether a percent sign with two hexadecimal digits stands in a text.
    package static func isEncoded(_ text: String) -> Bool {
        guard text.utf8.contains(ASCII.percent) else { return false }
        return text.utf8.split(separator: ASCII.percent, omittingEmptySubsequences: false).dropFirst().contains {
            part in
            let digits = part.prefix(2)
            return digits.count == 2 && digits.allSatisfy { ASCII.hexValue($0) != nil }
        }
    }

    /// A letter, a digit, `-`, `.`, `_` or `~` (RFC 3986 §2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || ASCII.isDigit(byte) || "-._~".utf8.contains(byte)
    }

    /// A text as one segment of a path: all but unreserved characters and sub-delimiters is encoded (RFC 3986 §3.3).
    public static func segment(_ text: String) -> String {
        String(decoding: encode(text.utf8, keeps: isOfSegment), as: UTF8.self)
    }

    /// The same of a path, whose slashes stay.
    package static func path(_ text: String) -> String {
        String(decoding: encode(text.utf8) { $0 == UInt8(ascii: "/") || isOfSegment($0) }, as: UTF8.self)
    }

    private static func isOfSegment(_ byte: UInt8) -> Bool {
        isUnreserved(byte) || "!$&'()*+,;=:@".utf8.contains(byte)
    }

    /// A text as a form writes it (WHATWG URL §5.2): a space is `+`.
    package static func form(_ text: String) -> String {
        let encoded = encode(text.utf8) {
            (isUnreserved($0) && $0 != UInt8(ascii: "~")) || $0 == UInt8(ascii: "*") || $0 == ASCII.space
        }
        return String(decoding: encoded.map { $0 == ASCII.space ? ASCII.plus : $0 }, as: UTF8.self)
    }
}
