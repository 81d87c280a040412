// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer
import MockapiFixtures
import MockapiHTTPSyntax
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
    package let refusals: Int
    /// Requests that browsers make on their own, and that match nothing: not a failure.
    package let asides: Int
    package let traffic: [RunTally.Traffic]
    package let coverage: Coverage
    /// The results of the expectations, and the unmatched requests.
    package let results: [VerificationResult]

    /// - Parameters:
    ///   - servers: those that the command was given, with their tallies.
    ///   - coverage: of this run.
    package init(
        directory: String, servers: [MockServer], tallies: [RunTally], coverage: Coverage,
        allowances: Allowances
    ) {
        self.directory = directory
        self.coverage = coverage
        requests = tallies.reduce(0) { $0 + $1.requests }
        misses = tallies.reduce(0) { $0 + $1.misses }
        refusals = tallies.reduce(0) { $0 + $1.refusals }
        asides = servers.reduce(0) { $0 + $1.asides }
        traffic = Self.sum(tallies.flatMap(\.traffic))
        let results = MockServer.verification(
            of: servers, allowsUnmatched: allowances.unmatched, allowsUnanswered: allowances.unanswered)
        self.results = results + (allowances.noRequests ? [] : Self.unasked(servers, tallies))
    }

    /// Events that are allowed although they mostly are failures.
    package struct Allowances: Sendable {
        /// Requests that match no fixture, and messages that are refused.
        package var unmatched: Bool
        /// Fixtures that match and have no response to give.
        package var unanswered: Bool
        /// A command that asks for nothing.
        package var noRequests: Bool

        package init(unmatched: Bool = false, unanswered: Bool = false, noRequests: Bool = false) {
            self.unmatched = unmatched
            self.unanswered = unanswered
            self.noRequests = noRequests
        }
    }

    private static func unasked(_ servers: [MockServer], _ tallies: [RunTally]) -> [VerificationResult] {
        let led = ProxyVariables().first.map { name in
            " \(name) names a proxy, which a client that does not read no_proxy uses instead"
        }
        return tallies.enumerated().compactMap { index, tally in
            guard tally.requests == 0 else { return nil }
            let shard = tallies.count > 1 ? "shard \(index + 1): " : ""
            return VerificationResult(
                name: "\(shard)the command sends a request to the server",
                failure: VerificationFailure(
                    kind: .unasked,
                    text: "\(shard)the command sent no request to this server; is it given MOCKAPI_URL?\(led ?? "")",
                    callSite: nil))
        }
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

    /// Whether the requests keep the contract.
    package var isKept: Bool { results.allSatisfy { $0.failure == nil } }

    // MARK: In words

    /// `31 requests, 31 matched · 40 of 412 stubs used · HTTP/2 on 1 connection`.
    package var summary: String {
        var parts = ["\(Counts.count(requests, "request")), \(requests - misses - refusals) matched"]
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

    /// Sequences with steps that were left, and unused fixtures; a line each.
    package var notes: [String] { notes(namesUnused: true) }

    /// - Parameter namesUnused: false if a report on coverage names unused fixtures.
    package func notes(namesUnused: Bool) -> [String] {
        let unfinished = coverage.fixtures.compactMap { fixture in
            fixture.unfinished.map { "\(fixture.label): \($0.given) of \($0.steps) steps" }
        }
        let dead = coverage.dead.map(\.label)
        var notes: [String] = []
        if asides > 0 {
            notes.append(
                "requested by a browser itself, and not a failure: \(Counts.count(asides, "request")) such as /favicon.ico"
            )
        }
        if !unfinished.isEmpty { notes.append("sequences not finished: \(Self.list(unfinished))") }
        if namesUnused, !dead.isEmpty { notes.append("never used: \(Self.list(dead))") }
        return notes
    }

    private static func list(_ names: [String], limit: Int = namedLimit) -> String {
        let rest = names.count > limit ? ", and \(names.count - limit) more" : ""
        return names.prefix(limit).joined(separator: ", ") + rest
    }

    // MARK: As verdicts

    /// The verdicts: each expectation, each unmatched request, and, if there is none, that all were matched.
    package var cases: [Report.Case] {
        var cases = results.map { result in
            let lines = (result.failure?.text ?? "").split(ascii: "\n", omittingEmptySubsequences: false)
            let (name, title, expected) = Self.names(of: result)
            var verdict = Report.Case(
                name, title, result.failure == nil ? .pass : .fail, expected: expected,
                seen: lines.first.map(String.init) ?? "")
            if lines.count > 1 {
                verdict.details = [("detail", lines.dropFirst().joined(separator: "\n"))]
            }
            return verdict
        }
        if misses == 0, refusals == 0, !results.contains(where: { $0.failure?.kind == .unanswered }) {
            cases.insert(Report.Case("matched", "every request is answered by a fixture", .pass), at: 0)
        }
        var requests = Report.Case("requests", "what came is counted", .pass, seen: summary)
        requests.members = [
            .init(name: "requests", value: .integer(self.requests)), .init(name: "unmatched", value: .integer(misses)),
            .init(name: "refused", value: .integer(refusals)),
            .init(name: "traffic", value: .array(traffic.map(Self.node))),
            .init(name: "neverUsed", value: .array(coverage.dead.map { .string($0.label) })),
            .init(
                name: "unfinished",
                value: .array(coverage.fixtures.filter { $0.unfinished != nil }.map { .string($0.label) })),
        ]
        requests.note = notes.joined(separator: "; ")
        return cases + [requests]
    }

    private static func names(of result: VerificationResult) -> (name: String, title: String, expected: String) {
        switch result.failure?.kind {
        case .unmatched: ("unmatched \(result.name.dropLast(" is answered"))", "is answered", "a fixture that answers")
        case .refused: ("refused \(result.name.dropLast(" is accepted"))", "is accepted", "a message that is HTTP")
        case .unanswered:
            (
                "unanswered \(result.name.dropLast(" is answered"))", "is answered as the fixture says",
                "the fixture's answer"
            )
        case .unasked: ("asked", result.name, "a request")
        case .expectation, .unused, .expired, .recording, .fixtures, nil:
            ("expected \(result.name)", "came", result.name)
        }
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
            ("requests", "\(requests)"), ("matched", "\(requests - misses - refusals)"), ("unmatched", "\(misses)"),
            ("stubs", "\(coverage.fixtures.count)"), ("used", "\(coverage.fixtures.count - coverage.dead.count)"),
            ("neverUsed", coverage.dead.isEmpty ? "" : "\(coverage.dead.count)"),
            ("unfinished", unfinished.isEmpty ? "" : "\(unfinished.count)"),
            (
                "traffic",
                traffic.map { "\(Self.text($0)), \(Counts.count($0.requests, "request"))" }.joined(separator: "; ")
            ), ("coverage", Coverage.text(coverage.percent)),
        ]
        return facts.filter { !$0.1.isEmpty }.map { (name: $0.0, value: $0.1) }
    }
}

extension String {
    /// Without this end, if it has it.
    fileprivate func dropLast(_ end: String) -> String {
        utf8.count >= end.utf8.count && hasSuffix(end)
            ? String(self[..<utf8.index(endIndex, offsetBy: -end.utf8.count)]) : self
    }
}
