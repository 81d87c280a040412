// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

extension Responder {
    /// Has code compute a response; it goes out, and is noted, when it is known.
    func compute(
        _ stub: MatchedStub, by handler: StubHandler, for request: borrowing Request
    ) -> Response {
        guard let eventLoop else { return PlainResponse.text(501, "an answer that is computed needs a server\n") }
        let deferred = DeferredRequest(PendingEntry(request, journal.nextSequence()))
        let streamed = StreamedResponse(context: deferred, adapt: adapter(for: request.head))
        compute(stub, by: handler, of: matcher, deferred, streamed, eventLoop)
        return Response(streamed: streamed)
    }

    func compute(
        _ stub: MatchedStub, by handler: StubHandler, of matcher: StubMatcher, _ deferred: DeferredRequest,
        _ streamed: StreamedResponse, _ loop: EventLoop
    ) {
        let back = LoopReturn(to: self, on: loop)
        let root = matcher.fixtures.set.root
        arrived(deferred, stub, isTold: false)
        let cancel = core.handlers.run {
            let result: Result<PreparedResponse, StubHandler.Failure>
            do throws(StubHandler.Failure) {
                result = .success(PreparedStub(try await handler.respond(to: deferred.note, root: root)).first)
            } catch {
                result = .failure(error)
            }
            back.run { responder, _ in responder.finish(result, stub, of: matcher, deferred, streamed) }
        }
        guard let cancel else {
            let response = PlainResponse.text(
                503, "more than \(HandlerTasks.limit) answers are being computed, or the server stops\n", closes: true)
            return finish(stub.serving(response), of: matcher, deferred, streamed)
        }
        streamed.whenAbandoned(cancel)
    }

    private func finish(
        _ result: Result<PreparedResponse, StubHandler.Failure>, _ stub: MatchedStub, of matcher: StubMatcher,
        _ deferred: DeferredRequest, _ streamed: StreamedResponse
    ) {
        let head = deferred.note.head
        let served: ServedResponse
        var own: PreparedDelivery?
        switch result {
        case .success(let prepared):
            var response = selection.response(prepared, for: head)
            let fault = prepared.delivery?.apply(
                to: &response, for: head, on: occasion(of: stub, from: deferred.note.connection.peer))
            served = stub.serving(response, fault: fault)
            own = prepared.delivery
        case .failure(let failure):
            let response = PlainResponse.text(
                500, "500: \(failure.text)\n", isHead: head.equals(head.method, "HEAD"))
            served = stub.serving(response, reason: failure.text)
        }
        finish(complete(served, stub.fields, beside: own, for: head), of: matcher, deferred, streamed)
    }

    /// Notes a response that was made beside the loop, and has it go out.
    func finish(
        _ served: ServedResponse, of matcher: StubMatcher, _ deferred: DeferredRequest, _ streamed: StreamedResponse
    ) {
        if served.isNoted { note(served, to: deferred.note, fixtures: matcher.fixtures, of: deferred) }
        streamed.respond(with: served.response)
        // Where the client has gone, nothing comes after this that would write the line.
        if deferred.hasGone { endWake() }
    }
}
