// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiDrift

@Suite(.supervised) struct DriftCaseTests {
    private static func cases() throws -> [DriftCase] {
        try DriftCases.text.split(separator: "\n").map { try DriftCase($0) }
    }

    /// The worst of some findings, each id once.
    private static func worst(_ findings: [DriftFinding]) -> [String] {
        let level = findings.map(\.level).max()
        return Set(findings.filter { $0.level == level }.map { "\($0.level.rawValue) \($0.id.rawValue)" }).sorted()
    }

    @Test func `there are 150 cases and more, and half of them are harmless`() throws {
        let cases = try Self.cases()
        #expect(cases.count >= 150)
        #expect(Set(cases.map(\.name)).count == cases.count)
        let harmless = cases.count { $0.level == nil || $0.level == .info }
        #expect(harmless * 5 >= cases.count * 2)
    }

    @Test func `each change is what the table says it is`() throws {
        for item in try Self.cases() {
            let expected = item.level.map { ["\($0.rawValue) \(item.id ?? "")"] } ?? []
            let found = item.comparison.compare(item.live).findings
            #expect(Self.worst(found) == expected, "\(item.name): \(found.map { "\($0.pointer) \($0.text)" })")
        }
    }

    @Test func `no verdict depends on how many samples say the same, or on their order`() throws {
        for item in try Self.cases() where item.live.count == 1 {
            let expected = item.level.map { ["\($0.rawValue) \(item.id ?? "")"] } ?? []
            // Two equal samples make no noise.
            #expect(
                Self.worst(item.comparison.compare(item.live + item.live).findings) == expected, "\(item.name), twice")
            var reversed = item.comparison
            reversed.recorded.reverse()
            #expect(Self.worst(reversed.compare(item.live).findings) == expected, "\(item.name), reversed")
        }
    }

    @Test func `a response against itself is no drift`() throws {
        for item in try Self.cases() where item.comparison.pins.pins.isEmpty {
            let found = item.comparison.compare(item.comparison.recorded).findings
            #expect(found.isEmpty, "\(item.name): \(found.map { "\($0.pointer) \($0.text)" })")
        }
    }

    @Test func `a finding says where it is and what it is in words`() throws {
        let recorded = ResponseSample(
            status: 200, headers: [("ETag", "\"a\"")], body: Array(#"{"data":[{"popularity": 1366}]}"#.utf8))
        let live = ResponseSample(status: 200, body: Array(#"{"data":[{"popularity": 1366.5}]}"#.utf8))
        let found = ResponseComparison(recorded: [recorded]).compare([live]).findings
        #expect(found.map(\.pointer) == ["header:ETag", "/data/*/popularity"])
        #expect(found.map(\.text) == ["is gone (\"a\")", "integer became number (1366 → 1366.5)"])
        #expect(found.last?.site == .body(offset: 24))
    }

    @Test func `a name that came in another Unicode form is told as that`() {
        let samples = ["{\"caf\u{E9}\": 1, \"b\": 2}", "{\"cafe\u{301}\": 1, \"b\": 2}"].map { text in
            ResponseSample(status: 200, headers: [("Content-Type", "application/json")], body: Array(text.utf8))
        }
        let found = ResponseComparison(recorded: [samples[0]]).compare([samples[1]]).findings
        #expect(
            found.map(\.text) == ["property added (1)", "property removed (1 → the name in another Unicode form)"])
    }

    private func judge(_ recorded: String, _ live: String) -> [String] {
        func sample(_ text: String) -> ResponseSample {
            ResponseSample(status: 200, headers: [("Content-Type", "application/json")], body: Array(text.utf8))
        }
        return ResponseComparison(recorded: [sample(recorded)]).compare([sample(live)]).findings.map {
            "\($0.level.rawValue) \($0.id.rawValue) \($0.pointer)"
        }
    }

    @Test func `a long list is judged to its last item, in pieces`() {
        let items = Array(repeating: #"{"id":1,"name":"x"}"#, count: 4200)
        let document = { (last: String) in #"{"data":[\#((items + [last]).joined(separator: ","))]}"# }
        #expect(judge(document(items[0]), document(items[0])).isEmpty)
        #expect(
            judge(document(items[0]), document(#"{"id":1.5}"#)) == [
                "breaking integer-became-number /data/*/id", "breaking property-removed /data/*/name",
            ])
    }

    @Test func `a large map is one place, and another that is small is the same`() {
        func map(_ count: Int, _ value: String) -> String {
            "{\((0..<count).map { "\"\($0 + 1000)\":\(value)" }.joined(separator: ","))}"
        }
        #expect(judge(map(300, "1"), map(2, "1")).isEmpty)
        #expect(judge(map(2, "1"), map(300, "1")).isEmpty)
        #expect(judge(map(300, "1"), map(300, "\"1\"")) == ["breaking type-changed /*"])
    }
}
