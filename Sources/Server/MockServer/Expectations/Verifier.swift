// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockapiFixtures
import MockapiStubMatching

/// Describes an expectation that has not come true: the verdict is the judge's, and the requests are shown as far as they are kept.
struct Verifier {
    /// A server's record of the requests that came to it, and its judge's counts.
    struct Evidence {
        let entries: [JournalEntry]
        /// How many are gone.
        let lost: Int
        let state: ExpectationSummary
        /// `shard 2: ` if there are several servers.
        var label = ""
    }

    private let evidence: [Evidence]
    private let entries: [JournalEntry]

    /// - Parameter evidence: of each server.
    init(_ evidence: [Evidence]) {
        self.evidence = evidence
        var entries = evidence.flatMap(\.entries).filter { $0.outcome != .refused }
        if evidence.count > 1 {
            entries.sort { $0.receivedAt < $1.receivedAt }
            for index in entries.indices { entries[index].sequence = UInt64(index + 1) }
        }
        self.entries = entries
    }

    private init(_ evidence: Evidence) {
        self.evidence = [evidence]
        entries = evidence.entries.filter { $0.outcome != .refused }
    }

    /// - Returns: nil if it came true.
    func failure() -> VerificationFailure? {
        let states = evidence.map(\.state)
        guard let expectation = states.first?.expectation else { return nil }
        let text: String?
        switch ExpectationSummary.verdict(states) {
        case .met: return nil
        case .undecided: text = undecided(expectation)
        case .broken:
            do throws(MockServerError) {
                text = try broken(expectation)
            } catch {
                text = "this cannot be expected: \(error)"
            }
        }
        return text.map { VerificationFailure(kind: .expectation, text: $0, callSite: expectation.callSite) }
    }

    private func undecided(_ expectation: Expectation) -> String {
        let lost = evidence.reduce(0) { $0 + $1.state.lost }
        var reasons: [String] = []
        if lost > 0 {
            let kept = evidence.reduce(0) { $0 + $1.entries.count }
            reasons.append("when this was expected, the journal held the last \(kept) of \(kept + lost) requests")
        }
        let partial = evidence.reduce(0) { $0 + $1.state.partial }
        if partial > 0 {
            let entry = entries.first { $0.body.count < $0.bodySize }
            let part =
                entry.map { ", such as \($0.body.count) of \($0.bodySize) bytes of request \($0.sequence)" } ?? ""
            reasons.append("the journal has the bodies of \(Counts.count(partial, "request")) in part\(part)")
        }
        return """
            expected \(expectation), which cannot be judged: \(reasons.joined(separator: ", and "))
            What is expected before the requests come is counted then; or have the journal keep more: journalLimit.
            """
    }

    private func broken(_ expectation: Expectation) throws(MockServerError) -> String? {
        switch expectation.kind {
        case .count(let match, let count, let wire):
            return try checkCount(match, count, wire, within: expectation.limit)
        case .order(let matches):
            guard evidence.count > 1 else { return try checkOrder(matches) }
        case .oneConnection(let match):
            guard evidence.count > 1 else { return try checkConnections(match) }
        }
        let asked = evidence.first { $0.state.found > 0 && $0.state.verdict == .broken }
        guard let one = asked ?? evidence.first else { return nil }
        return try Verifier(one).broken(expectation).map { one.label + $0 }
    }

    private func checkCount(
        _ match: RequestMatch, _ count: RequestCount, _ wire: WireProtocol?, within limit: Duration?
    ) throws(MockServerError) -> String? {
        let search = try RequestSearch(match)
        let found = entries.filter(search.matches)
        let shown = found.filter { wire == nil || $0.protocolName == wire?.rawValue }
        let counted = evidence.reduce(0) { $0 + $1.state.counted }
        let all = evidence.reduce(0) { $0 + $1.state.found }
        let over = wire.map { " over \($0)" } ?? ""
        let within = limit.map { " within \($0)" } ?? ""
        var lines = ["expected \(match)\(over) \(count)\(within), but it came \(Self.times(counted))"]
        if counted < all {
            let other = found.first { $0.protocolName != wire?.rawValue }?.protocolName ?? "another protocol"
            lines.append("Over \(other) it came \(Self.times(all - counted)).")
        } else if counted == 0 {
            lines += nearest(search)
        } else {
            lines += shown.prefix(Self.shown).map { "     \(Self.line($0))" }
            lines += Self.rest(counted, of: min(shown.count, Self.shown))
        }
        return lines.joined(separator: "\n")
    }

    private func checkOrder(_ matches: [RequestMatch]) throws(MockServerError) -> String? {
        guard !matches.isEmpty else { return "expected an order of no requests, which says nothing" }
        var start = entries.startIndex
        for (index, match) in matches.enumerated() {
            let search = try RequestSearch(match)
            guard let found = entries[start...].firstIndex(where: search.matches) else {
                let after = index == 0 ? "" : " after \(matches[index - 1])"
                let before = entries[..<start].contains(where: search.matches) ? ", only before it" : ""
                let heading = "expected \(match)\(after), but it did not come\(before)"
                return ([heading] + Self.list(entries)).joined(separator: "\n")
            }
            start = found + 1
        }
        return "expected \(matches.map(\.description).joined(separator: ", then ")), which came in another order"
    }

    private func checkConnections(_ match: RequestMatch?) throws(MockServerError) -> String? {
        var found = entries
        if let match {
            let search = try RequestSearch(match)
            found = entries.filter(search.matches)
        }
        let connections = evidence.reduce(0) { $0 + $1.state.connections.count }
        let count = evidence.reduce(0) { $0 + $1.state.found }
        let what = match.map { "\($0)" } ?? "all requests"
        if count == 0 { return "expected \(what) on one connection, but none came" }
        let heading = "expected \(what) on one connection, but \(count) came on \(connections)"
        return ([heading] + Self.list(found)).joined(separator: "\n")
    }

    /// How many requests a failure lists.
    private static let shown = 10

    private func nearest(_ search: RequestSearch) -> [String] {
        guard !entries.isEmpty else { return ["No request came."] }
        guard let nearest = search.nearest(of: entries) else { return Self.list(entries) }
        return ["Nearest of \(Counts.count(entries.count, "request")): \(Self.line(nearest.entry))"]
            + nearest.differences.map { "     \($0)" }
    }

    private static func list(_ entries: [JournalEntry]) -> [String] {
        if entries.isEmpty { return ["No request came."] }
        return ["Requests:"] + entries.prefix(shown).map { "     \(line($0))" } + rest(entries.count)
    }

    private static func rest(_ count: Int, of told: Int = shown) -> [String] {
        count > told ? ["     and \(count - told) more"] : []
    }

    static func line(_ entry: JournalEntry) -> String {
        let stream = entry.stream.map { " s\($0)" } ?? ""
        let request = "\(entry.request.method.rawValue) \(Confidential.target(entry.target))".printable
        return "\(entry.sequence). \(request) \(entry.protocolName)"
            + " c\(entry.connection)\(stream) \(entry.status)"
    }

    private static func times(_ count: Int) -> String {
        count == 1 ? "once" : "\(count) times"
    }
}
