// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

extension Report {
    /// A table with a row for each verdict, and below it all there is to say of those that are bad.
    ///
    /// - Parameter hasDetails: false for the table alone.
    package func markdown(hasDetails: Bool = true) -> String {
        let rows = cases.map { one in
            let seen = [one.seen, one.note].filter { !$0.isEmpty }.joined(separator: "; ")
            return
                "| \(Self.code(one.id)) | \(Self.cell(one.title)) | \(Self.cell(one.expected)) | \(Self.cell(seen)) |"
                + " \(Self.cell(one.word ?? one.result.words)) |"
        }
        let head = ["| requirement | | expected | seen | verdict |", "|---|---|---|---|---|"]
        let title = "\(Self.cell(subject)): \(summary)"
        let facts =
            facts.isEmpty
            ? [] : [facts.map { "\(Self.cell($0.name)): \(Self.cell($0.value))" }.joined(separator: " · "), ""]
        var text = ([title, ""] + facts + head + rows).joined(separator: "\n") + "\n"
        if hasDetails { for one in cases where one.isBad { text += Self.section(one) } }
        return text
    }

    /// A heading and a block that holds text as it is, behind a fence longer than any in it (CommonMark §4.5).
    private static func section(_ one: Case) -> String {
        let lines = one.told.map { name, text in
            "\(name): "
                + text.split(whereSeparator: \.isNewline).map { String($0).printable }.joined(separator: "\n    ")
        }.joined(separator: "\n")
        let longest = lines.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return "\n### \(code(one.id)) \(cell(one.title))\n\n\(fence)text\n\(lines)\n\(fence)\n"
    }

    /// Code in a cell; a text with a back-tick stays text.
    private static func code(_ text: String) -> String {
        text.contains("`") ? cell(text) : "`\(text.oneLine.replacing(bytesOf: "|", with: "\\|"))`"
    }

    private static func cell(_ text: String) -> String {
        text.oneLine.replacing(bytesOf: "\\", with: "\\\\").replacing(bytesOf: "|", with: "\\|").replacing(
            bytesOf: "<", with: "&lt;")
    }
}
