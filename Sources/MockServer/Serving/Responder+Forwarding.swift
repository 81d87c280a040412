// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import EventLoops
import Fixtures
import HTTPServer
import HTTPSyntax
import HTTPWire

extension Responder {
    /// Has another server answer; it is noted when its response begins.
    func forward(
        _ stub: StubVerdict, to target: ProxyTarget, for request: borrowing Request
    ) -> Response {
        let judged = JudgedRequest(PendingEntry(request))
        let live = StreamedResponse(context: judged, adapt: adapter(for: request.head))
        if var served = forward(stub, target, judged, to: live) {
            if let adapt = adapter(for: request.head) { served.response.head = adapt(served.response.head) }
            note(
                served, request.head, request.body, request.trailers, request.connection, request.stream,
                since: request.receivedAt)
            return served.response
        }
        return Response(streamed: live)
    }

    /// - Returns: the response where none comes from elsewhere: a fault, or the want of what reaches other servers.
    func forward(
        _ stub: StubVerdict, _ target: ProxyTarget, _ judged: JudgedRequest, to live: StreamedResponse
    ) -> ServedResponse? {
        let head = judged.note.head
        var response = Response(head: Self.emptyHead)
        let fault = stub.response.delivery?.apply(
            to: &response, for: head, on: DeliveryOccasion(core, from: judged.note.connection.peer, move: stub.move))
        if let fault {
            return stub.serving(response, fault: fault)
        }
        guard let forwarder = core.forwarder else {
            let text =
                "this server reaches no others: a stub with proxyBaseUrl is answered by mockapi serve without --no-outgoing, and in tests with the trait Recording"
            let response = PlainResponse.text(501, "501: \(text)\n", isHead: head.equals(head.method, "HEAD"))
            return stub.serving(response, reason: text)
        }
        judged.isPassedOn = true
        judged.proxied = stub
        var route = ForwardedRequest.Route(base: target.base)
        route.prefixToRemove = target.prefixToRemove
        route.addedFields = target.addedFields.map { WireField($0.name, $0.value) }
        route.removedNames = target.removedNames
        route.answerFields = stub.response.fields + stub.fields
        route.isOfWireMock = target.isOfWireMock
        route.pseudonym = core.pseudonym
        let request = ForwardedRequest(head: head, body: judged.note.body, route: route)
        guard let delay = response.delivery?.delay, delay > 0, let eventLoop else {
            forwarder.forward(request, to: live)
            return nil
        }
        let due = DispatchTime.now() + .milliseconds(Int(delay / 1_000_000))
        eventLoop.queue.asyncAfter(deadline: due) { forwarder.forward(request, to: live) }
        return nil
    }

    /// The placeholder for a response from elsewhere that a fault of the stub is applied to.
    private static let emptyHead = ResponseHead(status: 200, fields: [], framing: .length(0))
}
