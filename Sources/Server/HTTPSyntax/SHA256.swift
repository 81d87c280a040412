// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The hash SHA-256 (FIPS 180-4) of bytes that come in pieces.
package struct SHA256 {
    private typealias State = (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)

    private var state: State = (
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19
    )
    private var blocks = HashBlocks(of: block)

    /// Bytes that are hashed at once.
    private static let block = 64
    /// Bytes of a digest.
    package static let count = 32

    package init() {}

    /// The digest of bytes in lower-case hexadecimal digits.
    package static func text(of bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { text(of: $0) }
    }

    package static func text(of bytes: UnsafeRawBufferPointer) -> String {
        var hash = SHA256()
        hash.combine(bytes)
        return Hexadecimal.text(of: hash.digest[...])
    }

    package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        blocks.append(bytes) { Self.mix($0, into: &state) }
    }

    /// The digest of all that came (FIPS 180-4 §6.2).
    package var digest: [UInt8] {
        var last = state
        blocks.ending(\.bigEndian).withUnsafeBytes { Self.mix($0, into: &last) }
        let words = [last.0, last.1, last.2, last.3, last.4, last.5, last.6, last.7]
        return words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4 §4.2.2).
    private static let cubeRoots: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]

    /// - Parameter bytes: whole blocks.
    private static func mix(_ bytes: UnsafeRawBufferPointer, into state: inout State) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            cubeRoots.withUnsafeBufferPointer { roots in
                var offset = 0
                while offset < bytes.count {
                    for step in 0..<16 {
                        let word = bytes.loadUnaligned(fromByteOffset: offset &+ step &<< 2, as: UInt32.self)
                        schedule[step] = UInt32(bigEndian: word)
                    }
                    for step in 16..<64 {
                        let (early, late) = (schedule[step &- 15], schedule[step &- 2])
                        let first = turned(early, 7) ^ turned(early, 18) ^ early &>> 3
                        let second = turned(late, 17) ^ turned(late, 19) ^ late &>> 10
                        schedule[step] = schedule[step &- 16] &+ first &+ schedule[step &- 7] &+ second
                    }
                    mix(schedule, roots, into: &state)
                    offset &+= block
                }
            }
        }
    }

    private static func mix(
        _ schedule: UnsafeMutableBufferPointer<UInt32>, _ roots: UnsafeBufferPointer<UInt32>, into state: inout State
    ) {
        var (a, b, c, d, e, f, g, h) = state
        for step in 0..<64 {
            let first =
                h &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ (e & f ^ ~e & g) &+ roots[step]
                &+ schedule[step]
            let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        state = (
            state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e, state.5 &+ f, state.6 &+ g,
            state.7 &+ h
        )
    }

    private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }
}
