// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@Suite(.supervised) struct StubTableTests {
    @Test func `the findings in a value of each key, and its effect, stand in the table`() throws {
        let root = try TemporaryDirectory([:])
        let rows = StubTable(isWireMock: false, root: root.path).rows()
        // In WireMock's words only the rows that differ.
        let known = Set(rows)
        let others = StubTable(isWireMock: true, root: root.path).rows().filter { !known.contains($0) }
        try PinnedTable.expect(rows + others.map { "wiremock \($0)" }, in: "Stubs.txt")
    }
}
