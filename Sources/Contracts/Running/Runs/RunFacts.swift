// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer
import MockapiFixtures
import MockapiJSONText
package import MockapiReports

/// The facts of a command's requests, when it has ended.
package struct RunFacts: Sendable {
    /// How many things of a kind are named in a line. 10.
    private static let namedLimit = 10

    /// The fixture directory as the user called it.
    package let directory: String
    package let requests: Int
    package let misses: Int
    package let traffic: [RunTally.Traffic]
    package let coverage: Coverage
    /// The results of the expectations, and the requests that nothing answered.
    package let results: [VerificationResult]

    /// - Parameters:
    ///   - servers: those that the command was given, with their tallies.
    ///   - coverage: of this run.
    package init(
        directory: String, servers: [MockServer], tallies: [RunTally], coverage: Coverage, expectations: [Expectation],
        allowsUnmatched: Bool
    ) {
        self.directory = directory
        self.coverage = coverage
        requests = tallies.reduce(0) { $0 + $1.requests }
        misses = tallies.reduce(0) { $0 + $1.misses }
        traffic = Self.sum(tallies.flatMap(\.traffic))
        results = MockServer.verification(of: servers, against: expectations, allowsUnmatched: allowsUnmatched)
    }

    private static func sum(_ all: [RunTally.Traffic]) -> [RunTally.Traffic] {
        var sums: [RunTally.Traffic] = []
        for traffic in all {
            let known = sums.firstIndex {
                $0.protocolName == traffic.protocolName && $0.isEncrypted == traffic.isEncrypted
            }
            guard let known else {
                sums.append(traffic)
                continue
            }
            sums[known].requests += traffic.requests
            sums[known].connections += traffic.connections
        }
        return sums
    }

    /// Whether what came keeps the contract.
    package var isKept: Bool { results.allSatisfy { $0.failure == nil } }

    // MARK: In words

    /// `31 requests, 31 matched · 40 of 412 stubs used · HTTP/2 on 1 connection`.
    package var summary: String {
        var parts = ["\(Counts.count(requests, "request")), \(requests - misses) matched"]
        let stubs = coverage.fixtures.filter { !$0.isPlainFile }
        let files = coverage.fixtures.filter(\.isPlainFile)
        var used: [String] = []
        if !stubs.isEmpty || files.isEmpty {
            used.append("\(stubs.count { $0.hits > 0 }) of \(Counts.count(stubs.count, "stub"))")
        }
        if !files.isEmpty { used.append("\(files.count { $0.hits > 0 }) of \(Counts.count(files.count, "file"))") }
        parts.append(used.joined(separator: " and ") + " used")
        parts += [traffic.map(Self.text).joined(separator: ", ")].filter { !$0.isEmpty }
        return parts.joined(separator: " · ")
    }

    private static func text(_ traffic: RunTally.Traffic) -> String {
        "\(traffic.protocolName)\(traffic.isEncrypted ? " with TLS" : "") on "
            + Counts.count(traffic.connections, "connection")
    }

    /// Sequences of which steps were left, and what was never used; a line each.
    package var notes: [String] {
        let unfinished = coverage.fixtures.compactMap { fixture in
            fixture.unfinished.map { "\(fixture.label): \($0.given) of \($0.steps) steps" }
        }
        let dead = coverage.dead.map(\.label)
        var notes: [String] = []
        if !unfinished.isEmpty { notes.append("sequences not finished: \(Self.list(unfinished))") }
        if !dead.isEmpty { notes.append("never used: \(Self.list(dead))") }
        return notes
    }

    private static func list(_ names: [String], limit: Int = namedLimit) -> String {
        let rest = names.count > limit ? ", and \(names.count - limit) more" : ""
        return names.prefix(limit).joined(separator: ", ") + rest
    }

    // MARK: As verdicts

    /// The verdicts: each expectation, each request that nothing answered, and, where there is none, that all were.
    package var cases: [Report.Case] {
        var cases = results.map { result in
            let lines = (result.failure?.text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            let isMiss = result.failure?.kind == .unmatched
            var verdict = Report.Case(
                isMiss ? "unmatched \(result.name.dropLast(" is answered".count))" : "expected \(result.name)",
                isMiss ? "is answered" : "came", result.failure == nil ? .pass : .fail,
                expected: isMiss ? "a fixture that answers" : result.name, seen: lines.first.map(String.init) ?? "")
            if lines.count > 1 {
                verdict.details = [("detail", lines.dropFirst().joined(separator: "\n"))]
            }
            return verdict
        }
        if misses == 0 {
            cases.insert(Report.Case("matched", "every request is answered by a fixture", .pass), at: 0)
        }
        var requests = Report.Case("requests", "what came is counted", .pass, seen: summary)
        requests.members = [
            .init(name: "requests", value: .integer(self.requests)), .init(name: "unmatched", value: .integer(misses)),
            .init(name: "traffic", value: .array(traffic.map(Self.node))),
            .init(name: "neverUsed", value: .array(coverage.dead.map { .string($0.label) })),
            .init(
                name: "unfinished",
                value: .array(coverage.fixtures.filter { $0.unfinished != nil }.map { .string($0.label) })),
        ]
        requests.note = notes.joined(separator: "; ")
        return cases + [requests]
    }

    private static func node(_ traffic: RunTally.Traffic) -> JSONNode {
        .object([
            "protocol": .string(traffic.protocolName), "tls": .bool(traffic.isEncrypted),
            "requests": .integer(traffic.requests), "connections": .integer(traffic.connections),
        ])
    }

    /// The facts beside the verdicts, by their names.
    package var facts: [(name: String, value: String)] {
        let unfinished = coverage.fixtures.filter { $0.unfinished != nil }
        let facts = [
            ("requests", "\(requests)"), ("matched", "\(requests - misses)"), ("unmatched", "\(misses)"),
            ("stubs", "\(coverage.fixtures.count)"), ("used", "\(coverage.fixtures.count - coverage.dead.count)"),
            ("neverUsed", Self.list(coverage.dead.map(\.label), limit: 100)),
            ("unfinished", Self.list(unfinished.map(\.label), limit: 100)),
            (
                "traffic",
                traffic.map { "\(Self.text($0)), \(Counts.count($0.requests, "request"))" }.joined(separator: "; ")
            ), ("coverage", Coverage.text(coverage.percent)),
        ]
        return facts.filter { !$0.1.isEmpty }.map { (name: $0.0, value: $0.1) }
    }
}
