// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

/// A request that is matched beside its loop, or proxied.
///
/// `@unchecked Sendable`: the variables belong to the loop that the request came by.
final class DeferredRequest: @unchecked Sendable {
    let note: PendingEntry
    /// Whether the response comes from the proxy.
    var isProxied = false
    /// Whether the client had gone before there was a response.
    var hasGone = false
    /// Whether it has been taken note of when it came.
    var hasArrived = false
    /// Its entry in the journal; nil where it has none yet.
    var place: JournalRing.Place?
    /// The stub that it is proxied for; nil where no fixture answers.
    var proxyingStub: MatchedStub?

    init(_ note: PendingEntry) {
        self.note = note
    }
}

/// The way back to a responder's loop from work that is done beside it.
///
/// `@unchecked Sendable`: other threads carry the responder without touching it; only the work that `run` puts on its loop does.
struct LoopReturn: @unchecked Sendable {
    private let responder: Responder
    private let loop: EventLoop

    /// - Parameter loop: the responder's loop.
    init(to responder: Responder, on loop: EventLoop) {
        self.responder = responder
        self.loop = loop
    }

    /// Runs work on the loop, from whatever thread it is called.
    func run(_ work: @escaping @Sendable (Responder, EventLoop) -> Void) {
        loop.execute { work(responder, $0) }
    }
}

extension Responder {
    /// Matches a request with a large body, or for which stubs are to be made ready first, beside the loop, which others wait for; its response
    /// goes out, and is noted, when it is known.
    func matchInBackground(_ request: borrowing Request, respondingOn loop: EventLoop) -> Response {
        let deferred = DeferredRequest(PendingEntry(request, journal.nextSequence()))
        let streamed = StreamedResponse(context: deferred, outlastsClientEnd: true, adapt: adapter(for: request.head))
        let ready = core.current.isUnready ? nil : newestMatcher()
        let back = LoopReturn(to: self, on: loop)
        let core = core
        let matchQueue = core.matchQueue(for: request.body)
        let isTaken = matchQueue.add { scratch in
            let matcher = ready ?? StubMatcher(fixtures: core.fixtures, core: core)
            let match = matcher.match(
                deferred.note.head, deferred.note.body, from: deferred.note.connection, scratch: scratch,
                isOnLoop: false)
            back.run { $0.finish(match, of: matcher, deferred, streamed, $1) }
        }
        if isTaken { return Response(streamed: streamed) }
        return refuse(
            deferred, request, "more than \(matchQueue.limit) requests with large bodies wait to be matched")
    }

    /// Work on the response of a match that is done beside the loop because it takes long.
    private enum LongWork: Sendable {
        case rendering(TemplatedResponse, number: UInt64)
        case coding(ResponseSelection.LongWork)
    }

    /// The work that takes long; nil where there is none, as for nearly every request.
    private func longWork(_ match: StubMatcher.Match, for head: borrowing RequestHead) -> LongWork? {
        switch match.found {
        case .plain(_, let response): return selection.longWork(response, for: head).map { .coding($0) }
        case .stub(let stub):
            switch stub.source {
            case .rendering(let templated, let number): return .rendering(templated, number: number)
            case .response: return selection.longWork(stub.response, for: head).map { .coding($0) }
            case .unrendered, .computed, .proxied, .resource: return nil
            }
        case .file, .other, .unmatched: return nil
        }
    }

    /// Renders a response, or codes or rewrites its body, beside the loop; the response goes out, and is noted, when that is done.
    ///
    /// - Returns: nil where nothing has to be done beside the loop.
    func prepareInBackground(
        _ match: StubMatcher.Match, of matcher: StubMatcher, _ request: borrowing Request
    ) -> Response? {
        guard let loop = eventLoop, let work = longWork(match, for: request.head) else { return nil }
        let deferred = DeferredRequest(PendingEntry(request, journal.nextSequence()))
        let streamed = StreamedResponse(context: deferred, outlastsClientEnd: true, adapt: adapter(for: request.head))
        if prepare(work, for: match, of: matcher, deferred, streamed, loop) { return Response(streamed: streamed) }
        return refuse(deferred, request, tooManyResponses)
    }

