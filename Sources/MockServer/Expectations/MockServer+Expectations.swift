// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

extension MockServer {
    /// Expects requests; `verify` tells whether they came.
    ///
    ///     server.expect(.get("/api/contents").header("Accept", .contains("json")), .once, over: .http2)
    public func expect(
        _ match: RequestMatch, _ count: RequestCount = .atLeast(1), over wire: WireProtocol? = nil,
        at place: SourcePlace
    ) {
        expectations.withLock { $0.append(Expectation(kind: .count(match, count, wire), place: place)) }
    }

    /// Expects requests to come one after the other; others may come between them.
    public func expectInOrder(_ matches: [RequestMatch], at place: SourcePlace) {
        expectations.withLock { $0.append(Expectation(kind: .order(matches), place: place)) }
    }

    /// Expects requests to come on one connection.
    ///
    /// - Parameter match: which; nil for all.
    public func expectOneConnection(_ match: RequestMatch? = nil, at place: SourcePlace) {
        expectations.withLock { $0.append(Expectation(kind: .oneConnection(match), place: place)) }
    }

    /// What of all that was expected did not come true, and which requests nothing answered.
    ///
    /// A request that an expectation asks for is not reported for having no answer.
    /// - Parameter allowsUnmatched: whether requests that nothing answers are no failure.
    public func verify(allowsUnmatched: Bool = false) -> [VerificationFailure] {
        let entries = journal.entries
        var verifier = Verifier(entries)
        var failures = expectations.withLock { $0 }.compactMap { verifier.check($0) }
        if !allowsUnmatched {
            failures += entries.filter { $0.answer == .unmatched && !verifier.expected.contains($0.sequence) }.map {
                VerificationFailure(kind: .unmatched, text: explanation(of: $0), place: nil)
            }
        }
        return failures
    }
}
