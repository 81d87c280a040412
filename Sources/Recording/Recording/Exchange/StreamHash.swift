// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiUpstream

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

    /// Each text with its length, so that no two lists of texts are one.
    mutating func combine(_ texts: String...) {
        for var text in texts {
            text.withUTF8 { bytes in
                combine(length: bytes.count)
                combine(UnsafeRawBufferPointer(bytes))
            }
        }
    }

    mutating func combine(_ field: UpstreamField) {
        combine(field.name)
        combine(length: field.bytes.count)
        combine(field.bytes)
    }

    private mutating func combine(length: Int) {
        withUnsafeBytes(of: UInt64(length).littleEndian) { combine($0) }
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
        let padded = blocks.rest + [UInt8](repeating: 0, count: Self.block - blocks.rest.count)
        padded.withUnsafeBytes { Self.mix($0, into: &last) }
        let (first, second, third, fourth) = last
        return Fingerprint(
            first: [first, second, third, fourth].reduce(blocks.length, Self.mix),
            second: [third, first, fourth, second].reduce(~blocks.length, Self.mix))
    }
}
