// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockapiFixtures
import MockapiStubMatching

/// A journal to be read by people: a line for each request, its fields and the beginning of its content below. Credentials are named, and
/// not shown: it goes with the output of tests.
package struct JournalText {
    /// How much of a content is shown, in bytes.
    private static let shownContent = 2_000

    package let text: String

    package init(_ entries: [JournalEntry]) {
        text = entries.isEmpty ? "no request came\n" : entries.map(Self.text).joined(separator: "\n")
    }

    private static func text(_ entry: JournalEntry) -> String {
        var lines = ["\(Verifier.line(entry)) \(outcome(entry))"]
        let confidential = Confidential(fields: entry.fields)
        lines += entry.fields.map { "    \($0.name): \(confidential.value(of: $0.name, $0.value))".printable }
        if !entry.body.isEmpty {
            lines.append("")
            lines.append("    \(confidential.content(Array(entry.body.prefix(shownContent))))")
            if entry.bodySize > shownContent { lines.append("    (\(entry.bodySize) bytes in all)") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func outcome(_ entry: JournalEntry) -> String {
        let fault = entry.fault.map { "fault \($0), " } ?? ""
        return fault + source(entry)
    }

    private static func source(_ entry: JournalEntry) -> String {
        switch entry.outcome {
        case .stub(let file, let name, _): name.map { "\(file) (\"\($0)\")" } ?? file
        case .file(let path): path
        case .unmatched: "nothing matched"
        case .refused: "refused"
        case .preflight: "a preflight (CORS)"
        case .proxied: entry.status == 0 ? "no response from the upstream" : "from the upstream"
        }
    }
}
