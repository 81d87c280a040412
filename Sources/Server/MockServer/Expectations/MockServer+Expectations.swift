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
        at callSite: CallSite
    ) {
        expectations.withLock { $0.append(Expectation(.count(match, count, wire), at: callSite)) }
    }

    /// Waits until as many requests have come as are expected; `verify` tells where they did not.
    ///
    /// A count that allows for none, such as `.never`, is waited for until the time is over. Requests that come later count, too: what was
    /// expected once must not come again.
    /// - Returns: the requests that have come.
    /// - Throws: `CancellationError`.
    @discardableResult
    public func expect(
        _ match: RequestMatch, _ count: RequestCount = .atLeast(1), over wire: WireProtocol? = nil,
        within limit: Duration, at callSite: CallSite
    ) async throws -> [JournalEntry] {
        try await wait(for: match, count, over: wire, within: limit, at: callSite, isTold: false).entries
    }

    /// The same, with what is wrong.
    ///
    /// - Parameter isTold: whether the caller tells of a failure, so that nobody else has to.
    package func wait(
        for match: RequestMatch, _ count: RequestCount, over wire: WireProtocol?, within limit: Duration,
        at callSite: CallSite, isTold: Bool
    ) async throws -> (entries: [JournalEntry], failure: VerificationFailure?) {
        var expectation = Expectation(.count(match, count, wire), at: callSite)
        expectation.limit = limit
        var came: [JournalEntry] = []
        if let search = try? RequestSearch(match) {
            _ = try await journal.arrivals.wait(limit) {
                came = journal.entries.filter { entry in
                    search.matches(entry) && (wire == nil || entry.protocolName == wire?.rawValue)
                }
                return count.isDecided(by: came.count)
            }
        }
        var verifier = Verifier(journal.entries)
        let failure = verifier.check(expectation)
        expectation.settled = failure?.told(isTold)
        expectations.withLock { $0.append(expectation) }
        return (came, failure)
    }

    /// Expects requests to come one after the other; others may come between them.
    public func expectInOrder(_ matches: [RequestMatch], at callSite: CallSite) {
        expectations.withLock { $0.append(Expectation(.order(matches), at: callSite)) }
    }

    /// Expects requests to come on one connection.
    ///
    /// - Parameter match: which; nil for all.
    public func expectOneConnection(_ match: RequestMatch? = nil, at callSite: CallSite) {
        expectations.withLock { $0.append(Expectation(.oneConnection(match), at: callSite)) }
    }

    /// The expectations that were not met, and the requests that nothing answered.
    ///
    /// A request that an expectation asks for is not reported for having no response.
    /// - Parameters:
    ///   - allowsUnmatched: whether requests that nothing answers are no failure.
    ///   - stubs: which stubs have to be used.
    public func verify(allowsUnmatched: Bool = false, verifying stubs: StubVerification = .none)
        -> [VerificationFailure]
    {
        isVerified.store(true, ordering: .relaxed)
        return verification(allowsUnmatched: allowsUnmatched, verifying: stubs).compactMap(\.failure)
    }

    /// Whether somebody waits for a request.
    package var isWaitedOn: Bool { journal.arrivals.hasListeners }

    /// Waits for requests that were expected and have not come, and notes of those that come now that they are late.
    package func noteLate(within limit: Duration) async {
        let deadline = ContinuousClock.now + limit
        for (index, expectation) in expectations.withLock({ $0 }).enumerated() where expectation.settled == nil {
            guard case .count(let match, let count, let wire) = expectation.kind, let search = try? RequestSearch(match)
            else { continue }
            func came() -> Int {
                journal.entries.count { entry in
                    search.matches(entry) && (wire == nil || entry.protocolName == wire?.rawValue)
                }
            }
            let rest = max(.zero, deadline - .now)
            guard count.isShort(came()), (try? await journal.arrivals.wait(rest) { !count.isShort(came()) }) == true
            else { continue }
            let text =
                "expected \(match) \(count), but it came only when the test had ended: "
                + "try await expect(…, within: .seconds(2)) waits for it"
            expectations.withLock {
                $0[index].settled = VerificationFailure(kind: .expectation, text: text, callSite: expectation.callSite)
            }
        }
    }

    /// Each expectation, and each request that nothing answered, with what is wrong with it.
    ///
    /// - Parameters:
    ///   - age: how old recordings may be that have answered; nil for any.
    ///   - now: in seconds since 1970.
    package func verification(
        allowsUnmatched: Bool, verifying stubs: StubVerification = .none, age: RecordingAge? = nil, now: Double = 0
    ) -> [VerificationResult] {
        var results = Self.verification(
            of: [self], against: expectations.withLock { $0 }, allowsUnmatched: allowsUnmatched)
        let usage = StubUsage(self.stubs, journal.entries, total: journal.total)
        if let result = usage.unused(stubs) { results.append(result) }
        if let age { results += usage.expired(age, now: now) }
        return results
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
            let failure = verifier.check(expectation)
            return VerificationResult(name: expectation.description, failure: expectation.settled ?? failure)
        }
        guard !allowsUnmatched else { return results }
        for (server, entry) in entries
        where entry.outcome == .unmatched && !verifier.expected.contains(entry.sequence) {
            results.append(
                VerificationResult(
                    name: "\(entry.request.method.rawValue) \(entry.target) is answered",
                    failure: VerificationFailure(kind: .unmatched, text: server.explanation(of: entry), callSite: nil)))
        }
        return results
    }
}
