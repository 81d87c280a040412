// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiStubMatching
import MockapiSystemIO

/// Responds to the requests of one server on one loop: match, choose the part of the response to send, note it in the journal.
final class Responder: RequestHandler {
    @exclusivity(unchecked) private(set) var matcher: StubMatcher
    let core: ServerCore
    let journal: Journal
    let ring: JournalRing?
    private let admin: AdminAPI
    let log: (any RequestLog)?
    /// Whether there is a log: asked before it, since an existential is copied to be asked.
    let isLogged: Bool
    let selection: ResponseSelection
    let scratch: MatchScratch
    let eventLoop: EventLoop?

    /// - Parameter eventLoop: nil if there is none, and nothing is proxied.
    init(_ core: ServerCore, loop: Int, on eventLoop: EventLoop? = nil) {
        self.core = core
        self.eventLoop = eventLoop
        scratch = MatchScratch(isOnLoop: eventLoop != nil)
        // A loop may come to this when stubs wait already: they wait for the first request.
        matcher = StubMatcher(fixtures: core.current.ready, core: core)
        journal = core.journal
        ring = core.journal.ring(loop)
        admin = AdminAPI(core)
        log = core.context.log?.makeLog()
        isLogged = log != nil
        selection = ResponseSelection(files: OpenFileCache(loops: core.loopCount), identity: core.context.identity) {
            core.current.set.root
        }
    }

    func respond(to request: borrowing Request) -> Reply {
        let isForElsewhere = core.isForElsewhere(request.head, by: request.connection)
        if !isForElsewhere, AdminAPI.claims(request.head) {
            return admin.respond(
                to: request.head, body: request.body, connection: eventLoop == nil ? nil : request.connection.id)
        }
        if !isForElsewhere, let response = core.crossOrigin?.preflight(request.head) {
            return send(ServedResponse(response: response, outcome: .preflight), to: request, matcher)
        }
        // The rare condition first: copying the loop retains it.
        if core.current.isUnready, eventLoop != nil { return later(.matching(ready: nil), of: matcher, request) }
        let matcher = newestMatcher()
        if matcher.isLong(request.head, request.body), eventLoop != nil {
            return later(.matching(ready: matcher), of: matcher, request)
        }
        let match = matcher.match(
            request.head, request.body, from: request.connection, scratch: scratch, isOnLoop: eventLoop != nil)
        switch disposition(of: match, by: matcher, request.head, request.body, from: request.connection.peer) {
        case .now(let served): return send(served, to: request, matcher)
        case .later(let work): return later(work, of: matcher, request)
        }
    }

    private func send(_ served: ServedResponse, to request: borrowing Request, _ matcher: StubMatcher) -> Reply {
        if served.isNoted { note(served, to: request, fixtures: matcher.fixtures) }
        return .whole(served.response)
    }

    private func later(_ work: DeferredWork, of matcher: StubMatcher, _ request: borrowing Request) -> Reply {
        let deferred = DeferredRequest(PendingEntry(request, journal.nextSequence()))
        let stream = StreamedResponse(
            context: deferred, outlastsClientEnd: !work.isForClientAlone, adapt: adapter(for: request))
        start(work, of: matcher, ResponseSender(deferred, stream))
        return .streamed(stream)
    }

    /// The next step for a request: its response, complete, or the work that makes it.
    ///
    /// - Parameter isPrepared: whether the work that a response needs before it can be chosen has been done.
    func disposition(
        of match: StubMatcher.Match, by matcher: StubMatcher, _ head: borrowing RequestHead, _ body: [UInt8],
        from peer: SocketAddress, isPrepared: Bool = false
    ) -> Disposition {
        var served: ServedResponse
        var own: PreparedDelivery?
        switch match.found {
        case .plain(let ordinal, let response):
            if response.mayTakeLong, !isPrepared, let work = coding(response, match, for: head) { return .later(work) }
            served = select(response, .stub, ordinal, for: head)
        case .stub(let stub):
            if let hold = stub.hold { return self.hold(stub, match, until: hold) }
            switch stub.source {
            case .computed(let handler): return compute(stub, by: handler)
            case .proxied(let target): return forward(stub, to: target, for: head, from: peer)
            case .resource(let collection): return serve(stub, collection, to: head, body)
            case .rendering(let templated, let number): return .later(.rendering(match, templated, number: number))
            case .response where stub.response.mayTakeLong && !isPrepared:
                if let work = coding(stub.response, match, for: head) { return .later(work) }
            case .response, .unrendered: break
            }
            served = select(stub, for: head, from: peer)
            own = stub.response.delivery
        case .file(let ordinal): served = select(file: ordinal, of: matcher, for: head)
        case .other(let other): served = other
        case .waiting(let compute): return .later(.waiting(compute))
        case .unmatched: return .later(.proxying)
        case .elsewhere(let base): return .later(.passing(base))
        case .unfinished(let admitted): return .later(.matching(ready: matcher, admitted: admitted))
        }
        if let doubt = match.doubt { served.doubt(doubt) }
        return .now(complete(served, match.fields, beside: own, for: head))
    }

