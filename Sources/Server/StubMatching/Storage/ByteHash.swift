// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A 64-bit hash of bytes by folded multiplication, eight bytes a step.
///
/// It places the texts of fixtures, so it needs no secret: requests only look up. Equal hashes of different keys are found when an
/// index is built, which then starts again with another seed; a request's key is always compared byte for byte after the look-up.
enum ByteHash {
    @inline(__always)
    static func hash(_ bytes: Bytes, seed: UInt64) -> UInt64 {
        guard let base = bytes.baseAddress else { return mix(seed ^ 0x9E37_79B9_7F4A_7C15, 0xE703_7ED1_A0B4_28DB) }
        var state = seed ^ 0x9E37_79B9_7F4A_7C15
        var pointer = UnsafeRawPointer(base)
        var left = bytes.count
        while left >= 8 {
            state = mix(state ^ pointer.loadUnaligned(as: UInt64.self), 0xA076_1D64_78BD_642F)
            pointer += 8
            left &-= 8
        }
        var tail: UInt64 = 0
        if left >= 4 {
            let low = UInt64(pointer.loadUnaligned(as: UInt32.self))
            let high = UInt64((pointer + (left &- 4)).loadUnaligned(as: UInt32.self))
            tail = low | high << 32
        } else if left > 0 {
            let first = UInt64(pointer.load(as: UInt8.self))
            let middle = UInt64((pointer + left / 2).load(as: UInt8.self))
            let last = UInt64((pointer + (left &- 1)).load(as: UInt8.self))
            tail = first | middle << 8 | last << 16
        }
        return mix(state ^ tail, 0xE703_7ED1_A0B4_28DB ^ UInt64(truncatingIfNeeded: bytes.count))
    }

    static func hash(_ text: String, seed: UInt64) -> UInt64 {
        var text = text
        return text.withUTF8 { hash($0, seed: seed) }
    }

    /// Two words made one.
    @inline(__always)
    static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    /// A hash of a number under another.
    @inline(__always)
    static func combine(_ seed: UInt64, _ value: UInt64) -> UInt64 {
        mix(seed ^ 0x8EBC_6AF0_9C88_C6E3, value ^ 0x5899_65CC_7537_4CC3)
    }
}
