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
    private let isLogged: Bool
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
    /// - Parameter own: its own delays and faults; nil where it has none.
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

    /// Completes a response of this server, however it was made: the lines that it has beside its own, the delay that all stubs have, and the
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

    /// What the rules of a stub's delivery may ask about.
    func occasion(of stub: MatchedStub, from peer: SocketAddress) -> DeliveryOccasion {
        DeliveryOccasion(core.context, from: peer, move: stub.move) { [core] in
            core.fixtures.scenarios?.state(of: $0)
        }
    }

    /// The proxy that lets the journal and the log have a request's head; nil where nobody asks.
    var teller: (any RequestProxy)? { ring == nil && log == nil ? nil : core.proxy }

    /// Takes note of a response to a request that is at hand.
    func note(_ served: ServedResponse, to request: borrowing Request, reason: String? = nil, fixtures: ServedFixtures)
    {
        note(
            served, request.head, request.body, request.trailers, request.connection, request.stream,
            since: request.receivedAt, reason: reason, fixtures: fixtures)
    }

    /// Takes note of a response to a request that was held until there was one.
    func note(
        _ served: ServedResponse, to request: PendingEntry, reason: String? = nil, proxied: ProxiedSummary? = nil,
        fixtures: ServedFixtures, of deferred: DeferredRequest?, problem: String? = nil
    ) {
        note(
            served, request.head, request.body, request.trailers, request.connection, request.stream,
            since: request.receivedAt, reason: reason, proxied: proxied, fixtures: fixtures, of: deferred,
            problem: problem)
    }

    func note(
        _ served: ServedResponse, _ head: borrowing RequestHead, _ body: [UInt8], _ trailers: [RequestHead.Field],
        _ connection: ConnectionInfo, _ stream: UInt32, since: Timestamps, reason: String? = nil,
        proxied: ProxiedSummary? = nil, fixtures: ServedFixtures, of deferred: DeferredRequest? = nil,
        problem: String? = nil
    ) {
        var record = Self.record(
            of: head, connection, stream, since: since,
            sequence: deferred?.note.sequence ?? journal.nextSequence(), served.outcome)
        record.status = Int32(served.response.status)
        let now = Clock.monotonic()
        record.duration = now > since.monotonic ? now - since.monotonic : 0
        if let delivery = served.response.delivery {
            record.addedDelay = delivery.delay
            record.fault = served.fault?.rawValue ?? 0
            record.sendsNoHead = delivery.sendsHead ? 0 : 1
        }
        record.responseSize = proxied?.size ?? Int64(Self.size(of: served.response))
        send(served, head, body, connection, for: record, since: since, fixtures)
        if let move = served.move, ring != nil {
            journal.subEvents.add(SubEvent.scenario(move), to: record.sequence, since: since.monotonic)
        }
        if core.isObserved {
            core.observer?.didServe(ServedRequest(record, served, in: fixtures))
        }
        if ring != nil || journal.isJudged {
            let reason = served.reason ?? problem ?? (served.outcome == .refused ? reason : nil)
            keep(record, served, reason, head, body, trailers, connection, fixtures, deferred)
        }
        guard isLogged, let log, log.takes(isProblem: Self.isProblem(served, reason: served.reason ?? reason)) else {
            return
        }
        log.append(
            RequestLogLine(record, head, served, fixtures.set, reason: served.reason ?? reason, proxied: proxied))
    }

    /// Has what the stub sends of its own follow its response.
    private func send(
        _ served: ServedResponse, _ head: borrowing RequestHead, _ body: [UInt8], _ connection: ConnectionInfo,
        for record: JournalRecord, since: Timestamps, _ fixtures: ServedFixtures
    ) {
        guard fixtures.hasWebhooks, served.outcome == .stub, !served.isRefusal, let queue = core.webhooks,
            let webhooks = fixtures.stubs[served.ordinal].webhooks
        else { return }
        let wait = Int(record.addedDelay / 1_000_000)
        let calls = webhooks.calls(
            head, body, served.response, connection, sequence: record.sequence, receivedAt: since.monotonic, wait: wait,
            isOfWireMock: fixtures.set.dialect == .wireMock, core.context)
        // The work of this wake of the loop comes first, and with it the response.
        eventLoop?.execute { _ in
            for call in calls { queue.add(call) }
        }
    }

    /// Bytes of content that a response has, as far as its delivery lets them go out.
    private static func size(of response: Response) -> Int {
        guard let delivery = response.delivery else { return response.bodySize }
        return delivery.sendsHead ? min(response.bodySize, delivery.bodyLimit ?? .max) : 0
    }

    /// Whether something did not go as its client wanted for want of a fixture, or because of what it sent.
    private static func isProblem(_ served: ServedResponse, reason: String?) -> Bool {
        switch served.outcome {
        case .refused: true
        case .miss: served.miss != nil || reason != nil || served.response.head.status >= 400
        // Who passes requests on tells of those that came to nothing.
        case .stub, .file: served.reason != nil
        case .proxied, .preflight: false
        }
    }

    /// Writes down a request and what it came to, for the journal and for the verdict.
    private func keep(
        _ record: JournalRecord, _ served: ServedResponse, _ reason: String?, _ head: borrowing RequestHead,
        _ body: [UInt8], _ trailers: [RequestHead.Field], _ connection: ConnectionInfo, _ fixtures: ServedFixtures,
        _ deferred: DeferredRequest?
    ) {
        let names = Self.names(of: served, in: fixtures)
        if let ring {
            if fixtures.set.dialect == .wireMock { journal.responses.keep(served.response, of: record.sequence) }
            if let miss = served.miss { journal.misses.add(miss, served.response, in: fixtures, to: record.sequence) }
            let place = deferred?.place
            if place.map({ ring.amend($0, record, names: names) }) != true {
                if let place { ring.supersede(place) }
                ring.append(record, names: names, head: head, trailers: trailers, body: body)
            }
        }
        if journal.isJudged, let judge = journal.judge {
            if served.outcome != .refused, deferred?.hasArrived != true {
                judge.arrived(record.sequence, head, body, connection, isUnmatched: served.outcome == .miss)
            }
            judge.ended(
                record, served, reason: reason, names: names, head: head, body: body, in: fixtures)
        }
        journal.arrivals.notify()
    }

    private static func names(of served: ServedResponse, in fixtures: ServedFixtures) -> JournalNames? {
        switch served.outcome {
        case .stub: fixtures.stubs.names(served.ordinal)
        case .file: fixtures.fileNames[served.ordinal]
        case .miss, .refused, .proxied, .preflight: nil
        }
    }
}

extension ResponseHead {
    /// The same head with further lines after its own.
    func adding(_ fields: [WireField]) -> ResponseHead {
        fields.isEmpty ? self : replacing(fields: self.fields + fields)
    }
}
