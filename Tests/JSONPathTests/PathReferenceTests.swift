// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONPath
import MockapiJSONText
import MockapiMetering
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Paths at random with what they select, by RFC 9535 as it is written down in Python: it makes a path as a tree, which it writes in one of
/// the ways there are and applies as it is, so that nothing has to be read.
@Suite(.supervised) struct PathReferenceTests {
    @Test func `a path selects what it does by the RFC, in its order`() async throws {
        let seed = Thoroughness.rounds(9535, thorough: .random(in: 0..<1 << 31))
        let rounds = Thoroughness.rounds(3000, thorough: 60_000)
        let end = try await Command(python: "paths.py", ["\(seed)", "\(rounds)"]).end()
        try #require(end.code == 0, "\(end.errors)")
        for line in end.output.split(separator: "\n") {
            let row = try #require(try JSONParser.parse(String(line)).array)
            let path = row[1].string ?? ""
            do {
                var allowance = Allowance(steps: JSONPathLimits.steps)
                let parsed = try JSONPath(parsing: path, dialect: .rfc9535)
                let nodes = try parsed.nodes(in: row[0], allowance: &allowance)
                let located = try parsed.located(in: row[0], allowance: &allowance)
                #expect(JSONNode.array(nodes) == row[2], "\(path) of \(line)")
                #expect(located.map { .string($0.location.normalizedPath) } == row[3].array, "\(path) of \(line)")
            } catch {
                Issue.record("\(path): \(error)")
            }
        }
    }
}
