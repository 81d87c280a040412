// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiFixtures
import MockapiRecording
import MockapiReports
import MockapiSystemIO

/// `mockapi check`: every finding of a fixture directory.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the mistakes in fixtures, and values that look like secrets.",
        discussion: """
            Each finding is a line on standard output: path:line:column: error|warning: text (/json/pointer). The path can be \
            opened from the working directory; in annotations, SARIF and Code Quality it is that in the repository. The exit code is 1 if there is any.

            A value that looks like a secret is a finding in every file; .mockapi-secrets-allow in the directory lists those that may stay, with a path, a \
            tab and a kind in each line. So are the remains of an interrupted recording in .mockapi-recording, and recorded dates that have passed.
            """)

    @OptionGroup var fixtures: FixtureDirectory

    @Option(
        help:
            "Print findings as text, json, annotations of GitHub Actions (github), sarif or GitLab's Code Quality (gitlab)."
    )
    var format = FindingReport.Format.text

    @Option(
        help: ArgumentHelp(
            "Report recordings that are older than this many days, such as 90.", valueName: "days"))
    var maxAge: Int?

    @Flag(
        help: """
            In a WireMock root: show the scalars that would be rewritten, such as "200" as 200, ask, and write them.
            """)
    var fix = false

    @Flag(help: "With --fix: write without asking.")
    var yes = false

    func validate() throws {
        if yes, !fix { throw ValidationError("--yes goes with --fix") }
        if let maxAge, maxAge < 0 { throw ValidationError("--max-age is a number of days, such as 90") }
    }

    func run() async throws {
        var loaded = try fixtures.load()
        if fix, try MappingFixes(loaded, isAgreed: yes).write() { loaded = try fixtures.load() }
        var findings =
            loaded.findings + loaded.dearPatterns + SecretCheck.findings(in: loaded.set)
            + SharedStubs.findings(in: loaded.set) + loaded.outdated(now: Clock.seconds)
            + InterruptedRecording.findings(in: loaded.root).map { finding in
                Finding(finding.severity, finding.text, at: finding.place, kind: .recording)
            }
        if let maxAge { findings += loaded.expired(afterDays: maxAge, now: Clock.seconds) }
        let report = FindingReport(
            findings, root: loaded.root, directory: fixtures.folder, stubs: loaded.counts.stubs,
            files: loaded.counts.files, version: mockapiVersion)
        if format == .text, Output.resultIsTerminal {
            Output.show(report.findings, isResult: true)
        } else {
            let text = report.text(format, in: .current)
            if !text.isEmpty { Output.result(text) }
        }
        Output.note("\(loaded.counts), \(Counts.count(findings.count, "finding"))")
        if let note = loaded.originNote(.options) { Output.note(note) }
        if !findings.isEmpty { throw Exit.findings }
    }
}

extension FindingReport.Format: ExpressibleByArgument {}
