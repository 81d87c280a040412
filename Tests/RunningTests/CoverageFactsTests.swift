// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiRunning

/// The coverage of runs, counted from parts of random hits in a second way.
@Suite(.supervised) struct CoverageFactsTests {
    private static func fixtures(_ random: inout SplitMix) -> [Coverage.Fixture] {
        var fixtures: [Coverage.Fixture] = []
        for file in ["a.json", "b.stub.json", "c.stub.json"] {
            let isPlain = file == "a.json"
            for index in 0..<(isPlain ? 1 : 1 + random.below(3)) {
                let line = isPlain ? 1 : 1 + index * random.below(9)
                let parts = (0..<1 + random.below(3)).flatMap { step -> [Coverage.Part] in
                    let hits = random.pick([0, 0, 1, 7])
                    let whole = Coverage.Part(
                        step: step + 1, status: 200 + step, line: line + random.below(3), hits: hits)
                    guard random.chance(30) else { return [whole] }
                    return [
                        whole,
                        .init(step: step + 1, status: 200 + step, fault: "F", line: whole.line, hits: random.below(2)),
                    ]
                }
                fixtures.append(
                    .init(
                        file: file, line: line, id: isPlain ? "" : "\(file)\(index)", name: random.pick([nil, "n"]),
                        digest: random.pick(["", "d"]), parts: parts))
            }
        }
        return fixtures
    }

