// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockapiReports

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a command writes its report, in as many forms as are asked for; the same options for every command that has one.
///
///     try reports.begin(report)   // before anything is tried: a file that cannot be written is reported at once
///     …
///     try reports.write(report)   // before anything else can fail
struct ReportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the verdicts to a file as JSON; one that ends in .jsonl has a line for each.", valueName: "file"),
        completion: .file())
    var json: String?

    @Option(help: ArgumentHelp("Write the verdicts to a file as JUnit XML.", valueName: "file"), completion: .file())
    var junit: String?

    @Option(help: ArgumentHelp("Write the verdicts to a file as TAP 14.", valueName: "file"), completion: .file())
    var tap: String?

    @Option(help: ArgumentHelp("Write the verdicts to a file as Markdown.", valueName: "file"), completion: .file())
    var markdown: String?

    private var jsonIsLines: Bool { json.map { $0.hasSuffix(".jsonl") || $0.hasSuffix(".ndjson") } ?? false }

    /// Writes the report of a command that has not ended, so that no older one is taken for its own if it is killed.
    ///
    /// - Parameter jsonLines: whether `--json` has lines, whatever its file is called.
    func begin(_ report: Report, jsonLines: Bool = false) throws {
        try write(files: report.unfinished, jsonLines: jsonLines) { $0 != "-" && OutputFile.canBeRewritten($0) }
    }

    /// Writes each file that is asked for, even if one cannot be written; below GitHub Actions the annotations and the step's summary, too.
    func write(_ report: Report, jsonLines: Bool = false) throws {
        annotate(report)
        try write(files: report, jsonLines: jsonLines) { _ in true }
    }

    /// Prepares a command's judgement, and writes a report of the failure if that is not possible.
    func prepare<Result>(
        _ report: Report, jsonLines: Bool = false, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch {
            var report = report
            let code = (error as? ExitCode ?? Exit.impossible).rawValue
            report.exitCode = code
            report.add(
                Report.Case(
                    "\(report.command).begun", "the command begins", .error,
                    seen: "exit \(code), for what standard error says"))
            try? write(report, jsonLines: jsonLines)
            throw error
        }
    }

    private func write(files report: Report, jsonLines: Bool, _ isWanted: (String) -> Bool) throws {
        let files = [
            (json, { jsonLines || jsonIsLines ? report.jsonLines : report.json }),
            (junit, { Array(report.junit.xml.utf8) }), (tap, { Array(report.tap.utf8) }),
            (markdown, { Array(report.markdown().utf8) }),
        ]
        var isWritten = true
        for case (let path?, let bytes) in files where isWanted(path) {
            if path == "-" {
                Output.part(String(decoding: bytes(), as: UTF8.self), isResult: true)
                continue
            }
            do throws(OutputFile.Failure) {
                try OutputFile.write(bytes(), to: path)
            } catch {
                Output.note("error: \(path) cannot be written: \(error.text)")
                isWritten = false
            }
        }
        if !isWritten { throw Exit.impossible }
    }

    /// The runner of GitHub Actions reads both streams; the stream with the result gets none of it.
    private func annotate(_ report: Report) {
        guard Self.variable("GITHUB_ACTIONS") == "true" else { return }
        Output.part(report.annotations(in: .current), isResult: false)
        guard let path = Self.variable("GITHUB_STEP_SUMMARY") else { return }
        do throws(OutputFile.Failure) {
            try OutputFile.append(Array(report.stepSummary.utf8), to: path)
        } catch {
            Output.note("note: the step's summary cannot be written: \(error.text)")
        }
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
