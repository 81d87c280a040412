// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Base64 (RFC 4648 §4) with its padding; spaces and line ends between the characters are passed over.
enum Base64 {
    /// The bytes; nil for a text that is no Base64.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3)
        var group: UInt32 = 0
        var digits = 0
        var padding = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: " "), 0x09, 0x0A, 0x0D: continue
            case UInt8(ascii: "="): padding += 1
            default:
                guard padding == 0, let digit = value(of: byte) else { return nil }
                group = group << 6 | digit
                digits += 1
                if digits % 4 == 0 {
                    bytes.append(contentsOf: [UInt8(group >> 16 & 0xFF), UInt8(group >> 8 & 0xFF), UInt8(group & 0xFF)])
                    group = 0
                }
            }
        }
        switch (digits % 4, padding) {
        case (0, 0): break
        case (2, 0), (2, 2): bytes.append(UInt8(group >> 4 & 0xFF))
        case (3, 0), (3, 1): bytes.append(contentsOf: [UInt8(group >> 10 & 0xFF), UInt8(group >> 2 & 0xFF)])
        default: return nil
        }
        return bytes
    }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
