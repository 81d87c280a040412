// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension VerdictTable {
    /// A table with a row for each requirement.
    package var markdown: String {
        let rows = verdicts.map { verdict in
            let seen = [verdict.seen, verdict.note].filter { !$0.isEmpty }.joined(separator: "; ")
            return "| `\(verdict.id)` | \(cell(verdict.title)) | \(cell(verdict.expected)) | \(cell(seen)) |"
                + " \(verdict.result.rawValue) |"
        }
        let head = ["| requirement | | expected | seen | verdict |", "|---|---|---|---|---|"]
        return (["\(client): \(summary)", ""] + head + rows).joined(separator: "\n") + "\n"
    }

    private func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\n", with: " ")
    }
}
