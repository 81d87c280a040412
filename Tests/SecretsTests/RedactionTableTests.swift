// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// All that is found of many values in many places: `Redactions.txt` has it in full, to be read as a review reads it. With
/// MOCKAPI_WRITE_TABLES the test writes the file.
@Suite(.supervised) struct RedactionTableTests {
    @Test func `what becomes of each value stands in the table`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Redactions.txt")
        let known = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        var rows: [String] = []
        for part in RedactionTable.parts {
            let written = part()
            for (row, expected) in zip(written, known.dropFirst(rows.count)) where row != expected {
                Issue.record("\(row)\n\(expected)")
            }
            rows += written
        }
        #expect(rows.count == known.count)
        // What is written is compared with what stood there, so that a run that writes a change fails.
        if ProcessInfo.processInfo.environment["MOCKAPI_WRITE_TABLES"] != nil {
            try (rows.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
        }
    }
}
