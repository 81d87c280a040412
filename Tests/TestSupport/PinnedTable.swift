// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Rows of text that a file beside a test has in full, to be read in a diff as a review reads it.
///
/// With MOCKAPI_WRITE_TABLES in the environment the test writes the file. It still fails for each row that has changed, so that no run both
/// writes and passes.
package enum PinnedTable {
    /// How many rows that differ are told one by one. 20.
    private static let shown = 20

    /// Expects rows as a file has them, line ends within a row written as `\n` and `\r`, other control characters of ASCII but the tab
    /// as `\u{7f}`, and a backslash as two.
    package static func expect(
        _ rows: [String], in name: String, beside test: String = #filePath,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = URL(fileURLWithPath: test).deletingLastPathComponent().appendingPathComponent(name)
        let rows = rows.map(line)
        let known = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
        let changes = rows.difference(from: known)
        if ProcessInfo.processInfo.environment["MOCKAPI_WRITE_TABLES"] != nil {
            try (rows.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
        }
        for change in changes.removals.prefix(shown) + changes.insertions.prefix(shown) {
            switch change {
            case .remove(let offset, let row, _):
                Issue.record("\(name):\(offset + 1) is no longer so:\n\(row)", sourceLocation: sourceLocation)
            case .insert(_, let row, _):
                Issue.record("\(name) does not have:\n\(row)", sourceLocation: sourceLocation)
            }
        }
        #expect(changes.isEmpty, "\(changes.count) rows of \(name) changed", sourceLocation: sourceLocation)
    }

    private static func line(_ row: String) -> String {
        row.unicodeScalars.reduce(into: "") { line, scalar in
            switch scalar {
            case "\\": line += "\\\\"
            case "\r": line += "\\r"
            case "\n": line += "\\n"
            case "\t": line += "\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: line += "\\u{\(String(scalar.value, radix: 16))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
    }
}