    @Test func `coverage is read as it was written, and sums up what its parts say`() throws {
        var random = SplitMix(seed: 9)
        for _ in 0..<200 {
            let coverage = Coverage(fixtures: Self.fixtures(&random))
            let all = coverage.fixtures.flatMap(\.parts)
            let covered = all.filter { $0.hits != 0 }
            #expect(coverage.parts == all.count && coverage.coveredParts == covered.count)
            #expect(coverage.percent == Double(covered.count * 100) / Double(all.count))
            for fixture in coverage.fixtures {
                let hits = fixture.parts.map(\.hits).reduce(0, +)
                #expect(fixture.hits == hits && coverage.dead.contains { $0.label == fixture.label } || hits > 0)
                #expect(fixture.label == (fixture.line == 1 ? fixture.file : "\(fixture.file):\(fixture.line)"))
                let steps = fixture.parts.filter { $0.fault == nil }
                let given = steps.filter { $0.hits != 0 }.count
                let isUnfinished = given != 0 && given != steps.count
                #expect(fixture.unfinished?.given == (isUnfinished ? given : nil))
                #expect(fixture.unfinished?.steps == (isUnfinished ? steps.count : nil))
            }
            #expect(
                coverage.dead.count
                    == coverage.fixtures.filter { fixture in fixture.parts.allSatisfy { $0.hits == 0 } }.count)
            let read = try #require(Coverage(try JSONParser.parse(coverage.json)))
            #expect(read.json == coverage.json)
            var doubled = coverage
            #expect(doubled.merge(read) == [])
            #expect(doubled.fixtures.flatMap(\.parts).map(\.hits) == all.map { 2 * $0.hits })
            try Self.check(coverage.lcov(directory: "D"), coverage)
        }
    }

    /// The records of a tracefile against the hits of each line.
    private static func check(_ text: String, _ coverage: Coverage) throws {
        let records = text.split(separator: "end_of_record\n").map { $0.split(separator: "\n").map(String.init) }
        #expect(records.map { $0.first } == records.map { _ in "TN:mockapi" })
        #expect(records.map { $0[1] } == ["SF:D/a.json", "SF:D/b.stub.json", "SF:D/c.stub.json"])
        for (record, file) in zip(records, ["a.json", "b.stub.json", "c.stub.json"]) {
            let fixtures = coverage.fixtures.filter { $0.file == file }
            let parts = fixtures.flatMap(\.parts)
            var lines: [Int: Int] = [:]
            for fixture in fixtures {
                lines[fixture.line, default: 0] += fixture.hits
                for part in fixture.parts where part.line != fixture.line { lines[part.line, default: 0] += part.hits }
            }
            var expected: [String] = []
            let branched = Set(parts.map(\.line)).sorted().map { line in parts.filter { $0.line == line } }
                .filter { $0.count > 1 }
            for group in branched {
                let isReached = group.contains { $0.hits > 0 }
                for (number, part) in group.enumerated() {
                    expected.append("BRDA:\(part.line),0,\(number),\(isReached ? String(part.hits) : "-")")
                }
            }
            if !branched.isEmpty {
                let all = branched.flatMap(\.self)
                expected += ["BRF:\(all.count)", "BRH:\(all.filter { $0.hits > 0 }.count)"]
            }
            expected += lines.keys.sorted().map { "DA:\($0),\(lines[$0] ?? 0)" }
            expected += ["LF:\(lines.count)", "LH:\(lines.values.filter { $0 > 0 }.count)"]
            #expect(Array(record.dropFirst(2)) == expected)
        }
    }

    @Test(arguments: [(0, "0"), (99.99, "99.9"), (100, "100"), (33.3333, "33.3"), (50.04, "50"), (9.1, "9.1")])
    func `a percentage is cut off behind a tenth`(percent: Double, text: String) {
        #expect(Coverage.text(percent) == text)
    }

    @Test func `without parts all is covered, and parts that were left are named by their steps and lines`() {
        #expect(Coverage().percent == 100 && Coverage().left == [])
        func part(_ step: Int, _ hits: Int, line: Int = 1, fault: String? = nil) -> Coverage.Part {
            .init(step: step, status: 200, fault: fault, line: line, hits: hits)
        }
        let coverage = Coverage(fixtures: [
            .init(file: "a", line: 1, id: "1", parts: [part(1, 1), part(1, 0, line: 2, fault: "F")]),
            .init(file: "b", line: 1, id: "2", parts: [part(1, 0), part(2, 1, line: 2), part(3, 0, line: 3)]),
            .init(file: "c", line: 1, id: "3", parts: [part(1, 0)]),
        ])
        #expect(coverage.left == ["a:2: fault F", "b: step 1, status 200", "b:3: step 3, status 200"])
    }

    @Test func `what a file of coverage says cannot overflow, and what is not one is refused`() throws {
        func read(_ text: String) throws -> Coverage? { Coverage(try JSONParser.parse(text)) }
        #expect(try read("{}") == nil && read("[]") == nil)
        let part = { (hits: String) in
            #"{"stubs":[{"file":"a","parts":[{"step":1,"hits":\#(hits)},{"hits":1}]},{"id":"b"}]}"#
        }
        for (hits, expected) in [("-1", 0), ("5", 5), ("9223372036854775807", 1 << 40)] {
            let coverage = try #require(try read(part(hits)))
            #expect(coverage.fixtures.map(\.file) == ["a"] && coverage.fixtures[0].line == 1)
            #expect(coverage.fixtures[0].parts.map(\.hits) == [expected])
        }
    }

    @Test func `states of a scenario are reached if a stub that names them was used`() {
        func stub(_ scenario: String, _ state: String?, _ next: String?, _ hits: Int) -> Coverage.Fixture {
            .init(
                file: "s", line: 1, id: "i", branch: .init(scenario: scenario, state: state, next: next),
                parts: [.init(step: 1, status: 200, line: 1, hits: hits)])
        }
        let scenarios = Coverage(fixtures: [
            stub("b", nil, "x", 0), stub("a", "Started", "full", 0), stub("a", "full", nil, 1),
            stub("a", "full", "paid", 0),
        ]).scenarios
        #expect(scenarios.map(\.name) == ["a", "b"])
        #expect(scenarios[0].states.map(\.name) == ["Started", "full", "paid"])
        #expect(scenarios[0].states.map(\.isReached) == [true, true, false])
        #expect(scenarios[1].states.map(\.isReached) == [true, false])
    }
}
