// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@Suite(.supervised) struct StubTableTests {
    @Test func `what is found in a value of each key, and what it changes, stands in the table`() throws {
        try PinnedTable.expect(
            StubTable(isWireMock: false).rows() + StubTable(isWireMock: true).rows(), in: "Stubs.txt")
    }
}
