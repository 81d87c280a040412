// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import EventLoops
import Fixtures
import HTTPServer
import HTTPSyntax
import HTTPWire

/// A request that is judged beside its loop, or passed on.
///
/// `@unchecked Sendable`: the variables belong to the loop that the request came by.
final class JudgedRequest: @unchecked Sendable {
    let note: PendingEntry
    /// Whether the response comes from the proxy.
    var isPassedOn = false
    /// Whether the client had gone before there was a response.
    var hasGone = false
    /// The stub that it is passed on for; nil where no fixture answers.
    var proxied: StubVerdict?

    init(_ note: PendingEntry) {
        self.note = note
    }
}

extension Responder {
    /// Judges a request with a large body, or for which stubs are to be made ready first, beside the loop, which others wait for; its response
    /// goes out, and is noted, when it is known.
    func handToJudges(_ request: borrowing Request, answerOn loop: EventLoop) -> Response {
        let judged = JudgedRequest(PendingEntry(request))
        let live = StreamedResponse(context: judged, outlastsClientEnd: true, adapt: adapter(for: request.head))
        let ready = core.current.isUnready ? nil : newestJudge()
        // `nonisolated(unsafe)`: what is done with it is done on the loop, which it belongs to.
        nonisolated(unsafe) let responder = self
        let core = core
        let judges = core.judges(of: request.body)
        let isTaken = judges.add { scratch in
            let judge = ready ?? Judge(fixtures: core.fixtures, core: core)
            let verdict = judge.verdict(
                on: judged.note.head, judged.note.body, from: judged.note.connection, scratch: scratch)
            loop.execute { responder.finish(verdict, of: judge, judged, live, $0) }
        }
        if isTaken { return Response(streamed: live) }
        let reason = "more than \(judges.limit) requests with large bodies wait to be matched"
        var served = ServedResponse(response: PlainResponse.text(503, reason + "\n", closes: true), outcome: .refused)
        if let adapt = adapter(for: request.head) { served.response.head = adapt(served.response.head) }
        note(
            served, request.head, request.body, request.trailers, request.connection, request.stream,
            since: request.receivedAt, reason: reason)
        return served.response
    }

    private func finish(
        _ verdict: Judge.Verdict, of judge: Judge, _ judged: JudgedRequest, _ live: StreamedResponse, _ loop: EventLoop
    ) {
        let request = judged.note
        if case .stub(let stub) = verdict.found {
            switch stub.source {
            case .computed(let handler): return compute(stub, by: handler, of: judge, judged, live, loop)
            case .proxied(let target): return forward(stub, target, of: judge, judged, live)
            case .resource(let collection): return serve(stub, collection, of: judge, judged, live, loop)
            case .response, .unrendered: break
            }
        }
        guard let served = select(verdict, of: judge, to: request.head, from: request.connection.peer) else {
            judged.isPassedOn = true
            if judged.hasGone { return began(live, with: .nothing) }
            return passOn(judged, to: live, loop)
        }
        conclude(served, judged, live, judge)
    }

    private func forward(
        _ stub: StubVerdict, _ target: ProxyTarget, of judge: Judge, _ judged: JudgedRequest, _ live: StreamedResponse
    ) {
        judged.isPassedOn = true
        judged.proxied = stub
        if judged.hasGone { return began(live, with: .nothing) }
        judged.isPassedOn = false
        guard let served = forward(stub, target, judged, to: live) else { return }
        conclude(served, judged, live, judge)
    }

    private func conclude(_ served: ServedResponse, _ judged: JudgedRequest, _ live: StreamedResponse, _ judge: Judge) {
        let request = judged.note
        if served.isNoted {
            note(
                served, request.head, request.body, request.trailers, request.connection, request.stream,
                since: request.receivedAt, fixtures: judge.fixtures)
        }
        live.answer(served.response)
        // Where the client has gone, nothing comes behind this that would write the line.
        if judged.hasGone { endWake() }
    }

    /// Has the proxy answer a request, which may have it judged once more.
    func passOn(_ judged: JudgedRequest, to live: StreamedResponse, _ loop: EventLoop) {
        let request = judged.note
        // `nonisolated(unsafe)`: what is done with it is done on the loop, which it belongs to.
        nonisolated(unsafe) let responder = self
        core.proxy?.pass(
            UnmatchedRequest(
                head: request.head, body: request.body, connection: request.connection, loop: loop,
                namesServer: core.identity.isAdministered(by: request.head),
                again: { loop.execute { responder.judgeAnew(judged, live, $0) } }),
            to: live)
    }

    private func judgeAnew(_ judged: JudgedRequest, _ live: StreamedResponse, _ loop: EventLoop) {
        // A client that has gone was noted when it went.
        guard !judged.hasGone else { return }
        judged.isPassedOn = false
        let verdict = newestJudge().verdict(
            on: judged.note.head, judged.note.body, from: judged.note.connection, scratch: scratch)
        finish(verdict, of: judge, judged, live, loop)
    }

    /// The entry to note when a response from elsewhere begins; nil where that is done already, or not yet due.
    func dueNote(of live: StreamedResponse, _ beginning: StreamBeginning) -> PendingEntry? {
        guard let judged = live.context as? JudgedRequest else { return live.context as? PendingEntry }
        if case .nothing = beginning { judged.hasGone = true }
        return judged.isPassedOn ? judged.note.told(by: teller) : nil
    }
}
