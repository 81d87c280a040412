// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

extension Responder {
    /// The next step for a request whose response code computes.
    func compute(_ stub: MatchedStub, by handler: StubHandler) -> Disposition {
        if eventLoop != nil { return .later(.computing(stub, handler)) }
        return .now(stub.serving(PlainResponse.text(501, "a response that is computed needs a server\n")))
    }

    /// Lets code compute a response.
    func compute(
        _ stub: MatchedStub, by handler: StubHandler, of matcher: StubMatcher, _ sender: consuming ResponseSender
    ) {
        let note = sender.note
        let root = matcher.fixtures.set.root
        arrived(sender.request, stub, isTold: false)
        let stream = sender.stream
        let handlers = core.handlers
        let left = carry(sender) { responder, result, sender in
            responder.finish(responder.select(result, of: stub, for: note), of: matcher, sender)
        } start: { (finish: @escaping @Sendable (Result<PreparedResponse, StubHandler.Failure>) -> Void) in
            let cancel = handlers.run {
                do throws(StubHandler.Failure) {
                    finish(.success(PreparedStub(try await handler.respond(to: note, root: root)).first))
                } catch {
                    finish(.failure(error))
                }
            }
            if let cancel { stream.whenAbandoned(cancel) }
            return cancel != nil
        }
        if let left {
            refuse(
                left, "more than \(HandlerTasks.limit) responses are being computed, or the server stops", of: matcher)
        }
    }

    private func select(
        _ result: Result<PreparedResponse, StubHandler.Failure>, of stub: MatchedStub, for note: PendingEntry
    ) -> ServedResponse {
        let head = note.head
        var served: ServedResponse
        var own: PreparedDelivery?
        switch result {
        case .success(let prepared):
            var response = selection.response(prepared, for: head)
            let fault = prepared.delivery?.apply(
                to: &response, for: head, on: occasion(of: stub, from: note.connection.peer))
            served = stub.serving(response, fault: fault)
            own = prepared.delivery
        case .failure(let failure):
            let response = PlainResponse.text(
                500, "500: \(failure.text)\n", isHead: head.equals(head.method, "HEAD"))
            served = stub.serving(response, reason: failure.text)
            served.isGivenUp = failure.isCancelled
        }
        return complete(served, stub.fields, beside: own, for: head)
    }
}
