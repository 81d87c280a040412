// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiMetering
import MockapiStubMatching

/// Candidates of a request with sequences, scenarios or gates: a class, so that plain matches carry one nil pointer.
final class AskedStubs {
    var choice: StubChoice
    var admission: StubAdmission
    /// Whether stubs were asked with the recorded service's URLs in the place of the server's own.
    var wereAskedByOrigin = false

    init(_ choice: StubChoice, _ admission: StubAdmission) {
        self.choice = choice
        self.admission = admission
    }

    /// Whether a stub that matches ends the search.
    ///
    /// - Parameter sent: the body as the client has sent it.
    func takes(_ ordinal: Int, _ head: borrowing RequestHead, _ body: [UInt8], sent: [UInt8]) -> Bool {
        guard choice.isInState(ordinal) else { return choice.takes(ordinal, head, sent) }
        switch admission.ask(ordinal, head, body) {
        case .open: return choice.takes(ordinal, head, sent)
        case .passes: return false
        case .closed: return true
        }
    }
}

/// Finds the fixture that matches a request, from one load of the fixtures; on any thread.
final class StubMatcher: Sendable {
    let fixtures: ServedFixtures
    let core: ServerCore
    /// The dialect of the fixtures' stubs, which decides how these see a content.
    private let dialect: FixtureSet.Dialect
    /// Whether a condition on the values of heads takes anything.
    private let weighsHeads: Bool

    init(fixtures: ServedFixtures, core: ServerCore) {
        self.fixtures = fixtures
        dialect = fixtures.set.dialect
        weighsHeads = fixtures.index.weighsHeads
        self.core = core
    }

    /// The result of matching a request.
    struct Match: Sendable {
        enum Found: Sendable {
            /// A stub's response, sent as it stands, which nearly every request gets.
            case plain(Int, PreparedResponse)
            indirect case stub(MatchedStub)
            case file(Int)
            indirect case other(ServedResponse)
            /// A response that is waited for.
            case waiting(@Sendable () async -> FallbackResponse)
            /// No fixture matches, and the request goes to the proxy.
            case unmatched
            /// The same, and it goes to the server that its client has named, given as scheme, host and port.
            indirect case elsewhere(String)
            /// It takes longer than an event loop has, and is to be matched again beside it; the gates that have been asked are not asked again.
            indirect case unfinished(StubAdmission?)
        }

        var found: Found
        /// Lines that the response has beside its own, and that a repetition may not have; nil if no gate was asked.
        var fields: [WireField]?
        /// A stub that might have come first, if its tests had been completed, in words; a `MatchedStub` has its own.
        var doubt: String?
    }

    /// Whether matching a request may take longer than an event loop has.
    func isLong(_ head: borrowing RequestHead, _ body: [UInt8]) -> Bool {
        if !body.isEmpty {
            if body.count > bodyLimit(of: head) { return true }
            if RequestContent.isChanged(head, body, for: dialect) { return true }
        }
        if !weighsHeads { return false }
        switch fixtures.index.valueWeight(of: head) {
        case .nothing: return false
        case .text, .path: return head.bytes.count > MatchQueue.headLimit
        case .engine: return true
        }
    }

    /// Bytes of a body that is matched on the loop it came by.
    private func bodyLimit(of head: borrowing RequestHead) -> Int {
        let limit = MatchQueue.bodyLimit(fixtures.index.bodyWeight(of: head))
        return fixtures.hasTemplates ? min(limit, MatchQueue.bodyLimit) : limit
    }

    /// - Parameters:
    ///   - connection: the connection that the request came by.
    ///   - isOnLoop: whether this runs on a loop, which others wait for: a response is rendered there only if that does not take long.
    ///   - admitted: the gates' decisions on this request, if it is matched again.
    func match(
        _ head: borrowing RequestHead, _ body: [UInt8], from connection: ConnectionInfo, scratch: MatchScratch,
        isOnLoop: Bool, admitted: StubAdmission? = nil
    ) -> Match {
        if RequestContent.isChanged(head, body, for: dialect) {
            // Stubs may hold the bytes that a client sends, too.
            let sent = RequestContent.bytes(body, of: head, by: dialect)
            scratch.sentBody = sent
            defer { scratch.sentBody = nil }
            return matchKnown(
                head, RequestContent.seen(body, of: head, by: dialect), sent: sent, from: connection, scratch: scratch,
                isOnLoop: isOnLoop, admitted)
        }
        return matchKnown(head, body, from: connection, scratch: scratch, isOnLoop: isOnLoop, admitted)
    }

    /// Matches a request with placeholders in the place of recorded secrets.
    ///
    /// - Parameter sent: the body in the coding that it was sent in; nil for the same.
    private func matchKnown(
        _ head: borrowing RequestHead, _ body: [UInt8], sent: [UInt8]? = nil, from connection: ConnectionInfo,
        scratch: MatchScratch, isOnLoop: Bool, _ admitted: StubAdmission?
    ) -> Match {
        guard fixtures.known.haveHanded, let known = fixtures.known.standingFor(head, body) else {
            return matchPlain(
                head, body, sent: sent, from: connection, scratch: scratch, isOnLoop: isOnLoop, admitted)
        }
        return matchPlain(
            known.head, known.body, sent: sent ?? known.body, from: connection, scratch: scratch, isOnLoop: isOnLoop,
            admitted)
    }

