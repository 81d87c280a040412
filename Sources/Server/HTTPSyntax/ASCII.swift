// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Bytes of the protocol and their classes (RFC 9110 §5.6.2, RFC 3986 §2).
///
/// Public, as is all of this module that is used for each byte or field: only public code is inlined into other modules. The module is
/// part of no product.
public enum ASCII {
    @inlinable public static var lineFeed: UInt8 { 0x0A }
    @inlinable public static var carriageReturn: UInt8 { 0x0D }
    @inlinable public static var space: UInt8 { 0x20 }
    @inlinable public static var tab: UInt8 { 0x09 }
    @inlinable public static var colon: UInt8 { 0x3A }
    @inlinable public static var comma: UInt8 { 0x2C }
    @inlinable public static var semicolon: UInt8 { 0x3B }
    @inlinable public static var equals: UInt8 { 0x3D }
    @inlinable public static var slash: UInt8 { 0x2F }
    @inlinable public static var question: UInt8 { 0x3F }
    @inlinable public static var percent: UInt8 { 0x25 }
    @inlinable public static var plus: UInt8 { 0x2B }
    @inlinable public static var ampersand: UInt8 { 0x26 }
    @inlinable public static var hash: UInt8 { 0x23 }
    @inlinable public static var quote: UInt8 { 0x22 }
    @inlinable public static var backslash: UInt8 { 0x5C }

    @inlinable
    public static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    @inlinable
    public static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }

    /// The value of a hexadecimal digit; nil for any other byte.
    @inlinable
    public static func hexValue(_ byte: UInt8) -> UInt8? {
        if byte &- 0x30 < 10 { return byte &- 0x30 }
        let letter = byte | 0x20
        return letter &- 0x61 < 6 ? letter &- 0x61 &+ 10 : nil
    }

    /// Whether a byte may stand in a token, such as a method or a field name (RFC 9110 §5.6.2).
    @inlinable
    public static func isToken(_ byte: UInt8) -> Bool {
        let bits = byte < 64 ? tokenBitsLow : tokenBitsHigh
        return byte & 0x80 == 0 && bits & (1 << UInt64(byte & 63)) != 0
    }

    /// The token bytes below 64: `!`, `#` to `'`, `*`, `+`, `-`, `.` and the digits.
    @inlinable public static var tokenBitsLow: UInt64 { 0x03FF_6CFA_0000_0000 }
    /// The token bytes from 64 on: the letters, `^`, `_`, `` ` ``, `|` and `~`.
    @inlinable public static var tokenBitsHigh: UInt64 { 0x57FF_FFFF_C7FF_FFFE }
}
