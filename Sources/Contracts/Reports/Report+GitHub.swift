// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

/// A workflow command of GitHub Actions that annotates a file or the run.
package struct GitHubAnnotation: Sendable {
    package enum Level: String, Sendable, CaseIterable {
        case error
        case warning
        case notice
    }

    /// How many annotations of each level GitHub shows for a step. 10.
    package static let limit = 10
    /// Bytes of the text of an annotation. 4 KiB.
    private static let messageLimit = 4 * 1024

    let level: Level
    let title: String
    let text: String
    var place: (file: String, line: Int, column: Int)?

    package init(
        _ level: Level, title: String, _ text: String, at place: (file: String, line: Int, column: Int)? = nil
    ) {
        self.level = level
        self.title = title
        self.text = text
        self.place = place
    }

    package func command(in workspace: Workspace) -> String {
        var properties: [String] = []
        if let place {
            properties.append("file=\(Self.property(workspace.path(place.file)))")
            if place.line > 0 { properties += ["line=\(place.line)", "col=\(max(1, place.column))"] }
        }
        properties.append("title=\(Self.property(title))")
        return "::\(level.rawValue) \(properties.joined(separator: ","))::\(Self.data(text.cut(to: Self.messageLimit)))"
    }

    /// A line of the log that the runner takes for no command of its own.
    package static func logged(_ text: String) -> String {
        "- " + text.cut(to: messageLimit).oneLine.replacing(bytesOf: "##[", with: "## [")
    }

    /// The runner's own escapes: a percent sign and line ends, and in properties the marks that end them as well.
    private static func data(_ text: String) -> String {
        text.replacing(bytesOf: "%", with: "%25").replacing(bytesOf: "\r", with: "%0D").replacing(
            bytesOf: "\n", with: "%0A"
        ).printable
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(bytesOf: ":", with: "%3A").replacing(bytesOf: ",", with: "%2C")
    }
}

extension Report {
    /// Bytes of a step's summary that GitHub takes. 1 MiB.
    private static let summaryLimit = 1024 * 1024

    /// Workflow commands for as many verdicts as GitHub shows, the worst first: errors, failures, known failures, possible improvements.
    package func annotations(in workspace: Workspace) -> String {
        let ranked =
            cases.filter { $0.result == .error && !$0.isKnown } + cases.filter { $0.result == .fail && !$0.isKnown }
            + cases.filter(\.isKnown) + cases.filter { !$0.isBad && !$0.note.isEmpty }
        var shown: [GitHubAnnotation] = []
        var left = Dictionary(
            uniqueKeysWithValues: GitHubAnnotation.Level.allCases.map { ($0, GitHubAnnotation.limit) })
        // The last line is a notice, too.
        left[.notice, default: 0] -= 1
        for one in ranked {
            let level = one.annotationLevel
            guard left[level, default: 0] > 0 else { continue }
            left[level, default: 0] -= 1
            let text = one.isBad ? one.told.map { "\($0.name): \($0.text)" }.joined(separator: "\n") : one.note
            shown.append(GitHubAnnotation(level, title: "\(one.id): \(one.title)", text, at: one.place))
        }
        let rest = ranked.count - shown.count
        let more = rest > 0 ? "; GitHub shows \(shown.count) of \(ranked.count), the step's summary has all" : ""
        shown.append(GitHubAnnotation(.notice, title: "mockapi \(command)", "\(subject): \(summary)\(more)"))
        return shown.map { $0.command(in: workspace) }.joined(separator: "\n") + "\n"
    }

    /// The Markdown for a step's summary, within the size that GitHub takes.
    package var stepSummary: String {
        let text = "## mockapi \(command)\n\n\(markdown())\n"
        guard text.utf8.count > Self.summaryLimit else { return text }
        let short = "## mockapi \(command)\n\n\(markdown(hasDetails: false))\n"
        return short.utf8.count > Self.summaryLimit
            ? "## mockapi \(command)\n\n\(subject.oneLine): \(summary)\n\nThe table is longer than GitHub takes.\n"
            : short
    }
}

extension Report.Case {
    fileprivate var annotationLevel: GitHubAnnotation.Level {
        if isKnown { return .warning }
        return isBad ? .error : .notice
    }
}