    /// The work that a response needs before it can be chosen and that would hold the loop for long; nil if there is none.
    private func coding(_ response: PreparedResponse, _ match: StubMatcher.Match, for head: borrowing RequestHead)
        -> DeferredWork?
    {
        guard eventLoop != nil, let work = selection.longWork(response, for: head) else { return nil }
        return .coding(match, work)
    }

    /// Completes a response of this server, however it was made and whenever it goes out: with the lines that it has besides its own, the delay that
    /// all stubs have, and the lines that let a page read it.
    ///
    /// - Parameter own: the response's own delays and faults; nil if it has none.
    @inline(__always)
    func complete(
        _ served: ServedResponse, _ fields: [WireField]?, beside own: PreparedDelivery?, for head: borrowing RequestHead
    ) -> ServedResponse {
        if fields == nil, core.crossOrigin == nil, !core.globalDelay.isSet { return served }
        return withAdditions(served, fields ?? [], beside: own, for: head)
    }

    private func withAdditions(
        _ found: ServedResponse, _ fields: [WireField], beside own: PreparedDelivery?, for head: borrowing RequestHead
    ) -> ServedResponse {
        var served = found
        if !fields.isEmpty { served.response.head = served.response.head.adding(fields) }
        if core.globalDelay.isSet, served.outcome == .stub || served.outcome == .file && core.globalDelay.reachesFiles {
            core.globalDelay.apply(to: &served.response, beside: own, seed: core.context.seed)
        }
        if let crossOrigin = core.crossOrigin {
            served.response.head = crossOrigin.adapted(served.response.head, for: CrossOrigin.origin(of: head))
        }
        return served
    }

    private func select(file ordinal: Int, of matcher: StubMatcher, for head: borrowing RequestHead) -> ServedResponse {
        let file = matcher.fixtures.files[ordinal]
        if file.hasFolderPath, let redirect = file.redirect(head) {
            return ServedResponse(response: redirect, outcome: .file, ordinal: ordinal)
        }
        return select(file.response, .file, ordinal, for: head)
    }

    /// The matcher of the fixtures that are served now; on a loop, of those that are ready.
    @discardableResult
    func newestMatcher() -> StubMatcher {
        let isLate = core.current.generation != matcher.fixtures.generation
        if eventLoop == nil ? isLate || core.current.isUnready : isLate {
            matcher = StubMatcher(fixtures: eventLoop == nil ? core.fixtures : core.current.ready, core: core)
        }
        return matcher
    }

    func abandoned(connection: ConnectionInfo, stream: UInt32, code: UInt32?) {
        journal.note(Abandonment(code: code), connection: connection.id, stream: stream)
    }

    func endWake() {
        log?.flush()
    }

    /// The closure that makes the head of a response from elsewhere readable by a page; nil if nothing does, or another server decides that.
    private func adapter(for request: borrowing Request) -> (@Sendable (ResponseHead) -> ResponseHead)? {
        guard let crossOrigin = core.crossOrigin,
            !core.isForElsewhere(request.head, by: request.connection)
        else { return nil }
        let origin = CrossOrigin.origin(of: request.head)
        return { crossOrigin.adapted($0, for: origin) }
    }

    private func select(
        _ prepared: PreparedResponse, _ outcome: JournalRecord.Outcome, _ ordinal: Int, for head: borrowing RequestHead
    ) -> ServedResponse {
        let response = selection.response(prepared, for: head)
        if let reason = selection.failure(of: response) {
            return ServedResponse(
                response: response, outcome: outcome, ordinal: ordinal, step: prepared.step, reason: reason)
        }
        return ServedResponse(response, outcome, ordinal, step: prepared.step)
    }

    private func select(_ stub: MatchedStub, for head: borrowing RequestHead, from peer: SocketAddress)
        -> ServedResponse
    {
        if case .unrendered(let failure) = stub.source {
            let response = PlainResponse.text(
                failure.status, "\(failure.status): \(failure.text)\n", isHead: head.equals(head.method, "HEAD"))
            return stub.serving(response, reason: failure.text)
        }
        var response = selection.response(stub.response, for: head)
        let failure = selection.failure(of: response)
        let fault = stub.response.delivery?.apply(
            to: &response, for: head, on: occasion(of: stub, from: peer))
        return stub.serving(response, fault: fault, reason: failure)
    }

    /// The facts that the rules of a stub's delivery may ask about.
    func occasion(of stub: MatchedStub, from peer: SocketAddress) -> DeliveryOccasion {
        DeliveryOccasion(core.context, from: peer, move: stub.move) { [core] in
            core.fixtures.scenarios?.state(of: $0)
        }
    }

    /// The proxy that gives the journal and the log the head of a request; nil if there is neither.
    var teller: (any RequestProxy)? { ring == nil && log == nil ? nil : core.proxy }
}

extension ResponseHead {
    /// The same head with further lines after its own.
    func adding(_ fields: [WireField]) -> ResponseHead {
        fields.isEmpty ? self : replacing(fields: self.fields + fields)
    }
}
