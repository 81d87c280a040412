// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockapiFixtures
import MockapiStubMatching
import Synchronization

extension MockServer {
    /// Expects requests; `verify` reports whether they came.
    ///
    ///     server.expect(.get("/api/contents").header("Accept", .contains("json")), .once, over: .http2)
    public func expect(
        _ match: RequestMatch, _ count: RequestCount = .atLeast(1), over wire: WireProtocol? = nil,
        at callSite: CallSite
    ) {
        expect(Expectation(.count(match, count, wire), at: callSite))
    }

    /// Waits until as many requests have come as are expected; `verify` reports it if they did not.
    ///
    /// A count that allows for none, such as `.never`, is waited for until the time is over. Requests that come later count, too: a request
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

    /// The same, with the failure.
    ///
    /// - Parameter isTold: whether the caller reports a failure, so that nobody else has to.
    package func wait(
        for match: RequestMatch, _ count: RequestCount, over wire: WireProtocol?, within limit: Duration,
        at callSite: CallSite, isTold: Bool
    ) async throws -> (entries: [JournalEntry], failure: VerificationFailure?) {
        var expectation = Expectation(.count(match, count, wire), at: callSite)
        expectation.limit = limit
        guard let judge = journal.judge else { return ([], Self.unjudged(expectation)) }
        let number = judge.expect(expectation, of: journal)
        do {
            _ = try await journal.arrivals.wait(limit) {
                judge.withStates { $0[number].error != nil || count.isDecided(by: $0[number].counted) }
            }
        } catch {
            judge.withStates { $0[number].isWithdrawn = true }
            throw error
        }
        let failure = Self.failure(number, of: [self])
        judge.withStates { $0[number].expectation.settled = failure?.told(isTold) }
        let search = try? RequestSearch(match)
        let came = journal.entries.filter { entry in
            entry.outcome != .refused && search?.matches(entry) == true
                && (wire == nil || entry.protocolName == wire?.rawValue)
        }
        return (came, failure)
    }

    /// Expects something of the requests that come from now on, and of those that the journal still has.
    package func expect(_ expectation: Expectation) {
        journal.judge?.expect(expectation, of: journal)
    }

    /// Expects requests to come one after the other; others may come between them.
    public func expectInOrder(_ matches: [RequestMatch], at callSite: CallSite) {
        expect(Expectation(.order(matches), at: callSite))
    }

    /// Expects requests to come on one connection.
    ///
    /// - Parameter match: which; nil for all.
    public func expectOneConnection(_ match: RequestMatch? = nil, at callSite: CallSite) {
        expect(Expectation(.oneConnection(match), at: callSite))
    }

    /// The unmet expectations, and the unmatched requests.
    ///
    /// A request that an expectation asks for is not reported for having no response.
    /// - Parameters:
    ///   - allowsUnmatched: whether unmatched requests, or requests whose stub could not respond as it says, are not failures.
    ///   - stubs: which stubs have to be used.
    public func verify(allowsUnmatched: Bool = false, verifying stubs: StubVerification = .none)
        -> [VerificationFailure]
    {
        isVerified.store(true, ordering: .relaxed)
        return verification(allowsUnmatched: allowsUnmatched, verifying: stubs).compactMap(\.failure)
    }

    /// How many requests browsers made on their own, such as `/favicon.ico`, that matched nothing.
    package var asides: Int { journal.judge?.asides ?? 0 }

    /// The requests that can still be read, oldest first, the first for each fixture among them, and how many are gone.
    package var evidence: (entries: [JournalEntry], lost: Int) {
        journal.judge?.evidence(of: journal) ?? journal.evidence
    }

    /// Whether somebody waits for a request.
    package var isWaitedOn: Bool { journal.arrivals.hasListeners }

    /// Waits for requests that were expected and have not come, and notes of those that come now that they are late.
    package func noteLate(within limit: Duration) async {
        guard let judge = journal.judge else { return }
        let deadline = ContinuousClock.now + limit
        let expectations: [Expectation] = judge.withStates { $0.map(\.expectation) }
        for (index, expectation) in expectations.enumerated() where expectation.settled == nil {
            guard case .count(let match, let count, _) = expectation.kind,
                judge.withStates({ $0[index].error == nil && $0[index].open == 0 && !$0[index].isWithdrawn })
            else { continue }
            func came() -> Int { judge.withStates { $0[index].counted } }
            let rest = max(.zero, deadline - .now)
            guard count.isShort(came()), (try? await journal.arrivals.wait(rest) { !count.isShort(came()) }) == true
            else { continue }
            let text =
                "expected \(match) \(count), but it came only when the test had ended: "
                + "try await expect(…, within: .seconds(2)) waits for it"
            judge.withStates {
                $0[index].expectation.settled = VerificationFailure(
                    kind: .expectation, text: text, callSite: expectation.callSite)
            }
        }
    }

