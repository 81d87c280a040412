// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension VerdictTable {
    /// A line for each requirement; what was expected and seen below those that fail.
    package var text: String {
        let width = verdicts.map(\.id.count).max() ?? 0
        var lines = ["\(client): \(summary)", ""]
        for verdict in verdicts {
            let id = verdict.id.padding(to: width)
            switch verdict.result {
            case .pass:
                lines.append("  pass  \(id)  \(verdict.title)")
                if !verdict.note.isEmpty { lines.append("          note:     \(verdict.note)") }
            case .notApplicable: lines.append("  n/a   \(id)  \(verdict.title) (\(verdict.seen))")
            case .fail:
                lines.append("  FAIL  \(id)  \(verdict.title)")
                lines.append("          expected: \(verdict.expected)")
                lines.append("          seen:     \(verdict.seen)")
                if !verdict.note.isEmpty { lines.append("          known:    \(verdict.note)") }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
