// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPMessage
import HTTPWire
import StubMatching

/// Finds what answers a request, from one load of the fixtures; on any thread.
struct Judge: Sendable {
    let fixtures: ServedFixtures
    let core: ServerCore

    enum Verdict: Sendable {
        /// The stub, the answer that was claimed of it, and whether a repetition of the request would have the same.
        case stub(Int, PreparedResponse, isLasting: Bool)
        case file(Int)
        case other(Responder.Answer)
        /// No fixture answers, and the request is to be passed on.
        case passesOn
    }

    func verdict(on head: borrowing RequestHead, _ body: [UInt8], scratch: MatchScratch) -> Verdict {
        if head.equals(head.method, "CONNECT") {
            return .other(
                Responder.Answer(
                    plan: PlainAnswer.text(501, "this server is no proxy: CONNECT is not implemented\n"),
                    outcome: .miss))
        }
        var attempt = 1
        while true {
            var choice = StubChoice(fixtures, isOfOneMoment: attempt < StubChoice.attempts)
            let result = fixtures.index.match(
                head, body: body, matchesAnyHost: core.identity.isNamed(by: head), scratch: scratch, keepsBody: true
            ) { choice.takes($0) }
            if !choice.isOutdated(after: result.outcome) { return verdict(on: head, body, result, choice, scratch) }
            scratch.dropBody()
            attempt += 1
        }
    }

    private func verdict(
        on head: borrowing RequestHead, _ body: [UInt8], _ result: MatchResult, _ choice: StubChoice,
        _ scratch: MatchScratch
    ) -> Verdict {
        switch result.outcome {
        case .stub(let ordinal):
            let stub = fixtures.stubs[ordinal]
            // A sequence gives another answer next time, and so does one that has come to its end once it starts again, or a scenario.
            let isLasting = choice.passedOver.isEmpty && stub.sequence == nil && stub.scenario == nil
            return .stub(ordinal, choice.claimed ?? stub.first, isLasting: isLasting)
        case .file(let ordinal): return .file(ordinal)
        case .none:
            defer { scratch.dropBody() }
            return unmatched(head, body, choice, result, scratch)
        }
    }

    /// The stub that a verdict names where code computes its answers; nil where none does.
    func computed(_ verdict: Verdict) -> ComputedStub? {
        guard case .stub(let ordinal, _, _) = verdict else { return nil }
        return fixtures.stubs[ordinal].handler.map { ComputedStub(ordinal: ordinal, handler: $0) }
    }

    /// The stub that a verdict names where it serves a collection; nil where it does not.
    func resource(_ verdict: Verdict) -> ResourceStub? {
        guard case .stub(let ordinal, _, _) = verdict else { return nil }
        return fixtures.stubs[ordinal].resource.map { ResourceStub(ordinal: ordinal, collection: $0) }
    }

    /// Explains what was nearest, or says which methods the target has.
    private func unmatched(
        _ head: borrowing RequestHead, _ body: [UInt8], _ choice: StubChoice, _ result: MatchResult,
        _ scratch: MatchScratch
    ) -> Verdict {
        if let fallback = core.fallback, let answer = fallback(head.string(head.method), head.string(head.target), body)
        {
            return .other(
                Responder.Answer(plan: answer.plan(for: head.version), outcome: .miss, isNoted: answer.isNoted))
        }
        if core.passage != nil { return .passesOn }
        let methods = fixtures.allowedMethods(head, identity: core.identity, scratch: scratch)
        if head.equals(head.method, "OPTIONS"), !methods.isEmpty {
            return .other(
                Responder.Answer(
                    plan: PlainAnswer.options(methods), outcome: .miss, reason: CrossOrigin.hint(head)))
        }
        if methods.isEmpty, head.equals(head.method, "TRACE") {
            return .other(
                Responder.Answer(plan: PlainAnswer.text(501, "TRACE is not implemented\n"), outcome: .miss))
        }
        var miss = fixtures.miss(
            head, body, identity: core.identity, methods: methods, scratch: scratch, reusesBody: true)
        miss.tell(choice, states: fixtures.scenarios)
        miss.exceeding = result.exceedingPatterns
        miss.exceedingComparisons = result.exceedingComparisons
        miss.hasTooManyValues = result.hasTooManyValues
        let page = IndexPage.plan(for: head, fixtures.set, core.identity)
        return .other(
            Responder.Answer(
                plan: page ?? MissReport(miss).plan(for: head), outcome: .miss, miss: miss,
                reason: CrossOrigin.hint(head)))
    }
}
