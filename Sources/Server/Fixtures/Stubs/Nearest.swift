// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Finds the word that somebody most likely meant.
package enum Nearest {
    /// Letters that a word has at least which others are taken to begin with. 3.
    private static let prefixLength = 3

    /// The candidate with the fewest edits, or the shortest that begins with the word, and whether it is near enough to be the one meant.
    package static func word(to word: String, among candidates: some Sequence<String>) -> (word: String, isNear: Bool)?
    {
        let lowered = Array(word.lowercased().utf8)
        var best: (word: String, distance: Int)?
        var longer: String?
        for candidate in candidates {
            let other = Array(candidate.lowercased().utf8)
            if lowered.count >= prefixLength, other.starts(with: lowered),
                longer.map({ other.count < $0.utf8.count }) ?? true
            {
                longer = candidate
            }
            let distance = distance(lowered, other)
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        // One letter left out or too many is a slip of the finger.
        if let longer, best.map({ $0.distance > 1 }) ?? true { return (longer, true) }
        return best.map { ($0.word, $0.distance <= max(2, min(4, lowered.count / 3))) }
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
