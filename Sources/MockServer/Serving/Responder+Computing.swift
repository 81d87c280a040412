// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import EventLoops
import Fixtures
import HTTPServer
import HTTPSyntax
import HTTPWire

extension Responder {
    /// Has code compute a response; it goes out, and is noted, when it is known.
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
            let response = PlainResponse.text(
                503, "more than \(HandlerTasks.limit) answers are being computed, or the server stops\n", closes: true)
            return finish(stub.serving(response), of: judge, judged, live)
        }
        live.whenAbandoned(cancel)
    }

    private func finish(
        _ result: Result<PreparedResponse, StubHandler.Failure>, _ stub: StubVerdict, of judge: Judge,
        _ judged: JudgedRequest, _ live: StreamedResponse
    ) {
        let head = judged.note.head
        var served: ServedResponse
        switch result {
        case .success(let prepared):
            var response = selection.response(prepared, for: head)
            let fault = prepared.delivery?.apply(
                to: &response, for: head, on: DeliveryOccasion(core, from: judged.note.connection.peer, move: stub.move)
            )
            served = stub.serving(response, fault: fault)
        case .failure(let failure):
            let response = PlainResponse.text(
                500, "500: \(failure.text)\n", isHead: head.equals(head.method, "HEAD"))
            served = stub.serving(response, reason: failure.text)
        }
        served.response.head = served.response.head.adding(stub.fields)
        if let adapt = adapter(for: head) { served.response.head = adapt(served.response.head) }
        finish(served, of: judge, judged, live)
    }

    /// Notes a response that was made beside the loop, and has it go out.
    func finish(_ served: ServedResponse, of judge: Judge, _ judged: JudgedRequest, _ live: StreamedResponse) {
        let request = judged.note
        note(
            served, request.head, request.body, request.trailers, request.connection, request.stream,
            since: request.receivedAt, fixtures: judge.fixtures)
        live.answer(served.response)
        // Where the client has gone, nothing comes behind this that would write the line.
        if judged.hasGone { endWake() }
    }
}
