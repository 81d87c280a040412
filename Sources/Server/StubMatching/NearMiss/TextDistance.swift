// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How many letters must change to make one text of another.
enum TextDistance {
    /// From 0 for the same to 1 for texts with nothing in common; texts are compared up to `NearMissLimits.editedBytes`
    /// after their common beginning and before their common end.
    static func normalized(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Double {
        let longest = max(left.count, right.count)
        if longest == 0 { return 0 }
        var left = Array(left)[...]
        var right = Array(right)[...]
        while let one = left.first, one == right.first {
            left.removeFirst()
            right.removeFirst()
        }
        while let one = left.last, one == right.last {
            left.removeLast()
            right.removeLast()
        }
        let limit = NearMissLimits.editedBytes
        let cut = max(left.count, right.count) - max(left.prefix(limit).count, right.prefix(limit).count)
        let edits = edits(Array(left.prefix(limit)), Array(right.prefix(limit))) + cut
        return min(1, Double(edits) / Double(longest))
    }

    /// The edit distance (Levenshtein), row by row.
    private static func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var row = Array(0...right.count)
        for (line, one) in left.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in right.enumerated() {
                let change = diagonal + (one == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, min(row[column], diagonal) + 1)
            }
        }
        return row[right.count]
    }
}
