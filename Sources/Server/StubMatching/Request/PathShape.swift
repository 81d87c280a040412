// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The features of a path by which one pass over all paths finds similar ones: its letters and its length.
struct PathShape: BitwiseCopyable {
    enum Kind: UInt8 {
        /// An exact target.
        case target
        case file
        /// A template, by its literals.
        case template
        /// A pattern, by its literal prefix.
        case pattern
    }

    /// One bit for the hash of each letter's first occurrence, one for its second, without regard to case.
    var signature: UInt64
    /// The number of the target's group, or of a file's record.
    var owner: UInt32
    /// In bytes; of a template in segments. 65,535 for more.
    var length: UInt16
    var kind: Kind

    static func signature(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var once: UInt32 = 0
        var twice: UInt32 = 0
        for byte in bytes {
            let bit: UInt32 = 1 << UInt32((ASCII.lowercased(byte) &* 37 >> 2) & 31)
            twice |= once & bit
            once |= bit
        }
        return UInt64(twice) << 32 | UInt64(once)
    }

    /// How unlike a request's path this is; a rough measure.
    func distance(signature other: UInt64, length: Int, segments: Int) -> Int {
        switch kind {
        case .target, .file: (signature ^ other).nonzeroBitCount + abs(Int(self.length) - length)
        case .template: 2 * (signature & ~other).nonzeroBitCount + 3 * abs(Int(self.length) - segments)
        case .pattern: 2 * (signature & ~other).nonzeroBitCount
        }
    }
}
