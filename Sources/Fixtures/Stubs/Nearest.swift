// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Finds the word that somebody most likely meant.
package enum Nearest {
    /// The candidate with the fewest edits, and whether it is near enough to be what was meant.
    package static func word(to word: String, among candidates: some Sequence<String>) -> (word: String, isNear: Bool)?
    {
        let lowered = Array(word.lowercased().utf8)
        var best: (word: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(lowered, Array(candidate.lowercased().utf8))
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best.map { ($0.word, $0.distance <= max(2, lowered.count / 3)) }
    }

    /// How many bytes must be put in, taken out, replaced or exchanged with their neighbour.
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            current.reserveCapacity(right.count + 1)
            for column in 1...right.count {
                let same = left[row - 1] == right[column - 1]
                var cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    cost = min(cost, beforeLast[column - 2] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
