// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import Synchronization

extension MockServer {
    /// Expects requests; `verify` tells whether they came.
    ///
    ///     server.expect(.get("/api/contents").header("Accept", .contains("json")), .once, over: .http2)
    public func expect(
        _ match: RequestMatch, _ count: RequestCount = .atLeast(1), over wire: WireProtocol? = nil,
        at place: SourcePlace
    ) {
        expectations.withLock { $0.append(Expectation(.count(match, count, wire), at: place)) }
    }

    /// Expects requests to come one after the other; others may come between them.
    public func expectInOrder(_ matches: [RequestMatch], at place: SourcePlace) {
        expectations.withLock { $0.append(Expectation(.order(matches), at: place)) }
    }

    /// Expects requests to come on one connection.
    ///
    /// - Parameter match: which; nil for all.
    public func expectOneConnection(_ match: RequestMatch? = nil, at place: SourcePlace) {
        expectations.withLock { $0.append(Expectation(.oneConnection(match), at: place)) }
    }

    /// What of all that was expected did not come true, and which requests nothing answered.
    ///
    /// A request that an expectation asks for is not reported for having no answer.
    /// - Parameter allowsUnmatched: whether requests that nothing answers are no failure.
    public func verify(allowsUnmatched: Bool = false) -> [VerificationFailure] {
        verification(allowsUnmatched: allowsUnmatched).compactMap(\.failure)
    }

    /// Each expectation, and each request that nothing answered, with what is wrong with it.
    package func verification(allowsUnmatched: Bool) -> [VerificationResult] {
        Self.verification(
            of: [self], against: expectations.withLock { $0 }, allowsUnmatched: allowsUnmatched)
    }

    /// The same for the requests of several servers as if they had come to one.
    package static func verification(
        of servers: [MockServer], against expectations: [Expectation], allowsUnmatched: Bool
    ) -> [VerificationResult] {
        var entries = servers.flatMap { server in server.journal.entries.map { (server: server, entry: $0) } }
        if servers.count > 1 {
            entries.sort { $0.entry.receivedAt < $1.entry.receivedAt }
            for index in entries.indices { entries[index].entry.sequence = UInt64(index + 1) }
        }
        var verifier = Verifier(entries.map(\.entry))
        var results = expectations.map { expectation in
            VerificationResult(name: expectation.description, failure: verifier.check(expectation))
        }
        guard !allowsUnmatched else { return results }
        for (server, entry) in entries
        where entry.answer == .unmatched && !verifier.expected.contains(entry.sequence) {
            results.append(
                VerificationResult(
                    name: "\(entry.request.method.rawValue) \(entry.target) is answered",
                    failure: VerificationFailure(kind: .unmatched, text: server.explanation(of: entry), place: nil)))
        }
        return results
    }
}
