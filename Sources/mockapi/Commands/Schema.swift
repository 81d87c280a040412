// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import Fixtures
import Reports

/// `mockapi schema`: the JSON Schema of stub files, or of what commands report.
struct Schema: ParsableCommand {
    enum Subject: String, CaseIterable, ExpressibleByArgument {
        case stub
        case report
    }

    static let configuration = CommandConfiguration(
        abstract: "Print the JSON Schema of stub files, for editors, or that of reports.")

    @Argument(help: "Of stub files (stub), or of the reports that commands write with --json (report).")
    var subject = Subject.stub

    func run() {
        switch subject {
        case .stub: Output.result(FixtureSchema.json)
        case .report: Output.result(ReportSchema.json.trimmingLineFeed)
        }
    }
}
