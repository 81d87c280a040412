// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Base64 with padding (RFC 4648 §4).
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= UInt32(8 * (3 - group.count))
            for digit in 0..<4 {
                if digit > group.count {
                    output.append(UInt8(ascii: "="))
                } else {
                    output.append(digits[Int(bits >> UInt32(18 - 6 * digit) & 63)])
                }
            }
        }
        return output
    }
}
