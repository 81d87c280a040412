// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiFixtures
import MockapiJSONText
import MockapiReports
import MockapiRunning
import MockapiStubMatching
import MockapiSystemIO
import Synchronization

/// `mockapi needs`: which parts of the responses a command needs.
struct FindNeeds: AsyncParsableCommand, ServingCommand {
    static let configuration = CommandConfiguration(
        commandName: "needs",
        abstract: "Find out which parts of the responses a command, such as a client's tests, needs.",
        discussion: """
            Runs the command again and again, each time against a server of its own whose responses lack fields, have null or another type \
            in their place, unknown words, another status or other header lines, and finds which of them make it fail. The command's own output is \
            shown only if the first run fails.

              mockapi needs Fixtures --write -- swift test

            Exit codes: 0 everything was decided, 1 a limit was reached first, or the command makes no use of the fixtures, 4 the command is flaky, or could not be run; the command's own if it \
            fails with unchanged fixtures.
            """)

    @OptionGroup(title: "Fixtures") var fixtures: FixtureDirectory

    @OptionGroup(title: "Server") var options: ServerOptions

    @OptionGroup(title: "Responses") var responses: ResponseOptions

    @OptionGroup(title: "Server", visibility: .hidden) var admin: AdminNames

    @OptionGroup(title: "TLS and HTTP/2") var protocols: ServeProtocols

    @OptionGroup(title: "Limits", visibility: .hidden) var limits: ServeLimits

    @OptionGroup(title: "Recording") var recording: ServeRecording

    @Option(help: "Runs at once, if the command's runs do not disturb each other.")
    var jobs = 1

    @Option(help: "Runs in all; questions that are not decided then are reported, and not written.")
    var maxRuns: Int?

