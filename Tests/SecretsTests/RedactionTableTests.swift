// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

/// All that is found of many values in many places: `Redactions.txt` has it in full.
@Suite(.supervised) struct RedactionTableTests {
    @Test func `what becomes of each value stands in the table`() throws {
        try PinnedTable.expect(RedactionTable.parts.flatMap { $0() }, in: "Redactions.txt")
    }
}
