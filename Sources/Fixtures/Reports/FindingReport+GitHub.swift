// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension FindingReport {
    /// How many annotations of each severity GitHub shows for a step. 10.
    private static let annotationLimit = 10
    /// Bytes of the text of an annotation. 4 KiB.
    private static let messageLimit = 4 * 1024

    /// Workflow commands for as many findings as GitHub shows, and the others as text of the log.
    var gitHub: String {
        var counts: [Finding.Severity: Int] = [:]
        var commands: [String] = []
        var others: [String] = []
        for (finding, column) in zip(findings, characterColumns) {
            counts[finding.severity, default: 0] += 1
            if counts[finding.severity, default: 0] <= Self.annotationLimit {
                commands.append(Self.command(finding, column: column))
            } else {
                others.append(Self.logged(finding))
            }
        }
        if !others.isEmpty {
            commands.append(
                "::notice title=mockapi check::\(findings.count) findings, of which GitHub shows \(findings.count - others.count); the log has the others"
            )
        }
        return (commands + others).joined(separator: "\n")
    }

    private static func command(_ finding: Finding, column: Int) -> String {
        let place = finding.place
        var properties = "file=\(property(place.path))"
        if place.line > 0 { properties += ",line=\(place.line),col=\(column)" }
        return "::\(finding.severity.rawValue) \(properties),title=mockapi check::\(data(cut(finding.message)))"
    }

    /// A line of the log that the runner takes for no command of its own.
    private static func logged(_ finding: Finding) -> String {
        "- " + cut(finding.description).replacing("##[", with: "## [")
    }

    /// The runner's own escapes: a percent sign and line ends, in properties what ends them as well.
    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A").printable
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > messageLimit else { return text }
        var cut = ""
        for scalar in text.unicodeScalars {
            if cut.utf8.count >= messageLimit { break }
            cut.unicodeScalars.append(scalar)
        }
        return cut + "…"
    }
}
