// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiSystemIO
import MockapiTestSupport
import Testing

@Suite(.supervised) struct ProcessorsTests {
    @Test(
        arguments: [
            ("200000 100000\n", 2), ("150000 100000\n", 2), ("50000 100000\n", 1), ("max 100000\n", nil), ("", nil),
            ("1 0\n", nil),
        ] as [(String, Int?)])
    func `a quota of processor time is rounded up to processors`(line: String, processors: Int?) {
        #expect(Processors.quota(from: line) == processors)
    }

    @Test func `at least one processor is usable`() {
        #expect(Processors.usable >= 1)
    }
}
