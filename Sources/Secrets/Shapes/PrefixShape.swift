// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A secret that tells itself by what it begins with.
struct PrefixShape: Sendable {
    var prefix: [UInt8]
    var kind: SecretKind
    /// What stands behind the prefix, and how long it is.
    var characters: ByteClass
    var lengths: ClosedRange<Int>
    /// Whether capitals, small letters and digits must all be there, in the first 64 bytes: the prefix alone says too little.
    var isMixed: Bool
    /// Whether nothing more of the same class may follow.
    var isExact: Bool

    /// Where the secret that begins at a place ends; nil where there is none.
    func end(in text: Bytes, at index: Int) -> Int? {
        guard text.has(prefix, at: index) else { return nil }
        let start = index + prefix.count
        let end = text.end(of: characters, from: start, limit: start + lengths.upperBound)
        guard end - start >= lengths.lowerBound else { return nil }
        if isExact, !text.endsWord(at: end) { return nil }
        if isMixed {
            let look = Look(text.slice(start..<min(end, start + 64)))
            guard look.digits > 0, look.uppercase > 0, look.lowercase > 0 else { return nil }
        }
        return end
    }
}
