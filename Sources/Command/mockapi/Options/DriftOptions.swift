// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockapiDrift
import MockapiHTTPSyntax
import MockapiReports
import MockapiSystemIO
import MockapiVerification

/// The options of `verify` and `diff` that say how changes are reported.
struct DriftOptions: ParsableArguments {
    @Option(help: "The lowest level that makes the exit code 1: breaking, warning or info.")
    var failOn = DriftLevel.breaking

    @Option(
        help: ArgumentHelp("Known drift, which is not reported again until it changes.", valueName: "file"),
        completion: .file())
    var baseline: String?

    @Option(
        help: ArgumentHelp(
            "Write the reported changes, and the known ones that still hold, for --baseline.", valueName: "file"),
        completion: .file())
    var writeBaseline: String?

    @OptionGroup var reports: ReportOptions

    @Flag(help: "Report harmless changes, too.")
    var info = false

    /// The baseline; none if there is none.
    func knownDrift() throws -> DriftBaseline {
        guard let baseline else { return DriftBaseline() }
        guard let text = OutputFile.contents(baseline), let known = DriftBaseline(text) else {
            Output.note("error: \(baseline) cannot be read as a baseline; --write-baseline \(baseline) writes one")
            throw Exit.impossible
        }
        if known.earlierLines > 0 {
            Output.note(
                "warning: \(baseline) has \(known.earlierLines) lines of an earlier version, which no longer count; "
                    + "--write-baseline \(baseline) writes them as they are now")
        }
        return known
    }

    /// Runs the part of a command that comes before its report; if the command is killed or ends in it, the report says so.
    func prepare<Result>(
        _ command: String, _ directory: String, _ body: () async throws -> Result
    ) async throws -> Result {
        let report = Report(command, of: "fixtures", directory, startedAt: Clock.seconds)
        try reports.begin(report, jsonLines: true)
        return try await reports.prepare(report, jsonLines: true, body)
    }

    /// Prints and writes the reports that were asked for.
    ///
    /// The JSON lines and the JUnit cases have the verdicts' own form; the other reports have the form that every command writes.
    /// - Parameters:
    ///   - command: the command that made the report.
    ///   - directory: the directory of the fixtures.
    ///   - startedAt: seconds since 1970.
    ///   - isPrinted: false if there is nothing to print.
    func tell(
        _ report: DriftReport, of command: String, _ directory: String, since startedAt: Double, isPrinted: Bool = true
    ) throws {
        var report = report
        report.showsInfo = info
        let json = reports.json
        for line in isPrinted ? report.text : [] { if json == "-" { Output.note(line) } else { Output.result(line) } }
        if let writeBaseline {
            // Keeps the baseline's findings on fixtures that could not be judged this time.
            let before = OutputFile.contents(writeBaseline).flatMap { DriftBaseline($0) }
            let known = try before ?? knownDrift()
            try write(known.bytes(with: report.verdicts), to: writeBaseline)
        }
        if json == "-" {
            Output.part(String(decoding: report.jsonLines, as: UTF8.self), isResult: true)
        } else if let json {
            try write(report.jsonLines, to: json)
        }
        if let junit = reports.junit {
            let suite = report.junit(command: command, subject: directory, startedAt: startedAt, failOn: failOn)
            try write(Array(suite.xml.utf8), to: junit)
        }
        var others = reports
        others.json = nil
        others.junit = nil
        try others.write(
            report.report(command: command, directory: directory, startedAt: startedAt, failOn: failOn))
    }

    func write(_ bytes: [UInt8], to path: String) throws {
        do throws(OutputFile.Failure) {
            try OutputFile.write(bytes, to: path)
        } catch {
            Output.note("error: \(path) cannot be written: \(error.text)")
            throw Exit.impossible
        }
    }
}

extension DriftLevel: ExpressibleByArgument {}

/// A number of requests on the command line: `10`, `10/s`, `600/m`.
struct RequestRate {
    let perSecond: Double

    @Sendable static func parse(_ argument: String) throws -> RequestRate {
        let parts = argument.split(ascii: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let spans = ["s": 1.0, "m": 60.0, "h": 3_600.0]
        guard let number = Double(parts[0]), number > 0, number.isFinite,
            let span = parts.count == 1 ? 1 : spans[String(parts[1])]
        else {
            throw ValueFailure(
                description: "rates are numbers of requests in a second, or in s, m or h, such as 10 or 600/m")
        }
        return RequestRate(perSecond: number / span)
    }
}
