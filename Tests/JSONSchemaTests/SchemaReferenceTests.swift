// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONSchema
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Schemas at random with what they say of values, by a validator in Python that takes the longest way to each verdict: exact fractions,
/// all of a schema for each value, and nothing compiled.
@Suite(.supervised) struct SchemaReferenceTests {
    private static let versions: [String: JSONSchemaVersion] = [
        "4": .draft4, "6": .draft6, "7": .draft7, "2019": .draft2019, "2020": .draft2020,
    ]

    @Test func `schemas at random say of values what a slow validator says`() async throws {
        let seed = Thoroughness.rounds(17, thorough: .random(in: 0..<1 << 31))
        let rounds = Thoroughness.rounds(800, thorough: 10_000)
        let end = try await Command(python: "schemas.py", ["\(seed)", "\(rounds)"]).end()
        try #require(end.code == 0, "\(end.errors)")
        var schema = try compile("{}")
        var (text, count) = ("", 0)
        for line in end.output.split(separator: "\n") {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if parts[0] == "schema" {
                text = "\(parts[1]) \(parts[2])"
                schema = try compile(parts[2], try #require(Self.versions[parts[1]]))
                continue
            }
            let value = try json(parts[1])
            let found = schema.validate(value)
            let wanted = parts[2].split(separator: "\u{1}", omittingEmptySubsequences: true).map(String.init)
            let violations = found.map { "\($0.pointer) \($0.keyword)" }
            let isComplete = wanted.count < JSONSchemaLimits.violations
            let isSame =
                isComplete
                ? Self.byBytes(violations) == Self.byBytes(wanted) : violations.count == JSONSchemaLimits.violations
            if found.isEmpty != (parts[0] == "valid") || schema.isValid(value) != found.isEmpty || !isSame {
                Issue.record("\(parts[1]) violates \(violations), not \(wanted), of \(text)")
            }
            count += 1
        }
        #expect(count == rounds * 12)
    }

    /// Texts in the order of their bytes, each as it is written.
    private static func byBytes(_ texts: [String]) -> [[UInt8]] {
        texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
