// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPMessage
import HTTPServer
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
        /// An answer of a stub with further lines, and not the same for a repetition of the request.
        indirect case marked(Verdict, [WireField])
        /// No fixture answers, and the request is to be passed on.
        case passesOn
    }

    func verdict(
        on head: borrowing RequestHead, _ body: [UInt8], from peer: SocketAddress, scratch: MatchScratch
    ) -> Verdict {
        if head.equals(head.method, "CONNECT") {
            return .other(
                Responder.Answer(
                    plan: PlainAnswer.text(501, "this server is no proxy: CONNECT is not implemented\n"),
                    outcome: .miss))
        }
        var claimed: PreparedResponse?
        var exhausted: [Int] = []
        var admission = StubAdmission(fixtures, from: peer, seed: core.seed)
        let result = fixtures.index.match(
            head, body: body, matchesAnyHost: core.identity.isNamed(by: head), scratch: scratch, keepsBody: true
        ) { ordinal in
            switch admission.ask(ordinal, head, body) {
            case .open: break
            case .passes: return false
            case .closed: return true
            }
            claimed = fixtures.claim(ordinal)
            if claimed == nil { exhausted.append(ordinal) }
            return claimed != nil
        }
        let verdict =
            admission.refusal.map { Verdict.other($0) } ?? self.verdict(result, claimed, exhausted, head, body, scratch)
        return admission.fields.map { .marked(verdict, $0) } ?? verdict
    }

    private func verdict(
        _ result: MatchResult, _ claimed: PreparedResponse?, _ exhausted: [Int], _ head: borrowing RequestHead,
        _ body: [UInt8], _ scratch: MatchScratch
    ) -> Verdict {
        switch result.outcome {
        case .stub(let ordinal):
            let stub = fixtures.stubs[ordinal]
            // A sequence gives another answer next time, and so does one that has come to its end once it starts again.
            let isLasting = exhausted.isEmpty && stub.sequence == nil
            return .stub(ordinal, claimed ?? stub.first, isLasting: isLasting)
        case .file(let ordinal): return .file(ordinal)
        case .none:
            defer { scratch.dropBody() }
            return unmatched(head, body, exhausted, result, scratch)
        }
    }

    /// The stub that a verdict names where code computes its answers; nil where none does.
    func computed(_ verdict: Verdict) -> ComputedStub? {
        switch verdict {
        case .stub(let ordinal, _, _):
            return fixtures.stubs[ordinal].handler.map { ComputedStub(ordinal: ordinal, handler: $0) }
        case .marked(let verdict, let fields):
            guard var stub = computed(verdict) else { return nil }
            stub.fields += fields
            return stub
        case .file, .other, .passesOn: return nil
        }
    }

    /// The stub that a verdict names where another server answers; nil where none does.
    func proxied(_ verdict: Verdict) -> ProxiedStub? {
        switch verdict {
        case .stub(let ordinal, let response, _):
            return response.proxy.map {
                ProxiedStub(ordinal: ordinal, response: response, target: $0, fixtures: fixtures)
            }
        case .marked(let verdict, let fields):
            guard var stub = proxied(verdict) else { return nil }
            stub.fields += fields
            return stub
        case .file, .other, .passesOn: return nil
        }
    }

    /// Explains what was nearest, or says which methods the target has.
    private func unmatched(
        _ head: borrowing RequestHead, _ body: [UInt8], _ exhausted: [Int], _ result: MatchResult,
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
        miss.exhausted = exhausted
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
