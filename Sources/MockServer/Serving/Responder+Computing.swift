// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import EventLoops
import Fixtures
import HTTPServer
import HTTPSyntax
import HTTPWire

extension Responder {
    /// Has code compute an answer; it goes out, and is noted, when it is known.
    func compute(
        _ stub: StubVerdict, by handler: StubHandler, for request: borrowing Request
    ) -> Response {
        guard let eventLoop else { return PlainResponse.text(501, "an answer that is computed needs a server\n") }
        let judged = JudgedRequest(PendingEntry(request))
        let live = StreamedResponse(context: judged, adapt: adapter(for: request.head))
        compute(stub, by: handler, of: judge, judged, live, eventLoop)
        return Response(streamed: live)
    }

    func compute(
        _ stub: StubVerdict, by handler: StubHandler, of judge: Judge, _ judged: JudgedRequest,
        _ live: StreamedResponse,
        _ loop: EventLoop
    ) {
        // `nonisolated(unsafe)`: what is done with it is done on the loop, which it belongs to.
        nonisolated(unsafe) let responder = self
        let root = judge.fixtures.set.root
        let cancel = core.handlers.run {
            let result: Result<PreparedResponse, StubHandler.Failure>
            do throws(StubHandler.Failure) {
                result = .success(try await handler.answer(to: judged.note, root: root))
            } catch {
                result = .failure(error)
            }
            loop.execute { _ in responder.finish(result, stub, of: judge, judged, live) }
        }
        guard let cancel else {
            let plan = PlainResponse.text(
                503, "more than \(HandlerTasks.limit) answers are being computed, or the server stops\n", closes: true)
            return finish(stub.answer(plan), of: judge, judged, live)
        }
        live.whenAbandoned(cancel)
    }

    private func finish(
        _ result: Result<PreparedResponse, StubHandler.Failure>, _ stub: StubVerdict, of judge: Judge,
        _ judged: JudgedRequest, _ live: StreamedResponse
    ) {
        let head = judged.note.head
        var answer: Answer
        switch result {
        case .success(let response):
            var plan = selection.plan(response, for: head)
            let fault = response.delivery?.apply(
                to: &plan, for: head, on: DeliveryOccasion(core, from: judged.note.connection.peer, move: stub.move))
            answer = stub.answer(plan, fault: fault)
        case .failure(let failure):
            let plan = PlainResponse.text(
                500, "500: \(failure.text)\n", isHead: head.equals(head.method, "HEAD"))
            answer = stub.answer(plan, reason: failure.text)
        }
        answer.plan.head = answer.plan.head.adding(stub.fields)
        if let adapt = adapter(for: head) { answer.plan.head = adapt(answer.plan.head) }
        finish(answer, of: judge, judged, live)
    }

    /// Notes an answer that was made beside the loop, and has it go out.
    func finish(_ answer: Answer, of judge: Judge, _ judged: JudgedRequest, _ live: StreamedResponse) {
        let request = judged.note
        note(
            answer, request.head, request.body, request.trailers, request.connection, request.stream,
            since: request.receivedAt, fixtures: judge.fixtures)
        live.answer(answer.plan)
        // Where the client has gone, nothing comes behind this that would write the line.
        if judged.hasGone { endWake() }
    }
}
