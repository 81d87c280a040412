// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension VerdictTable {
    /// - Parameter startedAt: in seconds since 1970.
    package func junit(startedAt: Double) -> JUnitReport {
        JUnitReport(
            name: "contract of \(client)",
            cases: verdicts.map { verdict in
                let text = ["expected: \(verdict.expected)", "seen: \(verdict.seen)"]
                let lines = verdict.note.isEmpty ? text : text + ["known: \(verdict.note)"]
                let result: JUnitReport.Case.Result =
                    switch verdict.result {
                    case .pass: .pass
                    case .notApplicable: .skipped(verdict.seen)
                    case .fail: .failure(message: verdict.title, text: lines.joined(separator: "\n"))
                    }
                return JUnitReport.Case(
                    className: "contract.\(client)", name: "\(verdict.id): \(verdict.title)", time: verdict.duration,
                    result: result)
            }, startedAt: startedAt)
    }
}
