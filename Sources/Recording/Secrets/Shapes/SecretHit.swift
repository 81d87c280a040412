// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A secret in a message, and its name there.
struct SecretHit: RangedInText, Sendable {
    /// The range that is replaced, in the bytes as they are.
    var range: Range<Int>
    /// The secret as it is when nothing in it is escaped.
    var value: [UInt8]
    var kind: SecretKind
    /// The place that names its placeholder.
    var place: String
    var spread = SecretSpread.everywhere
    /// Whether it is a whole JSON value, whose placeholder needs quotes.
    var needsQuotes = false
    /// Whether as many bytes take its place, as in content whose parts are counted.
    var keepsLength = false
    /// Where the JSON value begins that it stands in; nil for a name, and for content that is not JSON.
    var node: Int?
    /// Whether it stands where the rules allow it.
    var isAllowed = false
}
