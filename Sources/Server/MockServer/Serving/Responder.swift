// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiStubMatching
import MockapiSystemIO

/// Answers the requests of one server on one loop: match, choose what of the response is sent, note it in the journal.
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
    let scratch = MatchScratch()
    let eventLoop: EventLoop?

    /// - Parameter eventLoop: nil where there is none, and nothing is proxied.
    init(_ core: ServerCore, loop: Int, on eventLoop: EventLoop? = nil) {
        self.core = core
        self.eventLoop = eventLoop
        // A loop may come to this when stubs wait already: they wait for the first request.
        matcher = StubMatcher(fixtures: core.current.ready, core: core)
        journal = core.journal
        ring = core.journal.ring(loop)
        admin = AdminAPI(core)
        log = core.context.log?.makeLog()
        isLogged = core.context.log != nil
        selection = ResponseSelection(files: OpenFileCache(loops: core.loopCount), identity: core.context.identity) {
            core.current.set.root
        }
    }

    func respond(to request: borrowing Request) -> Response {
        if AdminAPI.claims(request.head) {
            return admin.respond(
                to: request.head, body: request.body, connection: eventLoop == nil ? nil : request.connection.id)
        }
        if let response = core.crossOrigin?.preflight(request.head) {
            let served = ServedResponse(response: response, outcome: .preflight)
            note(served, to: request, fixtures: matcher.fixtures)
            return response
        }
        // What is seldom is asked first: the loop is an object that takes counting.
        if core.current.isUnready, let eventLoop { return matchInBackground(request, respondingOn: eventLoop) }
        let matcher = newestMatcher()
        if matcher.isLong(request.head, request.body), let eventLoop {
            return matchInBackground(request, respondingOn: eventLoop)
        }
        let match = matcher.match(
            request.head, request.body, from: request.connection, scratch: scratch, isOnLoop: eventLoop != nil)
        switch match.found {
        case .plain(let ordinal, let response):
            if response.mayTakeLong, let deferred = prepareInBackground(match, of: matcher, request) { return deferred }
            return send(select(ordinal, response, for: request.head), nil, beside: nil, request, matcher)
        case .stub(let stub):
            switch stub.source {
            case .computed(let handler): return compute(stub, by: handler, for: request)
            case .proxied(let target): return forward(stub, to: target, for: request)
            case .resource(let collection): return serve(stub, collection, to: request)
            case .rendering:
                if let deferred = prepareInBackground(match, of: matcher, request) { return deferred }
            case .response where stub.response.mayTakeLong:
                if let deferred = prepareInBackground(match, of: matcher, request) { return deferred }
            case .response, .unrendered: break
            }
            return send(
                select(stub, for: request.head, from: request.connection.peer), match.fields,
                beside: stub.response.delivery, request, matcher)
        case .file(let ordinal):
            return send(
                select(file: ordinal, of: matcher, for: request.head), match.fields, beside: nil, request, matcher)
        case .other(let served): return send(served, match.fields, beside: nil, request, matcher)
        case .unmatched: return proxy(request)
        }
    }

    /// Completes a response, and notes it.
    ///
    /// - Parameter own: the response's own delays and faults; nil where it has none.
    private func send(
        _ served: ServedResponse, _ fields: [WireField]?, beside own: PreparedDelivery?, _ request: borrowing Request,
        _ matcher: StubMatcher
    ) -> Response {
        if fields == nil, core.crossOrigin == nil, !core.globalDelay.isSet { return send(served, request, matcher) }
        return send(complete(served, fields, beside: own, for: request.head), request, matcher)
    }

    private func send(_ served: ServedResponse, _ request: borrowing Request, _ matcher: StubMatcher) -> Response {
        if served.isNoted { note(served, to: request, fixtures: matcher.fixtures) }
        return served.response
    }

    /// Completes a response of this server, however it was made, with the lines that it has besides its own, the delay that all stubs have, and the
    /// lines that let a page read it.
    func complete(
        _ found: ServedResponse, _ fields: [WireField]?, beside own: PreparedDelivery?, for head: borrowing RequestHead
    ) -> ServedResponse {
        var served = found
        if let fields { served.response.head = served.response.head.adding(fields) }
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
        let response = selection.response(file.response, for: head)
        return ServedResponse(
            response: response, outcome: .file, ordinal: ordinal, reason: selection.failure(of: response))
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

    /// Chooses what is sent of what was found; nil where the request goes to the proxy.
    func select(
        _ match: StubMatcher.Match, of matcher: StubMatcher, to head: borrowing RequestHead, from peer: SocketAddress
    ) -> ServedResponse? {
        let served: ServedResponse
        var own: PreparedDelivery?
        switch match.found {
        case .plain(let ordinal, let response): served = self.select(ordinal, response, for: head)
        case .stub(let stub):
            served = self.select(stub, for: head, from: peer)
            own = stub.response.delivery
        case .file(let ordinal): served = self.select(file: ordinal, of: matcher, for: head)
        case .other(let other): served = other
        case .unmatched: return nil
        }
        return complete(served, match.fields, beside: own, for: head)
    }

    /// The closure that makes the head of a response from elsewhere readable by a page; nil where nothing does.
    func adapter(for head: borrowing RequestHead) -> (@Sendable (ResponseHead) -> ResponseHead)? {
        guard let crossOrigin = core.crossOrigin else { return nil }
        let origin = CrossOrigin.origin(of: head)
        return { crossOrigin.adapted($0, for: origin) }
    }

    private func select(_ ordinal: Int, _ prepared: PreparedResponse, for head: borrowing RequestHead) -> ServedResponse
    {
        let response = selection.response(prepared, for: head)
        return ServedResponse(
            response: response, outcome: .stub, ordinal: ordinal, step: prepared.step,
            reason: selection.failure(of: response))
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

    /// The proxy that gives the journal and the log the head of a request; nil where there is neither.
    var teller: (any RequestProxy)? { ring == nil && log == nil ? nil : core.proxy }
}

extension ResponseHead {
    /// The same head with further lines after its own.
    func adding(_ fields: [WireField]) -> ResponseHead {
        fields.isEmpty ? self : replacing(fields: self.fields + fields)
    }
}
