// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiReports

extension VerdictTable {
    /// The verdicts in the form that every command uses for its report.
    ///
    /// - Parameter startedAt: in seconds since 1970.
    package func report(startedAt: Double) -> Report {
        var report = Report("contract", of: "client", client, startedAt: startedAt)
        report.duration = duration
        for verdict in verdicts {
            var one = Report.Case(
                verdict.id, verdict.title, Report.Case.Result(verdict.result), expected: verdict.expected,
                seen: verdict.seen, note: verdict.note)
            one.request = verdict.request
            one.details = verdict.details
            one.duration = verdict.duration
            report.add(one)
        }
        return report
    }

    /// A line for each requirement; the expected and the seen result below those that fail.
    package var text: String { report(startedAt: 0).text() }
    /// A table with a row for each requirement.
    package var markdown: String { report(startedAt: 0).markdown(hasDetails: false) }
    /// One test suite with a case for each requirement, as JUnit XML.
    package func junit(startedAt: Double) -> String { report(startedAt: startedAt).junit.xml }
    /// One object with all there is to know.
    package func json(startedAt: Double) -> [UInt8] { report(startedAt: startedAt).json }
}

extension Report.Case.Result {
    fileprivate init(_ result: Verdict.Result) {
        self =
            switch result {
            case .pass: .pass
            case .fail: .fail
            case .notApplicable: .notApplicable
            }
    }
}
