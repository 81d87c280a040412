// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiFixtures
import MockapiJSONText
import MockapiReports
import MockapiRunning
import MockapiStubMatching

/// `mockapi run --faults matrix`, and `--fault NAME --at STUB`.
struct FaultRuns {
    private let command: Run
    private let relay: SignalRelay

    init(_ command: Run, relay: SignalRelay) {
        self.command = command
        self.relay = relay
    }

    private var options: FaultOptions { command.faults }
    private var directory: String { command.fixtures.folder }

    func run(_ report: inout Report) async throws {
        let server = command.server
        let loaded = try await command.reports.prepare(report, jsonLines: true) {
            let loaded = try command.fixtures.load()
            try server.judge(loaded)
            return loaded
        }
        let runs = IsolatedRuns(
            CommandUnderTest(command.command, relay: relay),
            server.configuration(port: 0, logsByDefault: false),
            patience: options.patience.duration, hasFreshHome: options.isolate
        ) { server.address(of: $0) }
        let matrix = FaultMatrix(runs, of: loaded.set, survival: options.survives, seed: command.responses.seed)
        let start = ContinuousClock.now
        var cells: [FaultMatrix.Cell] = []
        var failure: IsolatedRuns.Failure?
        do throws(IsolatedRuns.Failure) {
            let responses = try await usedResponses(matrix)
            try await play(matrix, responses, into: &cells)
        } catch {
            failure = error
        }
        report.duration = (ContinuousClock.now - start).seconds
        for cell in cells { report.add(verdict(on: cell)) }
        report.facts = [("command", Confidential.command(command.command)), ("cells", "\(cells.count)")]
        try finish(report, cells, failure)
    }

    private func finish(_ report: Report, _ cells: [FaultMatrix.Cell], _ failure: IsolatedRuns.Failure?) throws {
        var report = report
        if !cells.isEmpty { Output.part(table(cells) + "\n", isResult: false) }
        if !options.isolate, cells.contains(where: { $0.verdict == .undecided }) {
            Output.note("  --isolate gives each run a home of its own, in which nothing of an earlier one is kept")
        }
        var code = cells.contains { ![.survived, .skipped].contains($0.verdict) } ? Exit.findings : ExitCode.success
        if let failure {
            Output.note("error: \(failure)")
            code = Exit.impossible
            switch failure {
            case .interrupted(let signal): code = ExitCode(128 + signal)
            case .unsound(let own): code = ExitCode(own)
            case .server, .command, .nothingToTry: break
            }
            report.add(Report.Case("matrix", "every fault is tried", .error, seen: failure.description))
        }
        report.exitCode = code.rawValue
        try command.reports.write(report, jsonLines: true)
        if code != .success { throw code }
    }

    /// The responses that the command makes use of if nothing is wrong; ends it if it fails then.
    private func usedResponses(_ matrix: FaultMatrix) async throws(IsolatedRuns.Failure) -> [UsedResponse] {
        let output = CapturedOutput()
        let discarded = DiscardedOutput()
        let (end, responses) = try await matrix.baseline(
            streams: .output(output?.descriptor ?? discarded.descriptor))
        guard end == .exit(0) else {
            if let text = output?.text, !text.isEmpty { Output.part(text, isResult: false) }
            throw .unsound(end.code)
        }
        if responses.isEmpty {
            throw .nothingToTry("the command makes no use of the fixtures, so that there is nothing to spoil")
        }
        guard !options.places.isEmpty else { return responses }
        let unused = options.places.filter { place in !responses.contains { $0.isCalled(place) } }
        if !unused.isEmpty {
            let used = responses.map(\.file).joined(separator: ", ")
            throw .nothingToTry(
                "--at \(unused.joined(separator: ", ")): the command makes no use of it; it uses \(used)")
        }
        let chosen = responses.filter { response in options.places.contains { response.isCalled($0) } }
        return chosen
    }

    private func play(
        _ matrix: FaultMatrix, _ responses: [UsedResponse], into cells: inout [FaultMatrix.Cell]
    ) async throws(IsolatedRuns.Failure) {
        let faults = options.names.isEmpty ? FaultName.allCases : options.names
        let discarded = DiscardedOutput()
        // One fault at one response is looked at, as is the command's own output.
        let isReplay = options.faults == nil && faults.count * responses.count == 1
        let progress = ProgressLine()
        defer { progress.end() }
        for response in responses {
            for fault in faults {
                progress.show(cells.count, of: faults.count * responses.count, unit: "runs")
                cells.append(
                    try await matrix.cell(
                        fault, at: response, streams: isReplay ? .inherited : .output(discarded.descriptor)))
            }
        }
    }

    private func verdict(on cell: FaultMatrix.Cell) -> Report.Case {
        let result: Report.Case.Result =
            switch cell.verdict {
            case .survived: .pass
            case .skipped: .notApplicable
            case .failed, .hung, .crashed, .fooled, .duplicated, .undecided: .fail
            }
        let expected =
            options.survives == .exit0 ? "exit 0 with a whole response" : "a clean failure, or a whole response"
        var verdict = Report.Case(
            "\(cell.fault.rawValue) at \(cell.response.file)", cell.fault.title, result, expected: expected,
            seen: cell.reason)
        verdict.word = cell.verdict.rawValue
        verdict.duration = cell.duration
        verdict.place = (file: located(cell.response.file), line: cell.response.line, column: 0)
        verdict.members = [
            .init(name: "fault", value: .string(cell.fault.rawValue)),
            .init(name: "file", value: .string(cell.response.file)),
            .init(name: "line", value: .integer(cell.response.line)),
        ]
        if let hit = cell.hit { verdict.members.append(.init(name: "hit", value: .string(hit))) }
        if let repetition = cell.repetition {
            verdict.members.append(.init(name: "madeGoodBy", value: .string(repetition)))
        }
        if case .exit(let code) = cell.end { verdict.members.append(.init(name: "code", value: .integer(code))) }
        return verdict
    }

    private func located(_ file: String) -> String {
        directory.hasSuffix("/") ? directory + file : "\(directory)/\(file)"
    }

    /// A line for each response: the result of each fault.
    private func table(_ cells: [FaultMatrix.Cell]) -> String {
        var rows: [(name: String, texts: [String])] = []
        for cell in cells {
            let name = cell.response.line > 1 ? "\(cell.response.file):\(cell.response.line)" : cell.response.file
            if rows.last?.name != name { rows.append((name, [])) }
            guard let text = text(cell) else { continue }
            rows[rows.count - 1].texts.append(text)
        }
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            "  " + row.name.printable + String(repeating: " ", count: width - row.name.count) + "   "
                + row.texts.joined(separator: "   ")
        }.joined(separator: "\n")
    }

    private func text(_ cell: FaultMatrix.Cell) -> String? {
        switch cell.verdict {
        case .survived: "\(cell.fault.rawValue) \(mark("✓", colour: 32))"
        case .skipped: nil
        case .failed, .hung, .crashed, .fooled, .duplicated, .undecided:
            "\(cell.fault.rawValue) \(mark("✗", colour: 31)) \(cell.reason)"
        }
    }

    /// Green or red on a terminal that has colours (ECMA-48 §8.3.117).
    private func mark(_ text: String, colour: Int) -> String {
        Output.errorIsColored ? "\u{1B}[\(colour)m\(text)\u{1B}[0m" : text
    }
}

extension CommandUnderTest.End {
    /// `exit 1`, `ended by signal 11`, `hung`.
    var words: String {
        switch self {
        case .exit(let code): code > 128 ? "ended by signal \(code - 128)" : "exit \(code)"
        case .hung: "hung"
        }
    }
}
