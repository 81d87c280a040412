// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONSchema
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Texts that are nearly of a format, by the grammars of the formats as patterns, and by what Python has for addresses, dates and Punycode.
@Suite(.supervised) struct FormatReferenceTests {
    @Test func `texts that are nearly of a format are judged by its grammar`() async throws {
        let seed = Thoroughness.rounds(17, thorough: .random(in: 0..<1 << 31))
        let rounds = Thoroughness.rounds(1500, thorough: 30_000)
        let end = try await Command(python: "formats.py", ["\(seed)", "\(rounds)"]).end()
        try #require(end.code == 0, "\(end.errors)")
        var schemas: [String: JSONSchema] = [:]
        var count = 0
        for line in end.output.split(separator: "\n") {
            let parts = line.split(separator: "\t").map(String.init)
            let schema = try schemas[parts[0]] ?? compile(#"{"format":"\#(parts[0])"}"#, .draft7)
            schemas[parts[0]] = schema
            if schema.isValid(try json(parts[2])) != (parts[1] == "valid") {
                Issue.record("\(parts[2]) as \(parts[0]) is \(parts[1])")
            }
            count += 1
        }
        #expect(count > rounds * 15)
    }
}
