// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Which values of a telling name are secrets.
enum ValueRule: Sendable, Hashable {
    /// Any that is not empty: people choose passwords as they like.
    case any
    /// Any without white space, or a phrase.
    case word
    /// What looks like a token and has so many bytes.
    case token(least: Int)
    /// A token, or a token behind the name of a scheme.
    case credentials
    /// So many digits.
    case digits(ClosedRange<Int>)
    /// High entropy, or a digest.
    case key

    func matches(_ value: Bytes) -> Bool {
        if value.isEmpty || Placeholder.isWhole(value) { return false }
        if case .any = self { return true }
        let look = Look(value)
        switch self {
        case .any: return true
        case .word:
            if look.isPublishable || Placeholder.stands(in: value) { return false }
            return look.spaces == 0 || look.isPassphrase() || look.isScrambledPhrase
        case .token(let length):
            return (look.isToken(least: length) || look.isScrambled(12, share: 2)) && !look.isPublishable
                && !(value.count < 16 && look.isSlug)
        case .digits(let lengths): return look.isDigits(lengths)
        case .key:
            if look.isPublishable { return false }
            return look.isHighEntropy || look.isHexadecimal
                || look.isToken(least: 20) && look.uppercase > 0 && look.changes > 5 && !look.isFileName
        case .credentials:
            let start = value.lastIndex { ByteClass.space.contains($0) }.map { $0 + 1 } ?? 0
            return Look(value.slice(start..<value.count)).isToken(least: 8)
        }
    }
}
