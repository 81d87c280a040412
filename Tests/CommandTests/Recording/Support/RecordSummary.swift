// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What the last line of `record` counts, but for what was unchanged: a redirect has its end asked for more than once.
struct RecordSummary: Equatable {
    var new = 0
    var changed = 0
    var refused = 0
    var failed = 0

    init(new: Int, changed: Int = 0, refused: Int = 0, failed: Int = 0) {
        self.new = new
        self.changed = changed
        self.refused = refused
        self.failed = failed
    }

    /// - Returns: nil where the output does not end with a summary.
    init?(_ output: String) {
        let words = (output.split(separator: "\n").last ?? "").split(separator: ",").map { $0.split(separator: " ") }
        guard words.map({ $0.last ?? "" }) == ["new", "changed", "unchanged", "refused", "failed"] else { return nil }
        let counts = words.map { Int($0.first ?? "") ?? -1 }
        self.init(new: counts[0], changed: counts[1], refused: counts[3], failed: counts[4])
    }
}
