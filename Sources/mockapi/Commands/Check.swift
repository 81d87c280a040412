// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import Fixtures
import MockServer
import Recording

/// `mockapi check`: every finding of a fixture directory.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what is wrong with fixtures, and what looks like a secret in them.",
        discussion: """
            Each finding is a line on standard output: path:line:column: error|warning: text (/json/pointer). The exit code \
            is 1 where there is any.

            What looks like a secret is a finding in every file; .mockapi-secrets-allow in the directory holds what may stay, a path, a \
            tab and a kind a line. So is what a recording that was interrupted has left in .mockapi-recording.
            """)

    @OptionGroup var fixtures: FixtureDirectory

    func run() async throws {
        let loaded = try fixtures.load()
        let findings =
            (loaded.findings + SecretCheck.findings(in: loaded.root) + InterruptedRecording.findings(in: loaded.root))
            .sorted()
        for finding in findings { Output.result(finding.description) }
        Output.note("\(loaded.counts), \(Counts.count(findings.count, "finding"))")
        if !findings.isEmpty { throw Exit.findings }
    }
}
