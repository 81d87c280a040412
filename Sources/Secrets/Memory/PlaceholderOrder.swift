// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Puts placeholders in the order in which they stand in a text.
enum PlaceholderOrder {
    static func of(_ names: Set<String>, in bytes: [UInt8]) -> [String] {
        var ordered: [String] = []
        var seen: Set<String> = []
        bytes.withUnsafeBufferPointer { text in
            var index = 0
            while index < text.count {
                guard text[index] == Placeholder.start[0], text.has(Placeholder.start, at: index) else {
                    index += 1
                    continue
                }
                var end = text.end(of: .placeholder, from: index, limit: index + Placeholder.limit)
                // What follows, a full stop for instance, may be no part of it.
                while end > index, case let name = String(decoding: text[index..<end], as: UTF8.self),
                    !names.contains(name)
                { end -= 1 }
                if end > index {
                    let name = String(decoding: text[index..<end], as: UTF8.self)
                    if seen.insert(name).inserted { ordered.append(name) }
                }
                index = max(end, index + 1)
            }
        }
        return ordered
    }
}
