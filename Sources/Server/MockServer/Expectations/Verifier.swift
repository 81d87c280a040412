// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockapiFixtures
import MockapiStubMatching

/// Holds the requests that came against what was expected of them.
struct Verifier {
    private let entries: [JournalEntry]
    /// The requests that some expectation asks for, by their numbers.
    private(set) var expected: Set<UInt64> = []

    init(_ entries: [JournalEntry]) {
        self.entries = entries
    }

    /// - Returns: nil where it came true.
    mutating func check(_ expectation: Expectation) -> VerificationFailure? {
        let text: String?
        do throws(MockServerError) {
            text =
                switch expectation.kind {
                case .count(let match, let count, let wire):
                    try checkCount(match, count, wire, within: expectation.limit)
                case .order(let matches): try checkOrder(matches)
                case .oneConnection(let match): try checkConnections(match)
                }
        } catch {
            text = "this cannot be expected: \(error)"
        }
        return text.map { VerificationFailure(kind: .expectation, text: $0, callSite: expectation.callSite) }
    }

    private mutating func checkCount(
        _ match: RequestMatch, _ count: RequestCount, _ wire: WireProtocol?, within limit: Duration?
    ) throws(MockServerError) -> String? {
        let search = try RequestSearch(match)
        let found = entries.filter(search.matches)
        expected.formUnion(found.map(\.sequence))
        let counted = found.filter { wire == nil || $0.protocolName == wire?.rawValue }
        if count.contains(counted.count) { return nil }
        let over = wire.map { " over \($0)" } ?? ""
        let within = limit.map { " within \($0)" } ?? ""
        var lines = ["expected \(match)\(over) \(count)\(within), but it came \(Self.times(counted.count))"]
        if counted.count < found.count {
            let others = found.filter { $0.protocolName != wire?.rawValue }
            lines.append("Over \(others[0].protocolName) it came \(Self.times(others.count)).")
        } else if counted.isEmpty {
            lines += nearest(search)
        } else {
            lines += counted.prefix(Self.shown).map { "     \(Self.line($0))" } + Self.rest(counted.count)
        }
        return lines.joined(separator: "\n")
    }

    private mutating func checkOrder(_ matches: [RequestMatch]) throws(MockServerError) -> String? {
        var start = entries.startIndex
        for (index, match) in matches.enumerated() {
            let search = try RequestSearch(match)
            guard let found = entries[start...].firstIndex(where: search.matches) else {
                let after = index == 0 ? "" : " after \(matches[index - 1])"
                let before = entries[..<start].contains(where: search.matches) ? ", only before it" : ""
                let heading = "expected \(match)\(after), but it did not come\(before)"
                return ([heading] + Self.list(entries)).joined(separator: "\n")
            }
            expected.insert(entries[found].sequence)
            start = found + 1
        }
        return nil
    }

    private mutating func checkConnections(_ match: RequestMatch?) throws(MockServerError) -> String? {
        var found = entries
        if let match {
            let search = try RequestSearch(match)
            found = entries.filter(search.matches)
            expected.formUnion(found.map(\.sequence))
        }
        let connections = Set(found.map(\.connection)).count
        if connections == 1 { return nil }
        let what = match.map { "\($0)" } ?? "all requests"
        if found.isEmpty { return "expected \(what) on one connection, but none came" }
        let heading = "expected \(what) on one connection, but \(found.count) came on \(connections)"
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
        return ["What came:"] + entries.prefix(shown).map { "     \(line($0))" } + rest(entries.count)
    }

    private static func rest(_ count: Int) -> [String] {
        count > shown ? ["     and \(count - shown) more"] : []
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
