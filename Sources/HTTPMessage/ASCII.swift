// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Bytes of the protocol and their classes (RFC 9110 §5.6.2, RFC 3986 §2).
package enum ASCII {
    package static let lineFeed: UInt8 = 0x0A
    package static let carriageReturn: UInt8 = 0x0D
    package static let space: UInt8 = 0x20
    package static let tab: UInt8 = 0x09
    package static let colon: UInt8 = 0x3A
    package static let comma: UInt8 = 0x2C
    package static let semicolon: UInt8 = 0x3B
    package static let equals: UInt8 = 0x3D
    package static let slash: UInt8 = 0x2F
    package static let question: UInt8 = 0x3F
    package static let percent: UInt8 = 0x25
    package static let plus: UInt8 = 0x2B
    package static let ampersand: UInt8 = 0x26
    package static let hash: UInt8 = 0x23
    package static let quote: UInt8 = 0x22
    package static let backslash: UInt8 = 0x5C

    @inlinable
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    @inlinable
    package static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }

    /// The value of a hexadecimal digit; nil for any other byte.
    @inlinable
    package static func hexValue(_ byte: UInt8) -> UInt8? {
        if byte &- 0x30 < 10 { return byte &- 0x30 }
        let letter = byte | 0x20
        return letter &- 0x61 < 6 ? letter &- 0x61 &+ 10 : nil
    }

    /// Whether a byte may stand in a token, such as a method or a field name (RFC 9110 §5.6.2).
    @inlinable
    package static func isToken(_ byte: UInt8) -> Bool {
        let bits = byte < 64 ? tokenBitsLow : tokenBitsHigh
        return byte < 128 && bits & (1 << UInt64(byte & 63)) != 0
    }

    /// The token bytes below 64: `!`, `#` to `'`, `*`, `+`, `-`, `.` and the digits.
    @usableFromInline static let tokenBitsLow: UInt64 = 0x03FF_6CFA_0000_0000
    /// The token bytes from 64 on: the letters, `^`, `_`, `` ` ``, `|` and `~`.
    @usableFromInline static let tokenBitsHigh: UInt64 = 0x57FF_FFFF_C7FF_FFFE
}
