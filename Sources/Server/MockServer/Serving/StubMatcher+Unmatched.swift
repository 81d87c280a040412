// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiMetering
import MockapiStubMatching

extension StubMatcher {
    /// Whether nothing but the request and the fixtures has decided that it matches nothing, so that the same request would be explained in the same
    /// words.
    func isOfRequestAlone(_ result: MatchResult, _ stubs: AskedStubs, _ scratch: MatchScratch) -> Bool {
        stubs.choice.passedOver.isEmpty && stubs.choice.unknown.isEmpty && result.exceeding.isEmpty
            && stubs.admission.fields == nil && core.fallback == nil && core.proxy == nil
            && !fixtures.index.readsClients && scratch.sentBody == nil
    }

    /// Whether an explanation has all that it could have: it was paid for, and its client still waits.
    func isWhole(_ stubs: AskedStubs, _ scratch: MatchScratch) -> Bool {
        !stubs.wereAskedByOrigin && !scratch.hasRunOut && scratch.stop?.isAsked != true
            && scratch.stop?.isDoubtful != true
    }

    /// Names the nearest fixtures, or says which methods the target has; beside the loop, since that takes long and looks for files.
    func unmatched(
        _ head: borrowing RequestHead, _ body: [UInt8], from connection: ConnectionInfo, _ stubs: AskedStubs,
        _ result: MatchResult, _ scratch: MatchScratch, _ goesBeside: Bool
    ) -> Match.Found {
        if let substitute = stubs.admission.askFallback(of: core, head, body) {
            if case .later(let compute) = substitute { return .waiting(compute) }
            if let response = substitute.response(for: head.version) {
                return .other(ServedResponse(response: response, outcome: .miss, isNoted: substitute.isNoted))
            }
        }
        if core.proxy != nil { return .unmatched }
        let matchesAnyHost = core.matchesAnyHost(head, by: connection)
        let methods = fixtures.allowedMethods(head, matchesAnyHost: matchesAnyHost, scratch: scratch)
        if head.equals(head.method, "OPTIONS"), !methods.isEmpty {
            return .other(
                ServedResponse(
                    response: PlainResponse.options(methods), outcome: .miss,
                    reason: CrossOrigin.hint(head, core.context.names)))
        }
        if methods.isEmpty, head.equals(head.method, "TRACE") {
            return .other(
                ServedResponse(response: PlainResponse.text(501, "TRACE is not implemented\n"), outcome: .miss))
        }
        if goesBeside { return .unfinished(stubs.admission) }
        var miss = fixtures.miss(
            head, body, matchesAnyHost: matchesAnyHost, methods: methods, scratch: scratch, reusesBody: true)
        miss.tell(stubs.choice.passedOver, states: fixtures.scenarios)
        miss.unknown = stubs.choice.unknown
        miss.exceeding = result.exceeding
        miss.isTooLarge = result.isTooLarge
        let report = MissReport(miss)
        miss.text = Array(report.text.utf8)
        let page = IndexPage.response(for: head, fixtures.set, core.context)
        return .other(
            ServedResponse(
                response: page ?? report.response(for: head, text: miss.text), outcome: .miss, miss: miss,
                reason: CrossOrigin.hint(head, core.context.names)))
    }
}
