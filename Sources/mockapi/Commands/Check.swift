// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import Fixtures
import MockServer

/// `mockapi check`: every finding of a fixture directory.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what is wrong with fixtures.",
        discussion: """
            Each finding is a line on standard output: path:line:column: error|warning: text (/json/pointer). The exit code \
            is 1 where there is any.
            """)

    @OptionGroup var fixtures: FixtureDirectory

    func run() async throws {
        let loaded = try fixtures.load()
        let findings = loaded.findings
        for finding in findings { Output.result(finding.description) }
        Output.note("\(loaded.counts), \(Counts.count(findings.count, "finding"))")
        if !findings.isEmpty { throw Exit.findings }
    }
}
