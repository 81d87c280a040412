// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// An entity tag (RFC 9110 §8.8.3).
struct EntityTag: Equatable, Sendable {
    let isWeak: Bool
    /// With its quotes.
    let opaque: Substring

    /// Reads one tag; nil for any other text.
    init?(_ text: some StringProtocol) {
        let trimmed = Substring(text).trimmingBlanks
        isWeak = trimmed.hasPrefix("W/")
        opaque = isWeak ? trimmed.dropFirst(2) : trimmed
        guard opaque.utf8.count >= 2, opaque.first == "\"", opaque.last == "\"",
            !opaque.dropFirst().dropLast().contains("\"")
        else { return nil }
    }

    /// Both strong and the same (§8.8.3.2).
    func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// The same, whether strong or weak.
    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// The tags of a list, in which commas may stand inside of quotes.
    static func list(_ text: String) -> [EntityTag] {
        var tags: [EntityTag] = []
        var start = text.startIndex
        var isQuoted = false
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == "\"" { isQuoted.toggle() }
            if text[index] == ",", !isQuoted {
                if let tag = EntityTag(text[start..<index]) { tags.append(tag) }
                start = text.index(after: index)
            }
            index = text.index(after: index)
        }
        if let tag = EntityTag(text[start...]) { tags.append(tag) }
        return tags
    }
}