    @Option(
        help: ArgumentHelp(
            "How long it may take; questions that are not decided then are reported, and not written.",
            valueName: "time"),
        transform: TimeSpan.parse)
    var maxTime: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "How long a run may take before it has failed (default: 30s, or ten times the first run and 5s if that is less).",
            valueName: "time"), transform: TimeSpan.parse)
    var patience = TimeSpan(.seconds(30))

    @Flag(
        help:
            "Give each run of the command a HOME, TMPDIR and caches of its own, so that it finds nothing of an earlier one."
    )
    var isolate = false

    @Flag(help: "Write the findings into the stubs as \"contract\", and into NAME.contract.json beside plain files.")
    var write = false

    @OptionGroup(title: "Reports") var reports: ReportOptions

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("The command and its arguments, behind --.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else {
            throw ValidationError("say which command to run: mockapi needs \(fixtures.directory) -- COMMAND")
        }
        try recording.refuse(beside: "needs")
        guard (1...256).contains(jobs) else { throw ValidationError("--jobs must be between 1 and 256") }
        guard maxRuns.map({ $0 >= 1 }) ?? true else { throw ValidationError("--max-runs must be at least 1") }
        guard patience.duration > .zero else { throw ValidationError("--patience must be longer than 0") }
    }

    func run() async throws {
        let relay = SignalRelay()
        var report = Report("needs", of: "fixtures", fixtures.directory, startedAt: Clock.seconds)
        try reports.begin(report, jsonLines: true)
        let server = server
        let loaded = try await reports.prepare(report, jsonLines: true) {
            let loaded = try fixtures.load()
            try server.judge(loaded)
            return loaded
        }
        let runs = IsolatedRuns(
            CommandUnderTest(command, relay: relay),
            server.configuration(port: 0, logsByDefault: false), patience: patience.duration, hasFreshHome: isolate
        ) { server.address(of: $0) }
        let search = NeedsSearch(
            runs, of: loaded.set, limits: .init(jobs: jobs, mostRuns: maxRuns, longest: maxTime?.duration))
        let discarded = DiscardedOutput()
        let output = CapturedOutput()
        let progress = NeedsProgress(of: maxRuns)
        let needs: Needs
        do throws(NeedsSearch.Failure) {
            needs = try await search.find(
                streams: .output(discarded.descriptor),
                baselineStreams: .output(output?.descriptor ?? discarded.descriptor)
            ) { progress.show($0, left: $1) }
            progress.end()
        } catch {
            progress.end()
            let (text, code) = Self.told(error)
            if case .fails = error, let text = output?.text, !text.isEmpty { Output.part(text, isResult: false) }
            Output.note("error: \(text)")
            report.add(Report.Case("needs", "what the command needs is found out", .error, seen: text))
            report.exitCode = code.rawValue
            try reports.write(report, jsonLines: true)
            throw code
        }
        try finish(needs, loaded, &report)
    }

    private static func told(_ failure: NeedsSearch.Failure) -> (String, ExitCode) {
        switch failure {
        case .fails(let end):
            (
                "the command fails with the fixtures as they are (\(end.words)), so that nothing can be said of changed ones",
                ExitCode(end.code)
            )
        case .isFlaky(let end, let runs):
            (
                "the command is flaky: after \(runs) runs it failed (\(end.words)) with nothing changed; nothing is said of it",
                Exit.impossible
            )
        case .isInconsistent(let runs):
            (
                "the command is flaky: after \(runs) runs it passed with responses that it had failed with; nothing is said of it",
                Exit.impossible
            )
        case .isNotAskedAgain(let files):
            (
                """
                the command asked for \(files.joined(separator: ", ")) in the first run only, so that nothing can be said of it; \
                perhaps it keeps state between runs: give each run a fresh home (-- env HOME=$(mktemp -d) COMMAND), or delete the state first
                """,
                Exit.impossible
            )
        case .runs(.interrupted(let signal)): ("interrupted", ExitCode(128 + signal))
        case .runs(let failure): (failure.description, Exit.impossible)
        }
    }

    private func finish(_ needs: Needs, _ loaded: LoadedFixtures, _ report: inout Report) throws {
        let width = needs.responses.map(\.subject.file.count).max() ?? 0
        for response in needs.responses {
            let name = response.subject.file
            Output.result("  " + name + String(repeating: " ", count: width - name.count) + "   " + response.text)
            for part in response.parts { report.add(verdict(on: part, of: response)) }
        }
        if needs.responses.isEmpty {
            let text =
                "the command makes no use of the fixtures, so that nothing is known of it; is it given MOCKAPI_URL?"
            Output.note("error: " + text)
            report.add(Report.Case("used", "the command makes use of the fixtures", .fail, seen: text))
        }
        if !options.quiet {
            Output.note("  \(needs.runs) runs in \(TimeSpan(.milliseconds(needs.duration.milliseconds)))")
        }
        if !needs.isComplete { Output.note("error: a limit was reached before all was decided") }
        var failed = false
        if write {
            for response in needs.responses {
                do throws(ContractFile.Failure) {
                    if let path = try ContractFile.write(response, in: loaded.set) { Output.note("  wrote \(path)") }
                } catch {
                    Output.note("error: \(error.path) is not written: \(error.reason)")
                    report.add(
                        Report.Case("\(error.path) written", "the contract is written", .error, seen: error.reason))
                    failed = true
                }
            }
        }
        report.facts = [("command", Confidential.command(command)), ("runs", "\(needs.runs)")]
        report.duration = needs.duration.seconds
        let code =
            failed ? Exit.impossible : needs.isComplete && !needs.responses.isEmpty ? ExitCode.success : Exit.findings
        report.exitCode = code.rawValue
        try reports.write(report, jsonLines: true)
        if code != .success { throw code }
    }

    private func verdict(on part: Needs.Part, of response: Needs.Response) -> Report.Case {
        let (word, result): (String, Report.Case.Result) =
            switch part.need {
            case .needed: ("needed", .pass)
            case .notNeeded: (part.closedSet == nil ? "not needed" : "closed set", .pass)
            case .jointly: ("needed with others", .notApplicable)
            case .undecided: ("undecided", .error)
            }
        var verdict = Report.Case(
            "\(response.subject.file) \(part.path)", part.types.joined(separator: " or "), result,
            seen: result == .error ? "a limit was reached before it was decided" : "")
        verdict.word = word
        verdict.members = [
            .init(name: "file", value: .string(response.subject.file)), .init(name: "path", value: .string(part.path)),
        ]
        if let node = part.node { verdict.members.append(.init(name: "contract", value: node)) }
        return verdict
    }
}

/// How many of the parts that were ever undecided are decided.
private final class NeedsProgress: Sendable {
    private let line = ProgressLine()
    private let most: String
    private let parts = Mutex(0)

    init(of total: Int?) {
        most = total.map { " of \($0) at most" } ?? ""
    }

    func show(_ run: Int, left: Int) {
        let all = parts.withLock { parts in
            parts = max(parts, left)
            return parts
        }
        line.show(all - left, of: all, unit: "parts decided", ", run \(run)\(most)")
    }

    func end() { line.end() }
}

extension Duration {
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
