// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Helpers of JSON, XML, forms and lists, by what Python makes of the same values.
@Suite(.supervised) struct DocumentReferenceTests {
    @Test func `documents, forms and lists are changed and read as Python does it`() async throws {
        let seed = Thoroughness.rounds(17, thorough: .random(in: 0..<1 << 31))
        let end = try await Command(python: "documents.py", ["\(seed)"]).end()
        try #require(end.code == 0, "\(end.errors)")
        var count = 0
        for line in end.output.split(separator: "\n") {
            let parts = try line.split(separator: "\t").map {
                try #require(try JSONParser.parse(Array($0.utf8)).string)
            }
            let result = rendered(parts[0])
            if result != parts[1] { Issue.record("\(parts[0]) makes \(result), not \(parts[1])") }
            count += 1
        }
        #expect(count > 1800)
    }
}
