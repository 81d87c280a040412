// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiSystemIO

/// A 64-bit hash of bytes, eight at a time; the same at every run, and not a defence against an attacker.
///
/// Pieces but the last must be a multiple of eight bytes.
package struct ContentHash {
    private var state: UInt64
    private var length: UInt64 = 0

    init(seed: UInt64 = 0x6A09_E667_F3BC_C909) {
        state = seed
    }

    mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        var state = state
        let words = bytes.count / 8
        for word in 0..<words {
            let value = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: word &* 8, as: UInt64.self))
            state = Self.mix(state, value)
        }
        var rest: UInt64 = 0
        for byte in bytes[(words * 8)...].reversed() { rest = rest << 8 | UInt64(byte) }
        if bytes.count > words * 8 { state = Self.mix(state, rest) }
        self.state = state
        length &+= UInt64(bytes.count)
    }

    /// The hash of the combined bytes; their number counts, so that zeros at the end do.
    var value: UInt64 {
        let mixed = Self.mix(state, length)
        return mixed ^ mixed >> 29
    }

    private static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.low ^ product.high &+ (word << 31 | word >> 33)
    }

    /// The hash of a file's content, read in pieces of 64 KiB: the memory of larger ones is taken again from the system for each file.
    package static func ofFile(at path: String) throws(SystemError) -> UInt64 {
        var hash = ContentHash()
        try FileReader.read(path, inPiecesOf: 64 * 1024) { hash.combine($0) }
        return hash.value
    }

    package static func of(_ bytes: [UInt8], seed: UInt64 = 0x6A09_E667_F3BC_C909) -> UInt64 {
        var hash = ContentHash(seed: seed)
        bytes.withUnsafeBytes { hash.combine($0) }
        return hash.value
    }
}

/// FNV-1a, a 64-bit hash of a byte at a time, for draws and names that stay the same from one release to the next.
package struct FNVHash {
    package private(set) var value: UInt64

    package init(seed: UInt64 = 0) {
        value = 0xCBF2_9CE4_8422_2325 ^ seed
    }

    package mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    package static func of(_ text: String, seed: UInt64 = 0) -> UInt64 {
        var hash = FNVHash(seed: seed)
        hash.combine(text.utf8)
        return hash.value
    }
}
