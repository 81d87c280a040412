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
        verification(allowsUnmatched: allowsUnmatched).compactMap(\.failure)
    }

    /// Each expectation, and each request that nothing answered, with what is wrong with it.
    package func verification(allowsUnmatched: Bool) -> [VerificationResult] {
        let entries = journal.entries
        var verifier = Verifier(entries)
        var results = expectations.withLock { $0 }.map { expectation in
            VerificationResult(name: expectation.description, failure: verifier.check(expectation))
        }
        if !allowsUnmatched {
            results += entries.filter { $0.answer == .unmatched && !verifier.expected.contains($0.sequence) }.map {
                entry in
                VerificationResult(
                    name: "\(entry.request.method.rawValue) \(entry.target) is answered",
                    failure: VerificationFailure(kind: .unmatched, text: explanation(of: entry), place: nil))
            }
        }
        return results
    }
}
