// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// A 128-bit hash of a stream of bytes; not a defence against an attacker.
struct Fingerprint: Hashable, Sendable {
    let first: UInt64
    let second: UInt64
}

/// Makes the fingerprint of bytes as they come, the same in whatever pieces that is.
///
/// Four pairs of words are mixed at a time, each with a state of its own, so that none waits for the one before it.
struct StreamHash: Sendable {
    private typealias States = (UInt64, UInt64, UInt64, UInt64)

    private var states: States = (
        0x6A09_E667_F3BC_C909, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1
    )
    private var blocks = HashBlocks(of: block)
    private static let block = 64

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
            first = mix(first, word(bytes, offset), word(bytes, offset &+ 8))
            second = mix(second, word(bytes, offset &+ 16), word(bytes, offset &+ 24))
            third = mix(third, word(bytes, offset &+ 32), word(bytes, offset &+ 40))
            fourth = mix(fourth, word(bytes, offset &+ 48), word(bytes, offset &+ 56))
            offset &+= block
        }
        states = (first, second, third, fourth)
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private static func mix(_ state: UInt64, _ one: UInt64, _ other: UInt64 = 0) -> UInt64 {
        let product = (state ^ one).multipliedFullWidth(by: other ^ 0x9E37_79B9_7F4A_7C15)
        // If a factor is zero, the state and the first word still count.
        return product.low ^ product.high &+ one &+ (state << 31 | state >> 33)
    }

    /// The fingerprint of the combined bytes; their number counts, so that zeros at the end do.
    var value: Fingerprint {
        blocks.rest.withUnsafeBytes { Self.value(states, blocks.length, rest: $0) }
    }

    /// The fingerprint of bytes that are all there.
    static func fingerprint(of bytes: UnsafeRawBufferPointer) -> Fingerprint {
        var states = StreamHash().states
        let end = bytes.count - bytes.count % block
        mix(UnsafeRawBufferPointer(rebasing: bytes[..<end]), into: &states)
        return value(states, UInt64(bytes.count), rest: UnsafeRawBufferPointer(rebasing: bytes[end...]))
    }

    static func fingerprint(of bytes: [UInt8]) -> Fingerprint { bytes.withUnsafeBytes { fingerprint(of: $0) } }

    private static func value(_ states: States, _ length: UInt64, rest: UnsafeRawBufferPointer) -> Fingerprint {
        var last = states
        withUnsafeTemporaryAllocation(byteCount: block, alignment: 8) { padded in
            padded.initializeMemory(as: UInt8.self, repeating: 0)
            padded.copyMemory(from: rest)
            mix(UnsafeRawBufferPointer(padded), into: &last)
        }
        let (first, second, third, fourth) = last
        return Fingerprint(
            first: mix(mix(mix(mix(length, first), second), third), fourth),
            second: mix(mix(mix(mix(~length, third), first), fourth), second))
    }
}

/// Texts one after the other, each with its length, so that no two lists of texts are one.
struct DigestedText: ~Copyable {
    private let buffer: UnsafeMutableRawBufferPointer
    private var count = 0

    private init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    /// The fingerprint of the texts that are written.
    ///
    /// - Parameters:
    ///   - texts: how many there are at most, numbers too.
    ///   - bytes: how many they have at most.
    static func fingerprint(
        texts: Int, bytes: Int, _ write: (inout DigestedText) -> Void
    ) -> Fingerprint {
        withUnsafeTemporaryAllocation(byteCount: texts * MemoryLayout<UInt64>.size + bytes, alignment: 8) { buffer in
            var text = DigestedText(buffer)
            write(&text)
            return StreamHash.fingerprint(of: UnsafeRawBufferPointer(rebasing: buffer[..<text.count]))
        }
    }

    mutating func append(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { take($0) }
    }

    mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        append(UInt64(text.count))
        take(UnsafeRawBufferPointer(text))
    }

    mutating func append(_ text: [UInt8]) { text.withUnsafeBufferPointer { append($0) } }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    private mutating func take(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= buffer.count - count, "the texts are more than was said")
        UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes)
        count += bytes.count
    }
}
