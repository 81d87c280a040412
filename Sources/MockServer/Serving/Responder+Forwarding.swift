// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Fixtures
import HTTPMessage
import HTTPServer
import HTTPWire

/// A stub that answers a request from another server.
struct ProxiedStub: Sendable {
    let ordinal: Int
    let response: PreparedResponse
    let target: ProxyTarget
    /// The load that the stub is of.
    let fixtures: ServedFixtures
    /// Lines that the answer has beside the other server's and the stub's.
    var fields: [WireField] = []
}

extension Responder {
    /// Has another server answer; it is noted when its answer begins.
    func forward(_ stub: ProxiedStub, for request: borrowing Request) -> ResponsePlan {
        let judged = JudgedRequest(PassedNote(request))
        let live = LiveAnswer(context: judged, adapt: adapter(for: request.head))
        if var answer = forward(stub, judged, to: live) {
            if let adapt = adapter(for: request.head) { answer.plan.head = adapt(answer.plan.head) }
            note(
                answer, request.head, request.body, request.trailers, request.connection, request.stream,
                since: request.receivedAt)
            return answer.plan
        }
        return ResponsePlan(live: live)
    }

    /// - Returns: the answer where none comes from elsewhere: a fault, or the want of what reaches other servers.
    func forward(_ stub: ProxiedStub, _ judged: JudgedRequest, to live: LiveAnswer) -> Answer? {
        let head = judged.note.head
        var plan = ResponsePlan(head: Self.emptyHead)
        let fault = stub.response.delivery?.apply(
            to: &plan, for: head, on: DeliveryOccasion(core, from: judged.note.connection.peer))
        if let fault {
            return Answer(plan: plan, outcome: .stub, ordinal: stub.ordinal, step: stub.response.step, fault: fault)
        }
        guard let forwarder = core.forwarder else {
            let text =
                "this server reaches no others: a stub with proxyBaseUrl is answered by mockapi serve without --no-outgoing, and in tests with the trait Recording"
            return Answer(
                plan: PlainAnswer.text(501, "501: \(text)\n", isHead: head.equals(head.method, "HEAD")), outcome: .stub,
                ordinal: stub.ordinal, step: stub.response.step, reason: text)
        }
        judged.isPassedOn = true
        judged.proxied = stub
        var route = ForwardedRequest.Route(base: stub.target.base)
        route.prefixToRemove = stub.target.prefixToRemove
        route.addedFields = stub.target.addedFields.map { WireField($0.name, $0.value) }
        route.removedNames = stub.target.removedNames
        route.answerFields = stub.response.fields + stub.fields
        route.isOfWireMock = stub.target.isOfWireMock
        route.pseudonym = core.pseudonym
        let request = ForwardedRequest(head: head, body: judged.note.body, route: route)
        guard let delay = plan.delivery?.delay, delay > 0, let eventLoop else {
            forwarder.forward(request, to: live)
            return nil
        }
        let due = DispatchTime.now() + .milliseconds(Int(delay / 1_000_000))
        eventLoop.queue.asyncAfter(deadline: due) { forwarder.forward(request, to: live) }
        return nil
    }

    /// What a fault of a stub that is answered elsewhere spoils.
    private static let emptyHead = ResponseHead(status: 200, fields: [], framing: .length(0))
}
