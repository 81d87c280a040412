// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiEventLoops
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

extension Responder {
    /// Has another server answer; it is noted when its response begins.
    func forward(
        _ stub: MatchedStub, to target: ProxyTarget, for request: borrowing Request
    ) -> Response {
        let deferred = DeferredRequest(PendingEntry(request, journal.nextSequence()))
        let streamed = StreamedResponse(context: deferred, adapt: adapter(for: request.head))
        if let made = forward(stub, target, deferred, into: streamed) {
            let served = complete(made, nil, beside: stub.response.delivery, for: request.head)
            note(served, to: deferred.note, fixtures: matcher.fixtures, of: deferred)
            return served.response
        }
        return Response(streamed: streamed)
    }

    /// - Returns: the response where none comes from elsewhere: a fault, or the want of what reaches other servers.
    func forward(
        _ stub: MatchedStub, _ target: ProxyTarget, _ deferred: DeferredRequest, into streamed: StreamedResponse
    ) -> ServedResponse? {
        let head = deferred.note.head
        var response = Response(head: Self.emptyHead)
        let fault = stub.response.delivery?.apply(
            to: &response, for: head, on: occasion(of: stub, from: deferred.note.connection.peer))
        if let fault { return stub.serving(response, fault: fault) }
        if core.globalDelay.isSet {
            core.globalDelay.apply(to: &response, beside: stub.response.delivery, seed: core.context.seed)
        }
        guard let forwarder = core.forwarder else {
            let text =
                "this server reaches no others: a stub with proxyBaseUrl is answered by mockapi serve without --no-outgoing, and in tests with the trait Recording"
            let response = PlainResponse.text(501, "501: \(text)\n", isHead: head.equals(head.method, "HEAD"))
            return stub.serving(response, reason: text)
        }
        deferred.isProxied = true
        deferred.proxyingStub = stub
        arrived(deferred, stub, isTold: true)
        var route = ForwardedRequest.Route(base: target.base)
        route.prefixToRemove = target.prefixToRemove
        route.addedFields = target.addedFields.map { WireField($0.name, $0.value) }
        route.removedNames = target.removedNames
        route.responseFields = stub.response.fields + stub.fields
        route.isOfWireMock = target.isOfWireMock
        route.pseudonym = core.context.pseudonym
        let request = ForwardedRequest(
            head: head, body: deferred.note.body, route: route, number: deferred.note.sequence)
        guard let delay = response.delivery?.delay, delay > 0, let eventLoop else {
            forwarder.forward(request, into: streamed)
            return nil
        }
        let due = DispatchTime.now() + .milliseconds(Int(delay / 1_000_000))
        eventLoop.queue.asyncAfter(deadline: due) { forwarder.forward(request, into: streamed) }
        return nil
    }

    /// The placeholder for a response from elsewhere that a fault of the stub is applied to.
    private static let emptyHead = ResponseHead(status: 200, fields: [], framing: .length(0))
}
