// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Finds placeholders in a text by their names.
enum PlaceholderOrder {
    /// In the order in which they stand in the text, without repeats.
    static func of(_ names: Set<String>, in bytes: [UInt8]) -> [String] {
        var ordered: [String] = []
        var seen: Set<String> = []
        bytes.withUnsafeBufferPointer { text in
            for range in ranges(of: names, in: text) {
                let name =
                    TokenPlaceholder.find(in: text, at: range.lowerBound)?.name
                    ?? String(decoding: text[range], as: UTF8.self)
                if seen.insert(name).inserted { ordered.append(name) }
            }
        }
        return ordered
    }

    /// Where they stand.
    static func ranges(of names: Set<String>, in text: Bytes) -> [Range<Int>] {
        if names.isEmpty { return [] }
        var ranges: [Range<Int>] = []
        var index = 0
        while index < text.count {
            guard text[index] == Placeholder.start[0], text.has(Placeholder.start, at: index) else {
                if let formed = Placeholder.formed(in: text, at: index),
                    names.contains(formed.name ?? String(decoding: text[index..<formed.end], as: UTF8.self))
                {
                    ranges.append(index..<formed.end)
                    index = formed.end
                } else {
                    index += 1
                }
                continue
            }
            var end = text.end(of: .placeholder, from: index, limit: index + Placeholder.limit)
            // The text that follows, a full stop for instance, may not be part of it.
            while end > index, !names.contains(String(decoding: text[index..<end], as: UTF8.self)) { end -= 1 }
            if end > index { ranges.append(index..<end) }
            index = max(end, index + 1)
        }
        return ranges
    }
}
