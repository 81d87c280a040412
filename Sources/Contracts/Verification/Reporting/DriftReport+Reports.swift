// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiDrift
import MockapiFixtures
package import MockapiReports

extension DriftReport {
    /// A suite with a case for each fixture: findings at a level or above fail it, a failed check is its error; warnings below are in
    /// the suite's output.
    package func junit(command: String, subject: String, startedAt: Double, failOn level: DriftLevel) -> JUnitReport {
        var cases = verdicts.map { verdict in
            JUnitReport.Case(
                className: command, name: verdict.name, time: verdict.duration, result: Self.result(verdict, level))
        }
        // A suite without a case looks as if nothing had been run.
        if cases.isEmpty { cases = [JUnitReport.Case(className: command, name: "no fixture", result: .pass)] }
        var report = JUnitReport(name: "\(command) \(subject)", cases: cases, startedAt: startedAt)
        report.output = verdicts.flatMap(\.findings).filter { $0.finding.level == .warning && level > .warning }
            .map { "! " + Self.line($0) + "\n" }.joined()
        return report
    }

    /// The verdicts in the forms that all commands have.
    ///
    /// - Parameter directory: that of the fixtures, as it was given.
    package func report(
        command: String, directory: String, startedAt: Double, failOn level: DriftLevel
    ) -> Report {
        var report = Report(command, of: "fixtures", directory, startedAt: startedAt)
        report.exitCode = exitCode(failOn: level)
        for verdict in verdicts {
            let grave = verdict.findings.filter { $0.finding.level >= level }
            let told = grave.isEmpty ? verdict.findings.filter { $0.finding.level == .warning } : grave
            let lines = told.map(Self.line).joined(separator: "\n")
            let title = verdict.request.isEmpty ? "is not asked for" : verdict.request
            var one: Report.Case
            switch verdict.state {
            case .skipped(let why): one = Report.Case(verdict.name, title, .notApplicable, seen: why)
            case .unchecked(let why):
                one = Report.Case(verdict.name, title, .error, expected: "a response", seen: why)
            case _ where grave.isEmpty: one = Report.Case(verdict.name, title, .pass, note: lines)
            default:
                one = Report.Case(
                    verdict.name, title, .fail, expected: "what the fixture says", seen: lines)
            }
            let (file, line) = told.first.map { ($0.file, $0.line) } ?? (verdict.path, verdict.line)
            one.place = (verdict.isOfDocument ? file : Place(path: file).located(in: directory).path, line, 1)
            one.duration = verdict.duration
            report.add(one)
        }
        return report
    }

    private static func result(_ verdict: FixtureVerdict, _ level: DriftLevel) -> JUnitReport.Case.Result {
        switch verdict.state {
        case .skipped(let why): return .skipped(why)
        case .unchecked(let why):
            return .error(message: "not checked: \(why)", text: "\(verdict.path):\(verdict.line): \(why)")
        default: break
        }
        let grave = verdict.findings.filter { $0.finding.level >= level }
        guard let first = grave.first else { return .pass }
        let more = grave.count > 1 ? ", and \(grave.count - 1) more" : ""
        return .failure(
            message: words(first.finding) + more,
            text: grave.map { line($0) }.joined(separator: "\n"))
    }

    private static func line(_ located: LocatedFinding) -> String {
        "\(located.file):\(located.line)   \(words(located))   \(located.finding.level.rawValue) [\(located.finding.id.rawValue)]"
    }
}
