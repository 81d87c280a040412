// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

extension Report {
    /// The most lines of a detail that are shown to a person. 24.
    private static let shownLines = 24

    /// A line for each verdict, and all details below the bad ones. A line controls a terminal only by its colours.
    ///
    /// - Parameters:
    ///   - isColored: for a terminal that has colours.
    ///   - showsAll: whether verdicts that pass or do not apply have lines.
    package func text(isColored: Bool = false, showsAll: Bool = true) -> String {
        let shown = cases.filter { showsAll || $0.isBad || !$0.note.isEmpty }
        let width = shown.map(\.id.count).max() ?? 0
        var lines = ["\(subject): \(summary)".oneLine]
        if !shown.isEmpty { lines.append("") }
        for one in shown {
            let word = one.word ?? one.result.shortWord
            let colour = isColored ? one.colour : nil
            let head =
                colour.map { "\u{1B}[\($0)m\(word.padding(to: 4).oneLine)\u{1B}[0m" } ?? word.padding(to: 4).oneLine
            let why = one.result == .notApplicable && !one.seen.isEmpty ? " (\(one.seen))" : ""
            lines.append("  \(head)  \((one.id.padding(to: width) + "  " + one.title + why).oneLine)")
            if one.isBad {
                for (name, text) in one.told { lines += Self.block(name, text) }
            } else if !one.note.isEmpty {
                lines += Self.block("note", one.note)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func block(_ name: String, _ text: String) -> [String] {
        var parts = text.split(whereSeparator: \.isNewline).map { String($0).printable }
        if parts.count > shownLines {
            parts[shownLines...] = ["(and \(parts.count - shownLines) more lines, which the other reports have)"]
        }
        let margin = String(repeating: " ", count: 10)
        return (parts.isEmpty ? [""] : parts).enumerated().map { index, part in
            margin + (index == 0 ? "\(name):" : "").padding(to: 10) + part
        }
    }
}

extension Report.Case.Result {
    fileprivate var shortWord: String {
        switch self {
        case .pass: "pass"
        case .fail: "FAIL"
        case .error: "ERR"
        case .notApplicable: "n/a"
        }
    }
}

extension Report.Case {
    /// Green, yellow for a known failure, red, or pale (ECMA-48 §8.3.117).
    fileprivate var colour: String {
        switch result {
        case .pass: "32"
        case .fail, .error: isKnown ? "33" : "31"
        case .notApplicable: "2"
        }
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
