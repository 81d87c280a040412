// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A recorded text in which placeholders stand among other words: the parts in their places in the same live text are secrets, be they
/// learnt already or not.
struct PlaceholderTemplate {
    /// Bytes that are compared to find the parts between placeholders; a text that takes more counts as different. 4 MiB.
    private static let budget = 4 * 1024 * 1024

    /// The texts around the placeholders, one more than there are placeholders.
    private var literals: [[UInt8]] = []
    private var names: [String] = []

    /// - Returns: nil for a text without placeholders, and for a text of nothing else.
    init?(_ text: Bytes) {
        var index = 0
        var literal: [UInt8] = []
        while index < text.count {
            let formed = Placeholder.formed(in: text, at: index)
            guard formed != nil || text[index] == Placeholder.start[0] && text.has(Placeholder.start, at: index) else {
                literal.append(text[index])
                index += 1
                continue
            }
            let end = formed?.end ?? text.end(of: .placeholder, from: index, limit: index + Placeholder.limit)
            literals.append(literal)
            let written = formed == nil ? String(decoding: text[index..<end], as: UTF8.self) : "redacted.value"
            names.append(formed?.name ?? written)
            literal = []
            index = end
        }
        literals.append(literal)
        if names.isEmpty || literals.allSatisfy(\.isEmpty) { return nil }
    }

    /// The values in the places of the placeholders, each with the place that names it; none if the text is another
    /// one, or if one of the values does not look like a secret.
    func holes(in text: Bytes) -> [(range: Range<Int>, place: String)] {
        guard let first = literals.first, let last = literals.last, text.count >= first.count + last.count,
            text.has(first, at: 0), text.has(last, at: text.count - last.count)
        else { return [] }
        var holes: [(range: Range<Int>, place: String)] = []
        var start = first.count
        var budget = Self.budget
        for (index, name) in names.enumerated() {
            let isLast = index == names.count - 1
            let literal = literals[index + 1]
            let end = isLast ? text.count - last.count : Self.first(literal, in: text, from: start, &budget)
            guard let end, end > start else { return [] }
            let value = text.slice(start..<end)
            if !Placeholder.isWhole(value) {
                guard TextTraits(value).isToken(least: 8) else { return [] }
                holes.append((start..<end, String(name.dropFirst(Placeholder.start.count))))
            }
            start = end + literal.count
        }
        return holes
    }

    /// The first place behind an index where a text stands; two placeholders side by side cannot be told apart.
    private static func first(_ literal: [UInt8], in text: Bytes, from index: Int, _ budget: inout Int) -> Int? {
        guard !literal.isEmpty, text.count - index >= literal.count else { return nil }
        for start in index...text.count - literal.count {
            var length = 0
            while length < literal.count, text[start + length] == literal[length] { length += 1 }
            if length == literal.count { return start }
            budget -= length + 1
            if budget < 0 { return nil }
        }
        return nil
    }
}