    /// Each expectation, and each unmatched request, with its failure.
    ///
    /// - Parameters:
    ///   - age: how old recordings may be that were used; nil for any.
    ///   - now: in seconds since 1970.
    package func verification(
        allowsUnmatched: Bool, verifying stubs: StubVerification = .none, age: RecordingAge? = nil, now: Double = 0
    ) -> [VerificationResult] {
        var results = Self.verification(
            of: [self], allowsUnmatched: allowsUnmatched, allowsUnanswered: allowsUnmatched)
        let never = journal.judge?.withStates { $0.compactMap(\.expectation.never) } ?? []
        let usage = StubUsage(self.stubs, used: journal.judge?.usedStubs ?? [], never: never)
        if let result = usage.unused(stubs) { results.append(result) }
        if let age { results += usage.expired(age, now: now) }
        return results
    }

    /// The same for the requests of several servers with the same expectations.
    ///
    /// - Parameter allowsUnanswered: whether it is not a failure if a fixture matched and could not respond.
    package static func verification(
        of servers: [MockServer], allowsUnmatched: Bool, allowsUnanswered: Bool = true
    ) -> [VerificationResult] {
        var results: [VerificationResult] = []
        let states: [ExpectationSummary] = servers.first?.journal.judge?.withStates { $0.map(\.summary) } ?? []
        for (number, state) in states.enumerated() where !state.isWithdrawn {
            results.append(
                VerificationResult(
                    name: state.expectation.description,
                    failure: state.expectation.settled ?? failure(number, of: servers)))
        }
        for server in servers {
            results += server.problems(allowsUnmatched: allowsUnmatched, allowsUnanswered: allowsUnanswered)
        }
        return results
    }

    private static func failure(_ number: Int, of servers: [MockServer]) -> VerificationFailure? {
        var evidence: [Verifier.Evidence] = []
        for (index, server) in servers.enumerated() {
            guard let judge = server.journal.judge else { continue }
            let state = judge.withStates { $0[number].summary }
            let (entries, lost) = judge.evidence(of: server.journal)
            let label = servers.count > 1 ? "shard \(index + 1): " : ""
            evidence.append(Verifier.Evidence(entries: entries, lost: lost, state: state, label: label))
        }
        return Verifier(evidence).failure()
    }

    private static func unjudged(_ expectation: Expectation) -> VerificationFailure {
        VerificationFailure(
            kind: .expectation, text: "expected \(expectation), of a server that judges nothing",
            callSite: expectation.callSite)
    }

    /// The unmatched requests, and those whose fixture could not respond, as far as that is a failure.
    private func problems(allowsUnmatched: Bool, allowsUnanswered: Bool) -> [VerificationResult] {
        guard let judge = journal.judge else { return [] }
        let (told, counts) = judge.problems
        var isAllowed: Set<RequestJudge.Problem.Kind> = []
        if allowsUnmatched { isAllowed.formUnion([.unmatched, .refused]) }
        if allowsUnanswered { isAllowed.insert(.unanswered) }
        let failures = told.filter { !isAllowed.contains($0.kind) }
        guard !failures.isEmpty || counts.contains(where: { $1 > 0 && !isAllowed.contains($0) }) else { return [] }
        let entries = Dictionary(
            judge.evidence(of: journal).entries.map { ($0.sequence, $0) }, uniquingKeysWith: { first, _ in first })
        var results = failures.map { problem in
            result(problem, entries[problem.sequence])
        }
        for kind in RequestJudge.Problem.Kind.allCases where !isAllowed.contains(kind) {
            let more = counts[kind, default: 0] - failures.count { $0.kind == kind }
            guard more > 0 else { continue }
            let text = "\(Counts.count(more, "more request")), only counted: \(kind.title)"
            results.append(
                VerificationResult(
                    name: "\(Counts.count(more, "more request")): \(kind.title)",
                    failure: VerificationFailure(kind: kind.failure, text: text, callSite: nil)))
        }
        return results
    }

    private func result(_ problem: RequestJudge.Problem, _ entry: JournalEntry?) -> VerificationResult {
        let request =
            entry.map { "\($0.request.method.rawValue) \(Confidential.target($0.target))".printable }
            ?? "request \(problem.sequence)"
        let text: String
        var name = "\(request) is answered"
        switch problem.kind {
        case .unmatched:
            name = entry.map { "\($0.request.method.rawValue) \(Confidential.target($0.target)) is answered" } ?? name
            text = entry.map(explanation) ?? "\(request): nothing answers it"
        case .refused:
            let what = entry?.target.isEmpty == false ? request : "a message"
            name = "\(what) is accepted"
            text = "\(problem.status): \(what) was refused before it was matched: \(problem.reason)"
        case .unanswered:
            let place =
                switch entry?.outcome {
                case .stub(let file, let stub, _): stub.map { "\(file) (\"\($0)\")" } ?? file
                case .file(let file): file
                default: "a fixture"
                }
            text = "\(place) matched \(request), and could not respond as it says: \(problem.reason)".printable
        }
        return VerificationResult(
            name: name, failure: VerificationFailure(kind: problem.kind.failure, text: text, callSite: nil))
    }
}

extension RequestJudge.Problem.Kind {
    fileprivate var failure: VerificationFailure.Kind {
        switch self {
        case .unmatched: .unmatched
        case .refused: .refused
        case .unanswered: .unanswered
        }
    }

    fileprivate var title: String {
        switch self {
        case .unmatched: "nothing answers them"
        case .refused: "refused before they were matched"
        case .unanswered: "matched, and could not be answered"
        }
    }
}