    private var tooManyResponses: String {
        "more than \(core.matchQueue(for: []).limit) answers that take long wait to be made"
    }

    /// - Returns: whether the work is taken; false where too much work waits.
    private func prepare(
        _ work: LongWork, for match: StubMatcher.Match, of matcher: StubMatcher,
        _ deferred: DeferredRequest, _ streamed: StreamedResponse, _ loop: EventLoop
    ) -> Bool {
        let back = LoopReturn(to: self, on: loop)
        return core.matchQueue(for: []).add { _ in
            switch work {
            case .rendering(let templated, let number):
                let rendered = matcher.rendered(match, templated, number, for: deferred.note)
                back.run { $0.finish(rendered, of: matcher, deferred, streamed, $1) }
            case .coding(let work):
                let made = work.run()
                back.run { responder, loop in
                    if let made { responder.selection.take(made) }
                    responder.finish(match, of: matcher, deferred, streamed, loop, isPrepared: true)
                }
            }
        }
    }

    private func refuse(_ deferred: DeferredRequest, _ request: borrowing Request, _ reason: String) -> Response {
        let response = PlainResponse.text(503, reason + "\n", closes: true)
        let served = complete(
            ServedResponse(response: response, outcome: .refused), nil, beside: nil, for: request.head)
        note(served, to: deferred.note, reason: reason, fixtures: matcher.fixtures, of: deferred)
        return served.response
    }

    private func finish(
        _ match: StubMatcher.Match, of matcher: StubMatcher, _ deferred: DeferredRequest, _ streamed: StreamedResponse,
        _ loop: EventLoop, isPrepared: Bool = false
    ) {
        let request = deferred.note
        if !isPrepared, let work = longWork(match, for: request.head) {
            if prepare(work, for: match, of: matcher, deferred, streamed, loop) { return }
            let response = PlainResponse.text(503, tooManyResponses + "\n", closes: true)
            return finish(
                ServedResponse(response: response, outcome: .refused, reason: tooManyResponses), of: matcher, deferred,
                streamed)
        }
        if case .stub(let stub) = match.found {
            switch stub.source {
            case .computed(let handler): return compute(stub, by: handler, of: matcher, deferred, streamed, loop)
            case .proxied(let target): return forward(stub, target, of: matcher, deferred, streamed)
            case .resource(let collection): return serve(stub, collection, of: matcher, deferred, streamed, loop)
            case .response, .rendering, .unrendered: break
            }
        }
        guard let served = select(match, of: matcher, to: request.head, from: request.connection.peer) else {
            deferred.isProxied = true
            if deferred.hasGone { return began(streamed, with: .nothing) }
            return proxy(deferred, into: streamed, loop)
        }
        finish(served, of: matcher, deferred, streamed)
    }

    private func forward(
        _ stub: MatchedStub, _ target: ProxyTarget, of matcher: StubMatcher, _ deferred: DeferredRequest,
        _ streamed: StreamedResponse
    ) {
        deferred.isProxied = true
        deferred.proxyingStub = stub
        if deferred.hasGone { return began(streamed, with: .nothing) }
        deferred.isProxied = false
        guard let served = forward(stub, target, deferred, into: streamed) else { return }
        finish(served, of: matcher, deferred, streamed)
    }

    /// Has the proxy answer a request.
    func proxy(_ deferred: DeferredRequest, into streamed: StreamedResponse, _ loop: EventLoop) {
        let request = deferred.note
        core.proxy?.forward(
            UnmatchedRequest(
                head: request.head, body: request.body, connection: request.connection, loop: loop,
                namesServer: core.context.identity.isAdministered(by: request.head)),
            into: streamed)
    }

    /// The entry to note when a response from elsewhere begins; nil where that is done already, or not yet due.
    func dueNote(of streamed: StreamedResponse, _ beginning: StreamBeginning) -> PendingEntry? {
        guard let deferred = streamed.context as? DeferredRequest else { return streamed.context as? PendingEntry }
        if case .nothing = beginning { deferred.hasGone = true }
        return deferred.isProxied ? deferred.note.told(by: teller) : nil
    }
}
