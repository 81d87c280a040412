// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Finds any of many values in a text in one pass.
struct ValueIndex: Sendable {
    private struct Entry: Sendable {
        /// The value as it is written in some text: as it is, percent-encoded, escaped, in Base64.
        var form: [UInt8]
        var value: [UInt8]
        /// Whether letters or digits may not stand beside it.
        var isWord: Bool
    }

    /// A bit for each hash of four bytes that a form begins with.
    private var filter: [UInt64] = []
    /// Keyed by the first eight bytes, the longest form first.
    private var entries: [UInt64: [Entry]] = [:]

    /// Secrets that are words as well: not looked for in texts, and known by a secret name.
    private(set) var words: Set<[UInt8]> = []

    /// The most bytes of a value that stands in a placeholder by chance. 15.
    private static let chanceLimit = 15
    /// The placeholders that were given.
    private(set) var placeholders: Set<String> = []

    var isEmpty: Bool { entries.isEmpty }

    mutating func insert(word: [UInt8]) {
        words.insert(word)
    }

    mutating func insert(placeholder: String) {
        placeholders.insert(placeholder)
    }

    /// Whether a value is one of the words.
    func isWord(_ value: Bytes) -> Bool { !words.isEmpty && words.contains(Array(value)) }

    mutating func insert(_ value: [UInt8], isWord: Bool) {
        if filter.isEmpty { filter = [UInt64](repeating: 0, count: 1024) }
        for form in ValueForms.all(of: value) where form.count >= 8 {
            let (start, key) = form.withUnsafeBufferPointer { (Self.hash($0, at: 0), Self.key($0, at: 0)) }
            filter[start >> 6] |= 1 << UInt64(start & 63)
            var bucket = entries[key] ?? []
            let position = bucket.firstIndex { $0.form.count < form.count } ?? bucket.endIndex
            bucket.insert(Entry(form: form, value: value, isWord: isWord), at: position)
            entries[key] = bucket
        }
    }

    /// Each value that stands in a text, with its place; of values that overlap the first and longest.
    ///
    /// Short values that stand within placeholders, or lap over their ends, are left out here, so that
    /// none hides another secret that is found beside it.
    func search(_ text: Bytes, found: (Range<Int>, [UInt8]) -> Void) {
        var given: [Range<Int>]?
        search(text) { range, value in
            if value.count <= Self.chanceLimit, !placeholders.isEmpty {
                let ranges = given ?? PlaceholderOrder.ranges(of: placeholders, in: text)
                given = ranges
                if Self.overlaps(range, ranges) { return false }
            }
            found(range, value)
            return true
        }
    }

    /// Whether a value stands in a text, be it in a placeholder or not.
    func stands(in text: Bytes) -> Bool {
        var isFound = false
        search(text) { _, _ in
            isFound = true
            return true
        }
        return isFound
    }

    /// - Parameter take: whether a value counts where it stands.
    private func search(_ text: Bytes, take: (Range<Int>, [UInt8]) -> Bool) {
        guard !isEmpty, text.count >= 8 else { return }
        filter.withUnsafeBufferPointer { filter in
            var index = 0
            while index + 8 <= text.count {
                let start = Self.hash(text, at: index)
                if filter[start >> 6] >> UInt64(start & 63) & 1 != 0,
                    let entry = entries[Self.key(text, at: index)]?.first(where: {
                        stands($0, in: text, at: index)
                            && take(index..<index + $0.form.count, $0.value)
                    })
                {
                    index += entry.form.count
                } else {
                    index += 1
                }
            }
        }
    }

    /// Whether a range overlaps one of others that stand apart, in their order.
    private static func overlaps(_ range: Range<Int>, _ others: [Range<Int>]) -> Bool {
        var (low, high) = (0, others.count)
        while low < high {
            let middle = (low + high) / 2
            if others[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < others.count && others[low].overlaps(range)
    }

    private func stands(_ entry: Entry, in text: Bytes, at index: Int) -> Bool {
        text.has(entry.form, at: index)
            && (!entry.isWord || text.startsWord(at: index) && text.endsWord(at: index + entry.form.count))
    }

    private static func hash(_ text: Bytes, at index: Int) -> Int {
        let word =
            UInt32(text[index]) | UInt32(text[index + 1]) << 8 | UInt32(text[index + 2]) << 16
            | UInt32(text[index + 3]) << 24
        return Int((word &* 0x9E37_79B1) >> 16)
    }

    private static func key(_ text: Bytes, at index: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 << 8 | UInt64(text[index + $1]) }
    }
}