    private func asked(
        _ isConsistent: Bool, _ head: borrowing RequestHead, _ peer: SocketAddress, _ admitted: StubAdmission?
    ) -> AskedStubs {
        AskedStubs(
            StubChoice(fixtures, isConsistent: isConsistent, isHead: head.equals(head.method, "HEAD")),
            admitted ?? StubAdmission(fixtures, from: peer, seed: core.context.seed))
    }

    private func matchPlain(
        _ head: borrowing RequestHead, _ body: [UInt8], sent: [UInt8]? = nil, from connection: ConnectionInfo,
        scratch: MatchScratch, isOnLoop: Bool, _ admitted: StubAdmission?, isReturned: Bool = false
    ) -> Match {
        if let match = known(head, scratch) { return match }
        if head.equals(head.method, "CONNECT") {
            let reason =
                core.isBrowserProxy
                ? "CONNECT opens a tunnel only over HTTP/1.1 without TLS, and only if the client waits for the response before it sends more"
                : "CONNECT asks for a tunnel, and this server makes none"
            core.proxy?.refused(copy head, 501, reason)
            return Match(
                found: .other(ServedResponse(response: PlainResponse.text(501, reason + "\n"), outcome: .miss)))
        }
        scratch.frozenMilliseconds = core.context.frozen
        if fixtures.index.readsClients { scratch.clientAddress = connection.peer.host }
        // A request that is matched again was noted the first time.
        let beginsSignIn = admitted == nil && core.context.signIns.note(head)
        // Made when a stub is asked that is more than its response.
        var asked: AskedStubs?
        var attempt = 1
        while true {
            let isConsistent = attempt < StubChoice.attempts
            var plain: PreparedResponse?
            asked?.choice = StubChoice(
                fixtures, isConsistent: isConsistent, isHead: head.equals(head.method, "HEAD"))
            let result = fixtures.index.match(
                head, body: body,
                matchesAnyHost: !fixtures.index.readsHosts || core.matchesAnyHost(head, by: connection),
                scratch: scratch,
                keepsBody: true
            ) { ordinal in
                if asked == nil, let response = fixtures.stubs.plainResponse(ordinal) {
                    plain = response
                    return true
                }
                let stubs = asked ?? self.asked(isConsistent, head, connection.peer, admitted)
                asked = stubs
                return stubs.takes(ordinal, head, body, sent: sent ?? body)
            }
            if scratch.isCut { return Match(found: .unfinished(asked?.admission ?? admitted)) }
            // A sign-in is to be noted each time.
            if asked == nil, admitted == nil, !beginsSignIn { fixtures.index.remember(result, of: head, scratch) }
            if let plain, case .stub(let ordinal) = result.outcome {
                return Match(found: .plain(ordinal, plain), doubt: doubt(result))
            }
            let stubs = asked ?? self.asked(isConsistent, head, connection.peer, admitted)
            if let refusal = stubs.admission.refusal {
                return Match(found: .other(refusal), fields: stubs.admission.fields, doubt: doubt(result))
            }
            if !stubs.choice.isOutdated(after: result.outcome) {
                return settled(for: head, body, from: connection, result, stubs, scratch, isOnLoop, isReturned)
            }
            scratch.dropBody()
            attempt += 1
        }
    }

    /// The match of an earlier request for the same target, if no other request for it can have another.
    private func known(_ head: borrowing RequestHead, _ scratch: MatchScratch) -> Match? {
        switch fixtures.index.known(head, scratch) {
        case .stub(let ordinal)?:
            fixtures.stubs.plainResponse(ordinal).map { Match(found: .plain(ordinal, $0)) }
        case .file(let ordinal)?: Match(found: .file(ordinal))
        case .some(.none), nil: nil
        }
    }

    private func doubt(_ result: MatchResult) -> String? {
        guard result.outcome != .none, let exceeding = result.exceeding.first else { return nil }
        let place = fixtures.set.stubs[exceeding.stub].place
        return
            "\(place.path):\(place.line) goes before it and was passed over: \(exceeding.tests.words) of its takes more steps than allowed on this request"
    }

