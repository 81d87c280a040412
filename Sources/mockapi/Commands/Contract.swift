// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import Contract
import MockServer

struct Contract: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract",
        abstract: "Put an HTTP client of any language to the contract, and print the verdicts.",
        discussion: """
            Starts a server and runs a driver with the server's URL in MOCKAPI_URL. The driver fetches the steps from \
            $MOCKAPI_URL/__contract/plan, takes each with the client under test, and posts what the client saw to \
            $MOCKAPI_URL/__contract/report; docs/contract.md has both formats and drivers to start from.

              mockapi contract --junit contract.xml -- python3 driver.py

            Exit codes: 0 every requirement is met or does not apply, 1 one is not, 4 the driver could not be run or did not take \
            part.
            """)

    @Option(help: ArgumentHelp("What the client is called in the results.", valueName: "name"))
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
            "A failure that is known, and why: it is told, and does not fail the command; one that does not come does. Repeatable.",
            valueName: "id=why"))
    var knownFailures: [String] = []

    @Option(help: ArgumentHelp("Write the verdicts to a file as JSON.", valueName: "file"), completion: .file())
    var json: String?

    @Option(help: ArgumentHelp("Write the verdicts to a file as JUnit XML.", valueName: "file"), completion: .file())
    var junit: String?

    @Option(
        help: ArgumentHelp("Write the verdicts to a file as a Markdown table.", valueName: "file"), completion: .file())
    var markdown: String?

    @Option(
        help: ArgumentHelp("How long the driver may take (default: 300s).", valueName: "time"),
        transform: TimeSpan.parse)
    var timeout = TimeSpan(.seconds(300))

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("The driver and its arguments, behind --.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else { throw ValidationError("say which driver to run: mockapi contract -- COMMAND") }
        if let text = knownFailures.first(where: { !$0.contains("=") }) {
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
        let requirements = ContractRequirements.all.filter { requirement in
            (only.isEmpty || only.contains(where: requirement.is)) && !except.contains(where: requirement.is)
        }
        let startedAt = WallClock.now
        let conversation: ContractConversation
        do throws(MockServerError) {
            conversation = try await ContractConversation(requirements)
        } catch {
            Output.note("error: \(error)")
            throw Exit.impossible
        }
        let code = try await runDriver(conversation)
        var table = conversation.verdicts(on: client ?? command.joined(separator: " "), driver: code)
        let unexpected = table.note(known)
        await conversation.stop()
        try write(table, startedAt: startedAt)
        for refusal in Set(conversation.refusals).sorted() { Output.note("error: a report was refused: \(refusal)") }
        guard conversation.planWasFetched else {
            Output.note("error: the driver ended with \(code) and never fetched \(ContractConversation.planPath)")
            throw Exit.impossible
        }
        Output.result(table.text.trimmingLineFeed)
        if code != 0 { Output.note("error: the driver ended with \(code)") }
        for text in unexpected { Output.note("error: \(text): leave its --known out") }
        let skipsAll = table.verdicts.allSatisfy { $0.result == .notApplicable }
        if skipsAll { Output.note("error: the driver skipped every step, so that nothing is known of the client") }
        if skipsAll || !unexpected.isEmpty || table.failures.contains(where: { known[$0.id] == nil }) {
            throw Exit.findings
        }
    }

    /// Why failures are known, by their ids.
    private var known: [String: String] {
        Dictionary(
            knownFailures.compactMap { text in
                text.firstIndex(of: "=").map { (String(text[..<$0]), String(text[text.index(after: $0)...])) }
            }
        ) { _, last in last }
    }

    private func runDriver(_ conversation: ContractConversation) async throws -> Int32 {
        let child: ChildProcess
        do throws(ChildProcess.Failure) {
            child = try ChildProcess(command, environment: conversation.environment)
        } catch {
            Output.note("error: \(command[0]) cannot be run: \(error.text)")
            throw Exit.impossible
        }
        let limit = timeout
        let signals = StopSignals()
        defer { signals.end() }
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

    private func write(_ table: VerdictTable, startedAt: Double) throws {
        let files = [
            (json, table.json), (junit, Array(table.junit(startedAt: startedAt).xml.utf8)),
            (markdown, Array(table.markdown.utf8)),
        ]
        for case (let path?, let bytes) in files {
            do throws(OutputFile.Failure) {
                try OutputFile.write(bytes, to: path)
            } catch {
                Output.note("error: \(path) cannot be written: \(error.text)")
                throw Exit.impossible
            }
        }
    }
}
