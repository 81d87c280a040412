// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Base64 in both of its alphabets (RFC 4648 §4, §5), with or without padding.
enum Base64 {
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: 0xFF, count: 256)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        for (value, byte) in alphabet.enumerated() { digits[Int(byte)] = UInt8(value) }
        digits[Int(UInt8(ascii: "-"))] = 62
        digits[Int(UInt8(ascii: "_"))] = 63
        return digits
    }()

    /// The bytes; nil for a text that is no Base64.
    static func decode(_ text: Bytes) -> [UInt8]? {
        var end = text.count
        while end > 0, text.count - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        guard end % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(end / 4 * 3 + 3)
        var group: UInt32 = 0
        for index in 0..<end {
            let digit = digits[Int(text[index])]
            guard digit != 0xFF else { return nil }
            group = group << 6 | UInt32(digit)
            if index % 4 == 3 {
                bytes.append(UInt8(truncatingIfNeeded: group >> 16))
                bytes.append(UInt8(truncatingIfNeeded: group >> 8))
                bytes.append(UInt8(truncatingIfNeeded: group))
                group = 0
            }
        }
        if end % 4 == 2 { bytes.append(UInt8(truncatingIfNeeded: group >> 4)) }
        if end % 4 == 3 {
            bytes.append(UInt8(truncatingIfNeeded: group >> 10))
            bytes.append(UInt8(truncatingIfNeeded: group >> 2))
        }
        return bytes
    }

    /// Without padding.
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for digit in 0...group.count { text.append(alphabet[Int(bits >> UInt32(18 - 6 * digit) & 63)]) }
        }
        return text
    }
}
