// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiReports
import MockapiTestSupport
import Testing

@testable import MockapiRunning

/// What is said of a run in which nobody asked, by its coverage.
@Suite(.supervised) struct RunFactsTests {
    private static func fixtures(_ stubs: [[Int]], files: [Int]) -> Coverage {
        func parts(_ hits: [Int]) -> [Coverage.Part] {
            hits.enumerated().map { .init(step: $0 + 1, status: 200, line: 1, hits: $1) }
        }
        let all = stubs.enumerated().map { number, hits in
            Coverage.Fixture(
                file: "s\(number).stub.json", line: number % 2 == 0 ? 1 : 7, id: "i\(number)", parts: parts(hits))
        }
        return Coverage(
            fixtures: all
                + files.enumerated().map { .init(file: "f\($0).json", line: 1, id: "", parts: parts([$1])) })
    }

    private static func facts(
        _ coverage: Coverage, tallies: Int = 1, allowances: RunFacts.Allowances = .init(noRequests: true)
    ) -> RunFacts {
        RunFacts(
            directory: "D", servers: [], tallies: (0..<tallies).map { _ in RunTally() }, coverage: coverage,
            allowances: allowances)
    }

    private static func label(_ number: Int) -> String {
        number % 2 == 0 ? "s\(number).stub.json" : "s\(number).stub.json:7"
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", and \(names.count - 10) more" : "")
    }

    @Test(arguments: [0, 1, 2, 9, 10, 11, 23])
    func `unused fixtures and unfinished sequences are named, ten of each`(count: Int) {
        for kind in [[0], [1], [1, 0, 2], [0, 0], [1, 1]] {
            for files in [[], [0], [3, 0]] {
                let facts = Self.facts(Self.fixtures(Array(repeating: kind, count: count), files: files))
                let isUsed = kind.contains { $0 > 0 }
                let isUnfinished = isUsed && kind.contains(0)
                let labels = (0..<count).map(Self.label)
                let unusedFiles = files.indices.filter { files[$0] == 0 }.map { "f\($0).json" }
                let dead = (isUsed ? [] : labels) + unusedFiles
                let given = "\(kind.count { $0 > 0 }) of \(kind.count) steps"
                var notes: [String] = []
                if isUnfinished, count > 0 {
                    notes.append("sequences not finished: " + Self.list(labels.map { "\($0): \(given)" }))
                }
                #expect(facts.notes(namesUnused: false) == notes)
                if !dead.isEmpty { notes.append("never used: " + Self.list(dead)) }
                #expect(facts.notes == notes)

                let stubs = "\(isUsed ? count : 0) of \(count) stub\(count == 1 ? "" : "s")"
                let used = files.count { $0 > 0 }
                let plain = "\(used) of \(files.count) file\(files.count == 1 ? "" : "s")"
                let all = (count > 0 || files.isEmpty ? [stubs] : []) + (files.isEmpty ? [] : [plain])
                #expect(facts.summary == "0 requests, 0 matched · \(all.joined(separator: " and ")) used")

                let total = count + files.count
                var expected = [
                    "requests 0", "matched 0", "unmatched 0", "stubs \(total)", "used \(total - dead.count)",
                ]
                if !dead.isEmpty { expected.append("neverUsed \(dead.count)") }
                if isUnfinished, count > 0 { expected.append("unfinished \(count)") }
                expected.append("coverage \(Coverage.text(facts.coverage.percent))")
                #expect(facts.facts.map { "\($0.name) \($0.value)" } == expected)

                let cases = facts.cases
                #expect(cases.map(\.id) == ["matched", "requests"] && cases.allSatisfy { $0.result == .pass })
                #expect(cases[1].seen == facts.summary && cases[1].note == notes.joined(separator: "; "))
                let members = JSONNode(.object(JSONObject(cases[1].members)))
                #expect(members["requests"]?.number?.integer == 0 && members["unmatched"]?.number?.integer == 0)
                #expect(members["neverUsed"]?.array?.compactMap(\.string) == dead)
                #expect(members["unfinished"]?.array?.compactMap(\.string) == (isUnfinished ? labels : []))
                #expect(members["refused"]?.number?.integer == 0 && members["traffic"]?.array?.count == 0)
            }
        }
    }

    @Test func `a server that nobody asked fails the run, unless that is allowed`() {
        let coverage = Self.fixtures([[0]], files: [])
        let led = ProxyVariables().first.map {
            " \($0) names a proxy, which a client that does not read no_proxy uses instead"
        }
        for (count, labels) in [(1, [""]), (3, ["shard 1: ", "shard 2: ", "shard 3: "])] {
            let facts = Self.facts(coverage, tallies: count, allowances: .init())
            #expect(!facts.isKept)
            let titles = labels.map { "\($0)the command sends a request to the server" }
            #expect(facts.results.map(\.name) == titles)
            let texts = labels.map {
                "\($0)the command sent no request to this server; is it given MOCKAPI_URL?\(led ?? "")"
            }
            #expect(facts.results.map { $0.failure?.text } == texts)
            let cases = facts.cases
            #expect(cases.map(\.id) == ["matched"] + labels.map { _ in "asked" } + ["requests"])
            #expect(cases.map(\.result) == [.pass] + labels.map { _ in .fail } + [.pass])
            #expect(cases.dropFirst().dropLast().map(\.title) == titles)
            #expect(cases.dropFirst().dropLast().allSatisfy { $0.expected == "a request" && $0.details.isEmpty })
            #expect(Self.facts(coverage, tallies: count).isKept)
        }
    }
}