    private func settled(
        for head: borrowing RequestHead, _ body: [UInt8], from connection: ConnectionInfo, _ result: MatchResult,
        _ stubs: AskedStubs, _ scratch: MatchScratch, _ isOnLoop: Bool, _ isReturned: Bool
    ) -> Match {
        let fields = stubs.admission.fields
        switch result.outcome {
        case .stub(let ordinal):
            var stub = matched(
                stubs.choice.recorded ?? ordinal, &stubs.choice, for: head, body, from: connection, fields ?? [],
                isOnLoop, stop: scratch.stop)
            stub.doubt = doubt(result)
            return Match(found: .stub(stub), fields: fields)
        case .file(let ordinal): return Match(found: .file(ordinal), fields: fields, doubt: doubt(result))
        case .none:
            defer { scratch.dropBody() }
            if isReturned { return Match(found: .unmatched, fields: fields) }
            if let base = core.nextServer(of: head, by: connection) {
                return Match(found: .elsewhere(base), fields: fields)
            }
            let isOfRequestAlone = isOfRequestAlone(result, stubs, scratch)
            if isOfRequestAlone, let served = fixtures.repeatedMisses.response(to: head, body) {
                return Match(found: .other(served), fields: fields)
            }
            let goesBeside = isOnLoop && core.proxy == nil && core.matchQueue(for: body).isFree
            // A stub that is found with the service's URLs is rendered at once, and its gate is asked once.
            if !fixtures.origins.isEmpty, goesBeside || isOnLoop && fixtures.hasTemplates {
                return Match(found: .unfinished(stubs.admission))
            }
            if let match = foundReturned(for: head, body, from: connection, scratch, stubs) { return match }
            let found = unmatched(head, body, from: connection, stubs, result, scratch, goesBeside)
            if scratch.isCut { return Match(found: .unfinished(stubs.admission), fields: fields) }
            if isOfRequestAlone, isWhole(stubs, scratch), case .other(let served) = found,
                served.miss?.isStateless == true
            {
                fixtures.repeatedMisses.keep(served, to: head, body)
            }
            return Match(found: found, fields: fields)
        }
    }

    /// Units of a byte that is looked at for URLs. 4.
    private static let rewritingUnits = 4

    /// Matches a request again as the recorded service would get it: URLs of this server that the client sends back become the service's own, which
    /// they replaced.
    ///
    /// - Returns: nil if no stub matches it so either.
    private func foundReturned(
        for head: borrowing RequestHead, _ body: [UInt8], from connection: ConnectionInfo, _ scratch: MatchScratch,
        _ stubs: AskedStubs
    ) -> Match? {
        guard !fixtures.origins.isEmpty else { return nil }
        let base = core.context.identity.base(for: head)
        for origin in fixtures.origins {
            guard scratch.pay(Self.rewritingUnits * (head.bytes.count + body.count)) else {
                return scratch.isCut ? Match(found: .unfinished(stubs.admission)) : nil
            }
            let rewriter = OriginRewriter([(origin: base, base: origin)])
            let content = body.isEmpty ? body : rewriter.rewritten(body)
            let other = head.rewritten(by: rewriter.rewritten)
            if other == nil, content == body { return nil }
            stubs.wereAskedByOrigin = true
            scratch.dropBody()
            let match = matchPlain(
                other ?? copy head, content, from: connection, scratch: scratch, isOnLoop: false, stubs.admission,
                isReturned: true)
            if case .unmatched = match.found { continue }
            return match
        }
        return nil
    }

    private func matched(
        _ ordinal: Int, _ choice: inout StubChoice, for head: borrowing RequestHead, _ body: [UInt8],
        from connection: ConnectionInfo, _ fields: [WireField], _ isOnLoop: Bool, stop: WorkStop?
    ) -> MatchedStub {
        let stub = fixtures.stubs[ordinal]
        var matched = MatchedStub(
            ordinal: ordinal, response: choice.claimed ?? stub.first, fixtures: fixtures, fields: fields,
            move: choice.move, hold: stub.extras?.hold)
        if let handler = stub.extras?.handler {
            matched.source = .computed(handler)
        } else if let collection = stub.extras?.resource {
            matched.source = .resource(collection)
        } else {
            guard let templated = matched.response.templated else {
                if let target = matched.response.proxy { matched.source = .proxied(target) }
                return matched
            }
            let number = templated.claim()
            guard isOnLoop else {
                render(&matched, templated, number, for: head, body, from: connection, stop: stop)
                return matched
            }
            let soon = templated.renderedSoon(
                for: head, body, connection, number: number, of: matched.response, root: fixtures.set.root,
                hasRawVariables: dialect == .wireMock, core.context)
            matched.take(soon, or: .rendering(templated, number: number))
        }
        return matched
    }

    /// A match with its response rendered, however long that takes.
    func rendered(
        _ match: Match, _ templated: TemplatedResponse, _ number: UInt64, for request: PendingEntry, stop: WorkStop?
    ) -> Match {
        guard case .stub(var stub) = match.found else { return match }
        let body = RequestContent.seen(request.body, of: request.head, by: dialect)
        render(&stub, templated, number, for: request.head, body, from: request.connection, stop: stop)
        return Match(found: .stub(stub), fields: match.fields)
    }

    private func render(
        _ matched: inout MatchedStub, _ templated: TemplatedResponse, _ number: UInt64,
        for head: borrowing RequestHead, _ body: [UInt8], from connection: ConnectionInfo, stop: WorkStop?
    ) {
        do throws(TemplatedResponse.Failure) {
            let rendered = try templated.rendered(
                for: head, body, connection, number: number, of: matched.response, root: fixtures.set.root,
                hasRawVariables: dialect == .wireMock, core.context, stop: stop)
            matched.take(rendered, or: .response)
        } catch {
            matched.source = .unrendered(error)
        }
    }
}
