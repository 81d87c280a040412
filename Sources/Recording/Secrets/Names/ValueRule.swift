// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Which values of a secret name are secrets.
enum ValueRule: Sendable, Hashable {
    /// Any that is not empty: people choose passwords as they like.
    case any
    /// Any without white space, or a phrase.
    case word
    /// A value that looks like a token and has at least so many bytes.
    case token(least: Int)
    /// A token, or a token behind the name of a scheme.
    case credentials
    /// So many digits.
    case digits(ClosedRange<Int>)
    /// High entropy, or a digest.
    case key

    func matches(_ value: Bytes) -> Bool {
        if value.isEmpty || Placeholder.isWhole(value) || TokenPlaceholder.isPattern(value) { return false }
        if case .any = self { return true }
        let traits = TextTraits(value)
        switch self {
        case .any: return true
        case .word:
            if traits.isPublishable || Placeholder.stands(in: value) || traits.isDigits(1...5) { return false }
            return traits.spaces == 0 || traits.isPassphrase() || traits.isScrambledPhrase
        case .token(let length):
            return (traits.isToken(least: length) || traits.isScrambled(12, share: 2)) && !traits.isPublishable
                && !(value.count < 16 && traits.isSlug)
        case .digits(let lengths): return traits.isDigits(lengths)
        case .key:
            if traits.isPublishable { return false }
            return traits.isHighEntropy || traits.isHexadecimal
                || traits.isToken(least: 20) && traits.uppercase > 0 && traits.changes > 5 && !traits.isFileName
                    && !traits.isSlug(of: 20)
        case .credentials:
            let start = value.lastIndex { ByteClass.space.contains($0) }.map { $0 + 1 } ?? 0
            return TextTraits(value.slice(start..<value.count)).isToken(least: 8)
        }
    }
}
