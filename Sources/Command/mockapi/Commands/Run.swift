// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiFixtures
import MockapiReports
import MockapiRunning
import MockapiStubMatching
import MockapiSystemIO

/// `mockapi run`: a command against a server of its own, and the results of its requests.
struct Run: AsyncParsableCommand, ServingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a command against the fixtures, and report on its requests.",
        discussion: """
            Serves the fixtures on a free port and runs the command with MOCKAPI_URL, MOCKAPI_TLS_URL and MOCKAPI_CA; {url}, {tls-url} and {ca} \
            are replaced in its arguments. Standard output is the command's; mockapi's own output goes to standard error.

              mockapi run Fixtures -- npm test
              mockapi run Fixtures --expect expectations.json --coverage coverage.json -- ./check.sh
              mockapi run Fixtures --faults matrix -- ./check.sh

            Exit codes: the command's if it is not 0, 128 and the signal's number if one ended it; 1 if no fixture answered \
            a request, a message was refused, a fixture matched and could not respond, no request came, an expectation was not \
            met, coverage is too low or a fault was not survived; 124 if --max-time was exceeded.
            """)

    @OptionGroup(title: "Fixtures") var fixtures: FixtureDirectory

    @Option(parsing: .unconditional, help: "The port; 0 picks a free one.")
    var port = 0

    @OptionGroup(title: "Server") var options: ServerOptions

    @OptionGroup(title: "Responses") var responses: ResponseOptions

    @OptionGroup(title: "Server", visibility: .hidden) var admin: AdminNames

    @OptionGroup(title: "TLS and HTTP/2") var protocols: ServeProtocols

    @OptionGroup(title: "Limits", visibility: .hidden) var limits: ServeLimits

    @OptionGroup(title: "Recording") var recording: ServeRecording

    @Option(
        help: ArgumentHelp(
            "The expected requests, in a file (mockapi schema expectations).", valueName: "file"),
        completion: .file())
    var expect: String?

    @Flag(help: "Do not fail because of requests that no fixture answers.")
    var allowUnmatched = false

    @Flag(
        help: "Do not fail because a fixture matches and cannot respond: a template, another server, a webhook.")
    var allowUnanswered = false

    @Flag(help: "Do not fail because the command makes no request.")
    var allowNoRequests = false

    @Option(
        help: ArgumentHelp(
            "How long the command may take; then it is ended, and mockapi exits with 124 (default: no limit).",
            valueName: "time"), transform: TimeSpan.parse)
    var maxTime: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "Run this many copies of the command at once, each with its own server, MOCKAPI_SHARD (from 1) and MOCKAPI_SHARDS.",
            valueName: "n"))
    var parallel: Int?

    @OptionGroup(title: "Coverage") var coverage: CoverageOptions

    @OptionGroup(title: "Faults") var faults: FaultOptions

    @OptionGroup(title: "Reports") var reports: ReportOptions

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("The command and its arguments, behind --.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else {
            throw ValidationError("say which command to run: mockapi run \(fixtures.directory) -- COMMAND")
        }
        guard maxTime.map({ $0.duration > .zero }) ?? true else {
            throw ValidationError("--max-time must be longer than 0")
        }
        guard (0...65535).contains(port) else { throw ValidationError("--port must be between 0 and 65535") }
        if faults.isAsked {
            guard maxTime == nil else {
                throw ValidationError("--max-time is of one run, and --patience of each with a fault")
            }
            guard expect == nil, !coverage.isAsked else {
                throw ValidationError(
                    "--expect and the options of coverage are of one run, and faults of many: leave either out")
            }
            try recording.refuse(beside: "faults")
        }
        guard let parallel else { return }
        guard (1...256).contains(parallel) else { throw ValidationError("--parallel must be between 1 and 256") }
        guard parallel == 1 || port == 0 else { throw ValidationError("--parallel takes free ports: leave --port out") }
        guard parallel == 1 || recording.url == nil && recording.proxyUnmatched.isEmpty else {
            throw ValidationError("--parallel does not go with --upstream and --proxy-unmatched")
        }
        guard parallel == 1 || !faults.isAsked else { throw ValidationError("--parallel does not go with faults") }
    }

    /// Characters of the command that a report's label has, at most. 80.
    private static let labelLimit = 80

    func run() async throws {
        // Before anything else: an early signal must reach the command as well as a late one.
        let relay = SignalRelay()
        var report = Report("run", of: "fixtures", fixtures.directory, startedAt: Clock.seconds)
        // Tells apart the reports of several runs in one job.
        report.label = String(Confidential.command(command).prefix(Self.labelLimit))
        try reports.begin(report, jsonLines: true)
        let expectations = try await reports.prepare(report, jsonLines: true) { try readExpectations() }
        if faults.isAsked {
            let matrix = FaultRuns(self, relay: relay)
            return try await matrix.run(&report)
        }
        let count = parallel ?? 1
        let tallies = (0..<count).map { _ in RunTally() }
        let start = ContinuousClock.now
        let (serving, code) = try await reports.prepare(report, jsonLines: true) {
            let serving = try Serving(
                server, port: port, count: count, changes: FixtureChanges(), watches: options.watch ?? false,
                logsByDefault: false,
                begins: { serving, loaded in
                    if !options.quiet, let note = serving.proxyNote(loaded) { Output.note(note) }
                },
                configure: {
                    $1.observer = tallies[$0]
                    $1.judges = true
                })
            for server in serving.servers { for expectation in expectations { server.expect(expectation) } }
            return (serving, try await runShards(serving, CommandUnderTest(command, relay: relay)))
        }
        await serving.stop(grace: .zero)
        report.duration = (ContinuousClock.now - start).seconds
        let facts = RunFacts(
            directory: fixtures.directory, servers: serving.servers, tallies: tallies,
            coverage: Coverage(
                of: serving.servers[0].fixtures.set, tallies, findsLines: self.coverage.isAsked,
                isKept: self.coverage.coverageDir != nil),
            allowances: RunFacts.Allowances(
                unmatched: allowUnmatched, unanswered: allowUnanswered, noRequests: allowNoRequests))
        try finish(facts, code, &report)
    }

    /// Reports, and ends the command as the run has ended.
    private func finish(_ facts: RunFacts, _ code: Int32, _ report: inout Report) throws {
        for verdict in facts.cases { report.add(verdict) }
        report.facts = facts.facts + [("command", Confidential.command(command)), ("commandExitCode", "\(code)")]
        if !options.quiet {
            Output.note("  " + facts.summary)
            for note in facts.notes(namesUnused: !coverage.isAsked) { Output.note("  " + note) }
        }
        for failure in facts.results.compactMap(\.failure) { Output.note("error: " + failure.text.trimmingLineFeed) }
        var failure: (any Error)?
        var isCovered = true
        do { isCovered = try coverage.write(facts.coverage, directory: fixtures.folder) } catch { failure = error }
        var ending = Report.Case(
            "command", "the command ends with 0", code == 0 ? .pass : .fail, expected: "exit 0",
            seen: code == Exit.tooLate.rawValue && maxTime != nil
                ? "exit 124, which is that of a command that --max-time ends" : CommandUnderTest.End.exit(code).words)
        ending.duration = report.duration
        report.add(ending)
        if !isCovered {
            report.add(
                Report.Case(
                    "coverage", "enough of the fixtures is used", .fail,
                    expected: coverage.failUnder.map { "\(Coverage.text($0)) % of the parts" } ?? "",
                    seen: "less, as the coverage shows"))
        }
        report.exitCode = code != 0 ? code : failure != nil ? 4 : facts.isKept && isCovered ? 0 : 1
        try reports.write(report, jsonLines: true)
        if code != 0 { throw ExitCode(code) }
        if let failure { throw failure }
        if report.exitCode != 0 { throw Exit.findings }
    }

    /// Runs the command against each server at once.
    ///
    /// - Returns: the first code that is not 0, in the order of the shards.
    private func runShards(_ serving: Serving, _ command: CommandUnderTest) async throws -> Int32 {
        let count = serving.servers.count
        let settings = self.server
        let patience = maxTime?.duration
        let results = await withTaskGroup(of: (Int, Result<Int32, ChildProcess.Failure>).self) { group in
            for (index, server) in serving.servers.enumerated() {
                let address = settings.address(
                    of: server, shard: parallel == nil ? nil : (index: index + 1, count: count))
                group.addTask {
                    do throws(ChildProcess.Failure) {
                        let end = try await command.run(against: address, patience: patience)
                        return (index, .success(end == .hung ? Exit.tooLate.rawValue : end.code))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var results: [Int: Result<Int32, ChildProcess.Failure>] = [:]
            for await (index, result) in group { results[index] = result }
            return results
        }
        var first: Int32 = 0
        for index in 0..<count {
            do {
                let code = try results[index]?.get() ?? 0
                if first == 0 { first = code }
                if code == Exit.tooLate.rawValue, let maxTime {
                    let shard = count > 1 ? "shard \(index + 1): " : ""
                    Output.note("error: \(shard)the command was ended after \(maxTime), which --max-time allows")
                }
            } catch {
                Output.note("error: \(self.command[0]) cannot be run: \(error.text)")
                await serving.stop(grace: .zero)
                throw Exit.impossible
            }
        }
        return first
    }

    private func readExpectations() throws -> [Expectation] {
        guard let expect else { return [] }
        do throws(ExpectationFile.Failure) {
            return try ExpectationFile(path: expect).expectations
        } catch {
            Output.note(error.findings)
            throw Exit.unusableFixtures
        }
    }
}

extension ServerSettings {
    /// The development CA's certificate; nil if it can be neither read nor made.
    private static let authority = try? DevelopmentAuthority().certificatePath

    /// Where a command finds a server.
    func address(of server: MockServer, shard: (index: Int, count: Int)? = nil) -> CommandUnderTest.Address {
        let speaksTLS = protocols.tls != nil
        // A certificate of the user's own is signed by an authority that the user knows.
        let authority = speaksTLS && protocols.tlsCert == nil ? Self.authority : nil
        return CommandUnderTest.Address(
            url: server.address, tlsURL: speaksTLS ? "https" + server.address.dropFirst("http".count) : nil,
            authority: authority, shard: shard)
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
