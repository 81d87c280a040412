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
        /// The stub, the answer that was claimed of it, and why that cannot be rendered.
        case unrendered(Int, PreparedResponse, TemplatedResponse.Failure)
        case file(Int)
        case other(Responder.Answer)
        /// An answer of a stub with further lines, and not the same for a repetition of the request.
        indirect case marked(Verdict, [WireField])
        /// No fixture answers, and the request is to be passed on.
        case passesOn
    }

    /// Bytes of a body that is judged on the loop it came by.
    func bodyLimit(of head: borrowing RequestHead) -> Int {
        let limit = JudgeQueue.bodyLimit(fixtures.index.bodyWeight(of: head))
        return fixtures.hasTemplates ? min(limit, JudgeQueue.bodyLimit) : limit
    }

    /// - Parameter connection: the one that the request came by.
    func verdict(
        on head: borrowing RequestHead, _ body: [UInt8], from connection: ConnectionInfo, scratch: MatchScratch
    ) -> Verdict {
        scratch.frozenMilliseconds = core.frozen
        if fixtures.index.readsClients { scratch.clientAddress = connection.peer.host }
        if head.equals(head.method, "CONNECT") {
            return .other(
                Responder.Answer(
                    plan: PlainAnswer.text(501, "this server is no proxy: CONNECT is not implemented\n"),
                    outcome: .miss))
        }
        var admission = StubAdmission(fixtures, from: connection.peer, seed: core.seed)
        var attempt = 1
        while true {
            var choice = StubChoice(fixtures, isOfOneMoment: attempt < StubChoice.attempts)
            let result = fixtures.index.match(
                head, body: body, matchesAnyHost: core.identity.isNamed(by: head), scratch: scratch, keepsBody: true
            ) { ordinal in
                guard choice.isInState(ordinal) else { return choice.takes(ordinal) }
                switch admission.ask(ordinal, head, body) {
                case .open: return choice.takes(ordinal)
                case .passes: return false
                case .closed: return true
                }
            }
            if let refusal = admission.refusal { return marked(.other(refusal), admission.fields) }
            if !choice.isOutdated(after: result.outcome) {
                return marked(verdict(on: head, body, from: connection, result, choice, scratch), admission.fields)
            }
            scratch.dropBody()
            attempt += 1
        }
    }

    private func marked(_ verdict: Verdict, _ fields: [WireField]?) -> Verdict {
        fields.map { .marked(verdict, $0) } ?? verdict
    }

    private func verdict(
        on head: borrowing RequestHead, _ body: [UInt8], from connection: ConnectionInfo, _ result: MatchResult,
        _ choice: StubChoice, _ scratch: MatchScratch
    ) -> Verdict {
        switch result.outcome {
        case .stub(let ordinal):
            let stub = fixtures.stubs[ordinal]
            // A sequence gives another answer next time, and so does one that has come to its end once it starts again, or a scenario.
            let isLasting = choice.passedOver.isEmpty && stub.sequence == nil && stub.scenario == nil
            let response = choice.claimed ?? stub.first
            guard let templated = response.templated, stub.handler == nil else {
                return .stub(ordinal, response, isLasting: isLasting)
            }
            do throws(TemplatedResponse.Failure) {
                let rendered = try templated.rendered(
                    for: head, body, connection, of: response, root: fixtures.set.root, core)
                return .stub(ordinal, rendered, isLasting: false)
            } catch {
                return .unrendered(ordinal, response, error)
            }
        case .file(let ordinal): return .file(ordinal)
        case .none:
            defer { scratch.dropBody() }
            return unmatched(head, body, choice, result, scratch)
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
        case .file, .other, .unrendered, .passesOn: return nil
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
        case .file, .other, .unrendered, .passesOn: return nil
        }
    }

    /// The stub that a verdict names where it serves a collection; nil where it does not.
    func resource(_ verdict: Verdict) -> ResourceStub? {
        switch verdict {
        case .stub(let ordinal, _, _):
            return fixtures.stubs[ordinal].resource.map { ResourceStub(ordinal: ordinal, collection: $0) }
        case .marked(let verdict, let fields):
            guard var stub = resource(verdict) else { return nil }
            stub.fields += fields
            return stub
        case .file, .other, .unrendered, .passesOn: return nil
        }
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
        miss.exceedingEngines = result.exceedingEngines
        miss.hasTooManyValues = result.hasTooManyValues
        let page = IndexPage.plan(for: head, fixtures.set, core.identity)
        return .other(
            Responder.Answer(
                plan: page ?? MissReport(miss).plan(for: head), outcome: .miss, miss: miss,
                reason: CrossOrigin.hint(head)))
    }
}
