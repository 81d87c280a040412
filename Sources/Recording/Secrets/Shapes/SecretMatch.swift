// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A secret in a text.
struct SecretMatch: RangedInText, Sendable {
    /// The range that is replaced.
    var range: Range<Int>
    /// The secret as it is when nothing in it is escaped.
    var value: [UInt8]
    var kind: SecretKind
    /// The name it stands behind; empty if there is none.
    var name = ""
    /// Whether it is a parameter of a URL's query.
    var isInQuery = false
    /// How far the secret is looked for.
    var spread = SecretSpread.everywhere
}

/// Something with a range in a text.
protocol RangedInText {
    var range: Range<Int> { get }
}

extension Array where Element: RangedInText {
    /// In their order, of those that overlap the first and longest.
    func apart() -> [Element] {
        if count < 2 { return self }
        var kept: [Element] = []
        let sorted = sorted {
            $0.range.lowerBound != $1.range.lowerBound
                ? $0.range.lowerBound < $1.range.lowerBound : $0.range.upperBound > $1.range.upperBound
        }
        for match in sorted where match.range.lowerBound >= kept.last?.range.upperBound ?? 0 { kept.append(match) }
        return kept
    }
}
