// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiContract
import MockapiReports
import MockapiRunning
import MockapiSystemIO

struct Contract: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract",
        abstract: "Test an HTTP client in any language against the contract, and print the verdicts.",
        discussion: """
            Starts a server and runs a driver with the server's URL in MOCKAPI_URL. The driver fetches the steps from \
            $MOCKAPI_URL/__contract/plan, takes each with the client under test, and posts its outcome to \
            $MOCKAPI_URL/__contract/report; docs/contract.md has both formats and drivers to start from.

              mockapi contract --junit contract.xml -- python3 driver.py

            The driver is run up to three times: for most steps, with a proxy in its environment (http_proxy), and with a file of \
            credentials there (NETRC). If the driver reports that its client has cookies or a cache, those are tested too.

            A requirement that is not met is followed by the request, the bytes on the wire, the client's words, and a line of curl for a \
            shell that is run as the driver: mockapi contract -- sh.

            Exit codes: 0 every requirement is met or does not apply, 1 one is not, 4 the driver could not be run or did not take \
            part.
            """)

    @Option(help: ArgumentHelp("The client's name in the results.", valueName: "name"))
    var client: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Only these requirements: an id, or the part before its dot.", valueName: "id"))
    var only: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("All but these requirements: an id, or the part before its dot.", valueName: "id"))
    var except: [String] = []

    @Option(
        name: .customLong("known"),
        help: ArgumentHelp(
            "A known failure, and its reason: it is reported, and does not fail the command, unless it no longer occurs. Repeatable.",
            valueName: "id=why"))
    var knownFailures: [String] = []

    @OptionGroup var reports: ReportOptions

    @Option(
        help: ArgumentHelp("How long the driver may take (default: 300s).", valueName: "time"),
        transform: TimeSpan.parse)
    var timeout = TimeSpan(.seconds(300))

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("The driver and its arguments, behind --.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else { throw ValidationError("say which driver to run: mockapi contract -- COMMAND") }
        if let text = knownFailures.first(where: { !$0.contains("=") || $0.hasSuffix("=") }) {
            throw ValidationError("--known \(text): say why behind an equals sign: --known \(text)=\"issue 12\"")
        }
        let names = only + except + known.keys
        if let unknown = names.first(where: { id in !ContractRequirements.all.contains { $0.is(id) } }) {
            let groups = Set(ContractRequirements.all.map { $0.id.prefix { $0 != "." } }).sorted()
            throw ValidationError(
                "no requirement is called \"\(unknown)\"; the groups are \(groups.joined(separator: ", "))")
        }
    }

    func run() async throws {
        let requirements = Requirement.chosen(only: only, except: except)
        let name = client ?? command.joined(separator: " ")
        let startedAt = Clock.seconds
        try reports.begin(VerdictTable(client: name, verdicts: []).report(startedAt: startedAt))
        let conversation: ContractConversation
        do throws(MockServerError) {
            conversation = try await ContractConversation(requirements)
        } catch {
            Output.note("error: \(error)")
            throw Exit.impossible
        }
        let code: Int32
        do throws(ChildProcess.Failure) {
            code = try await runDriver(conversation)
        } catch {
            await conversation.stop()
            var report = VerdictTable(client: name, verdicts: []).report(startedAt: startedAt)
            report.add(
                Report.Case(
                    "driver.start", "the driver can be run", .error, expected: command.joined(separator: " "),
                    seen: error.text))
            report.exitCode = Exit.impossible.rawValue
            try reports.write(report)
            Output.note("error: \(command[0]) cannot be run: \(error.text)")
            throw Exit.impossible
        }
        let table = conversation.verdicts(on: name, driver: code)
        await conversation.stop()
        try tell(table, of: conversation, driver: code, startedAt: startedAt)
    }

    /// Whatever makes the exit code stands in the report, too, so that no reader of it takes a failed run for a good one.
    private func tell(
        _ table: VerdictTable, of conversation: ContractConversation, driver code: Int32, startedAt: Double
    ) throws {
        var table = table
        let unexpected = table.note(known)
        table.duration = Clock.seconds - startedAt
        for text in unexpected {
            table.verdicts.append(
                Verdict("known", "what is known to fail fails", .fail, expected: "a failure", seen: text))
        }
        let skipsAll = table.verdicts.allSatisfy { $0.result == .notApplicable } && conversation.wasSkipped
        if skipsAll {
            table.verdicts.append(
                Verdict("driver.skips", "the driver takes steps", .fail, expected: "a step", seen: "it skipped each"))
        }
        var report = table.report(startedAt: startedAt)
        let plan = ContractConversation.planPath
        if !conversation.planWasFetched {
            report.add(
                Report.Case(
                    "driver.plan", "the driver takes part", .error, expected: "it fetches \(plan)", seen: "it did not"))
        }
        let met = report.broken.isEmpty ? ExitCode.success : Exit.findings
        let exit = conversation.planWasFetched ? met : Exit.impossible
        report.exitCode = exit.rawValue
        try reports.write(report)
        for refusal in Set(conversation.refusals).sorted() { Output.note("error: a report was refused: \(refusal)") }
        guard conversation.planWasFetched else {
            Output.note("error: the driver ended with \(code) and never fetched \(plan)")
            throw exit
        }
        Output.part(report.text(isColored: Output.resultIsColored), isResult: true)
        let parts = conversation.parts
        if parts.used < parts.offered {
            Output.note(
                "note: \(parts.offered) steps have parts for the client's own encoder (query, pieces, user): "
                    + "\(parts.used) used, \(parts.offered - parts.used) by finished URLs and bodies")
        }
        for id in conversation.stepsWithoutCancellations {
            Output.note("note: \(id) was not judged, since the driver cancels no requests first (cancelled)")
        }
        for (ability, steps) in conversation.missingAbilities {
            Output.note(
                "note: \(Counts.count(steps, "step")) for a client with \(ability.words) not judged, since no report says "
                    + "{\"has\": [\"\(ability.rawValue)\"]}")
        }
        if code != 0 { Output.note("error: the driver ended with \(code)") }
        for text in unexpected { Output.note("error: \(text): leave its --known out") }
        if skipsAll { Output.note("error: the driver skipped every step, so that nothing is known of the client") }
        if exit != .success { throw exit }
    }

    /// Why failures are known, by their ids.
    private var known: [String: String] {
        Dictionary(
            knownFailures.compactMap { text in
                text.firstIndex(of: "=").map { (String(text[..<$0]), String(text[text.index(after: $0)...])) }
            }
        ) { _, last in last }
    }

    /// Runs the driver once for each environment that the steps need; a driver that fails or reports nothing is not run again.
    private func runDriver(_ conversation: ContractConversation) async throws(ChildProcess.Failure) -> Int32 {
        for run in conversation.runs {
            conversation.begin(run)
            let code = try await runDriver(in: run.environment)
            if code != 0 || !conversation.hasReports { return code }
        }
        return 0
    }

    private func runDriver(in environment: [String: String]) async throws(ChildProcess.Failure) -> Int32 {
        // Before there is a driver that a signal would leave behind.
        let signals = StopSignals()
        defer { signals.end() }
        let child = try ChildProcess(command, environment: environment)
        let limit = timeout
        let stop = Task {
            await signals.first()
            if !Task.isCancelled { child.terminate() }
        }
        let late = Task {
            try await Task.sleep(for: limit.duration)
            child.terminate()
            Output.note("error: the driver took longer than \(limit) and is ended")
        }
        let code = await child.wait()
        stop.cancel()
        late.cancel()
        return code
    }
}
