// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// A 128-bit hash of a stream of bytes; not a defence against an attacker.
struct Fingerprint: Hashable, Sendable {
    fileprivate var first: UInt64
    fileprivate var second: UInt64
}

/// Makes the fingerprint of bytes as they come, the same in whatever pieces that is.
///
/// Four words are mixed at a time, each with a state of its own, so that none waits for the one before it.
struct StreamHash: Sendable {
    private typealias States = (UInt64, UInt64, UInt64, UInt64)

    private var states: States = (
        0x6A09_E667_F3BC_C909, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1
    )
    private var blocks = HashBlocks(of: block)
    private static let block = 32

    mutating func combine(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { combine($0) }
    }

    mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        blocks.append(bytes) { Self.mix($0, into: &states) }
    }

    private static func mix(_ bytes: UnsafeRawBufferPointer, into states: inout States) {
        var (first, second, third, fourth) = states
        var offset = 0
        while offset < bytes.count {
            first = mix(first, word(bytes, offset))
            second = mix(second, word(bytes, offset &+ 8))
            third = mix(third, word(bytes, offset &+ 16))
            fourth = mix(fourth, word(bytes, offset &+ 24))
            offset &+= block
        }
        states = (first, second, third, fourth)
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.low ^ product.high &+ (word << 31 | word >> 33)
    }

    /// The fingerprint of the combined bytes; their number counts, so that zeros at the end do.
    var value: Fingerprint {
        var last = states
        withUnsafeTemporaryAllocation(byteCount: Self.block, alignment: 8) { padded in
            padded.initializeMemory(as: UInt8.self, repeating: 0)
            padded.copyBytes(from: blocks.rest)
            Self.mix(UnsafeRawBufferPointer(padded), into: &last)
        }
        let (first, second, third, fourth) = last
        return Fingerprint(
            first: Self.mix(Self.mix(Self.mix(Self.mix(blocks.length, first), second), third), fourth),
            second: Self.mix(Self.mix(Self.mix(Self.mix(~blocks.length, third), first), fourth), second))
    }
}
