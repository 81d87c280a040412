// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
package import MockapiJSONText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The results of a command, which every form that they are written in has from here.
///
///     var report = Report("run", of: "fixtures", "Fixtures", startedAt: Clock.seconds)
///     report.add(Report.Case("GET /a", "is answered", .fail, expected: "a stub", seen: "404"))
///     report.text(), report.json, report.jsonLines, report.junit.xml, report.tap, report.markdown(), report.annotations(in: .current)
///
/// A command writes it by its `ReportOptions`: once at its start, with nothing but `unfinished`, and again when it knows.
package struct Report: Sendable {
    /// The version of the JSON, which counts up if a program that reads it must change.
    package static let schemaVersion = 1

    /// The command without `mockapi`: `contract`.
    package let command: String
    /// The kind of the subject, such as `client`, and its name.
    package let kind: String
    package let subject: String
    /// Distinguishes the report from others on the same subject, such as the command that was run; empty if the subject is enough.
    package var label = ""
    /// In seconds since 1970.
    package let startedAt: Double
    /// How long all of it took, in seconds.
    package var duration = 0.0
    /// The exit code of the command; nil if that is not known.
    package var exitCode: Int32?
    /// Further facts, such as `requests` and `31`.
    package var facts: [(name: String, value: String)] = []
    /// In the order they are shown; no two have one id.
    package private(set) var cases: [Case] = []
    private var numbers: [String: Int] = [:]

    /// - Parameters:
    ///   - command: without `mockapi`.
    ///   - kind: the kind of the subject: `client`, `fixtures`, `service`.
    ///   - subject: its name.
    ///   - startedAt: in seconds since 1970.
    package init(_ command: String, of kind: String, _ subject: String, startedAt: Double) {
        self.command = command
        self.kind = kind
        self.subject = subject
        self.startedAt = startedAt
    }

    /// Adds a verdict; if its id is that of another it becomes `ID #2`, since readers drop the second case of a name.
    package mutating func add(_ new: Case) {
        var new = new
        let id = new.id
        while numbers[new.id] != nil {
            let number = (numbers[id] ?? 1) + 1
            numbers[id] = number
            new.id = "\(id) #\(number)"
        }
        numbers[new.id] = 1
        cases.append(new)
    }

    package func count(_ result: Case.Result) -> Int { cases.count { $0.result == result } }

    /// `41 pass, 2 fail, 3 not applicable`.
    package var summary: String {
        Case.Result.allCases.filter { $0 != .error || count($0) > 0 }.map { "\(count($0)) \($0.words)" }
            .joined(separator: ", ")
    }

    /// Failures and errors that are not known: the exit code of the command is made of these.
    package var broken: [Case] { cases.filter { $0.isBad && !$0.isKnown } }

    /// The report of a command that has begun: it stays in the files if the command is killed.
    package var unfinished: Report {
        var report = Report(command, of: kind, subject, startedAt: startedAt)
        report.label = label
        report.add(
            Case(
                "\(command).ended", "the command comes to its end", .error, expected: "a verdict",
                seen: "none: the command still runs, or was ended before it had one"))
        return report
    }

    /// `2026-11-18T11:06:40Z`.
    var timestamp: String { Date(timeIntervalSince1970: startedAt).formatted(.iso8601) }
}

extension Report {
    /// The verdict on one thing.
    package struct Case: Sendable {
        package enum Result: String, Sendable, CaseIterable {
            case pass
            case fail
            /// It could not be found out.
            case error
            /// It does not concern the subject, or was left out.
            case notApplicable

            /// As people read it.
            package var words: String { self == .notApplicable ? "not applicable" : rawValue }
        }

        /// The identifier of the case, such as `method.patch`.
        package var id: String
        package let title: String
        package let result: Result
        /// The word for the verdict if `result` says too little, such as `fooled`.
        package var word: String?
        package var expected: String
        /// The behaviour that was seen instead, or why the case does not apply.
        package var seen: String
        /// For a failure, why it is known; for a pass, a possible improvement.
        package var note: String
        /// The request that it is about.
        package var request: Request?
        /// Further details, such as the requests that came over the `wire`: a name, and text of some lines.
        package var details: [(name: String, text: String)] = []
        /// The place in a file of the user's that it is about, with line and column from 1; 0 if they are not known.
        package var place: (file: String, line: Int, column: Int)?
        /// In seconds.
        package var duration = 0.0
        /// Members of its JSON beside those that all have; no name of theirs.
        package var members: [JSONObject.Member] = []

        package init(
            _ id: String, _ title: String, _ result: Result, expected: String = "", seen: String = "", note: String = ""
        ) {
            self.id = id
            self.title = title
            self.result = result
            self.expected = expected
            self.seen = seen
            self.note = note
        }

        package var isBad: Bool { result == .fail || result == .error }
        package var isKnown: Bool { isBad && !note.isEmpty }

        /// All that is to be said of a failure, by name: each text may have some lines.
        var told: [(name: String, text: String)] {
            var told = [(name: String, text: String)]()
            if !expected.isEmpty { told.append(("expected", expected)) }
            if !seen.isEmpty { told.append(("seen", seen)) }
            if isKnown { told.append(("known", note)) }
            if let request { told.append(("request", request.text)) }
            told += details
            if let request { told.append(("curl", request.curl)) }
            if let place { told.append(("place", place.line > 0 ? "\(place.file):\(place.line)" : place.file)) }
            return told
        }
    }
}

extension String {
    /// The text on one line, which holds nothing that steers a terminal.
    var oneLine: String {
        contains(where: \.isNewline) ? split(whereSeparator: \.isNewline).joined(separator: " ").printable : printable
    }

    /// The first bytes of the text, and a mark if it is longer.
    func cut(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var cut = ""
        var size = 0
        for scalar in unicodeScalars {
            size += UTF8.width(scalar)
            if size > limit { break }
            cut.unicodeScalars.append(scalar)
        }
        return cut + "…"
    }
}
