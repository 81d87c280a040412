// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import Fixtures
import MockServer
import Verification

/// `mockapi diff`: what a change of fixtures is to a client.
struct Diff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell what a change of fixtures is to a client: breaking or not.",
        usage: "mockapi diff <old> <new> [<options>]",
        discussion: """
            Each is a directory of fixtures, or a revision of git and a path in it. The new fixtures are held against the old ones as \
            `verify` holds live answers.

              mockapi diff main:Fixtures Fixtures
              mockapi diff v1.2:Fixtures v1.3:Fixtures --fail-on warning

            Exit codes: 0 nothing is another that --fail-on names, 1 something is, 4 it could not be found out.
            """)

    @Argument(help: "The fixtures as they were.")
    var old: String

    @Argument(help: "The fixtures as they are.")
    var new: String

    @OptionGroup(title: "Reports") var drift: DriftOptions

    func run() async throws {
        let startedAt = WallClock.now
        let baseline = try drift.knownDrift()
        let (before, after) = (try tree(old), try tree(new))
        let sets = (
            try Verify.load(before?.path ?? old, wireMock: false), try Verify.load(after?.path ?? new, wireMock: false)
        )
        var verdicts = FixtureDifference(from: sets.0, to: sets.1).verdicts()
        withExtendedLifetime((before, after)) {}
        for place in (sets.0.leftOut + sets.1.leftOut).map(\.place) {
            verdicts.append(
                FixtureVerdict(unusable: place, reason: "the stub has errors; mockapi check tells them"))
        }
        for index in verdicts.indices { baseline.apply(to: &verdicts[index]) }
        let report = DriftReport(verdicts)
        try drift.tell(report, of: "diff", GitTree.isRevision(old) ? new : old, since: startedAt)
        let code = report.exitCode(failOn: drift.failOn)
        if code != 0 { throw ExitCode(code) }
    }

    /// What a revision has; nil for a directory.
    private func tree(_ argument: String) throws -> GitTree? {
        guard GitTree.isRevision(argument) else { return nil }
        do throws(GitTree.Failure) {
            return try GitTree(argument)
        } catch {
            Output.note("error: \(argument): \(error.text)")
            throw Exit.impossible
        }
    }
}
