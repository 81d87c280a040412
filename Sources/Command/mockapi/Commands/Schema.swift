// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockapiFixtures
import MockapiReports
import MockapiRunning

/// `mockapi schema`: the JSON Schema of stub files, of reports, or of expectations.
struct Schema: ParsableCommand {
    enum Subject: String, CaseIterable, ExpressibleByArgument {
        case stub
        case report
        case expectations
    }

    static let configuration = CommandConfiguration(
        abstract: "Print the JSON Schema of stub files, for editors, or that of reports or expectations.")

    @Argument(
        help:
            "Of stub files (stub), of the reports that commands write with --json (report), or of the files of run --expect (expectations)."
    )
    var subject = Subject.stub

    func run() {
        switch subject {
        case .stub: Output.result(FixtureSchema.json)
        case .expectations: Output.result(ExpectationSchema.json.trimmingLineFeed)
        case .report: Output.result(ReportSchema.json.trimmingLineFeed)
        }
    }
}
