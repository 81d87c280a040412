// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Helpers of numbers and texts as Python computes them, which has decimals of any size and the rounding modes of Java.
@Suite(.supervised) struct HelperReferenceTests {
    @Test func `numbers and texts are made as Python makes them`() async throws {
        let seed = Thoroughness.rounds(17, thorough: .random(in: 0..<1 << 31))
        let end = try await Command(python: "helpers.py", ["\(seed)"]).end()
        try #require(end.code == 0, "\(end.errors)")
        var count = 0
        for line in end.output.split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let expected = parts[1].replacing("\\n", with: "\n")
            let result = rendered(parts[0])
            if result != expected { Issue.record("\(parts[0]) makes \(result), not \(expected)") }
            count += 1
        }
        #expect(count == 6500)
    }
}
