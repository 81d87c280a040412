// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

extension FindingReport {
    /// Workflow commands for as many findings as GitHub shows, and the others as text of the log.
    func gitHub(in workspace: Workspace) -> String {
        var counts: [Finding.Severity: Int] = [:]
        var commands: [String] = []
        var others: [String] = []
        for (finding, column) in zip(findings, characterColumns) {
            counts[finding.severity, default: 0] += 1
            if counts[finding.severity, default: 0] <= GitHubAnnotation.limit {
                let place = finding.place
                let annotation = GitHubAnnotation(
                    finding.severity == .error ? .error : .warning, title: "mockapi check", finding.message,
                    at: (place.path, place.line, column))
                commands.append(annotation.command(in: workspace))
            } else {
                others.append(GitHubAnnotation.logged(finding.description))
            }
        }
        if !others.isEmpty {
            commands.append(
                GitHubAnnotation(
                    .notice, title: "mockapi check",
                    "\(findings.count) findings; GitHub shows \(findings.count - others.count); the log has the others"
                ).command(in: workspace))
        }
        return (commands + others).joined(separator: "\n")
    }
}
