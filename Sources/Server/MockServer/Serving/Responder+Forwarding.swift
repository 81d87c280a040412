// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiEventLoops
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

extension Responder {
    /// The next step for a request whose stub leads to another server: a fault of the stub, or the response from there.
    func forward(
        _ stub: MatchedStub, to target: ProxyTarget, for head: borrowing RequestHead, from peer: SocketAddress
    ) -> Disposition {
        let own = stub.response.delivery
        var response = Response(head: Self.emptyHead)
        if let fault = own?.apply(to: &response, for: head, on: occasion(of: stub, from: peer)) {
            return .now(complete(stub.serving(response, fault: fault), nil, beside: own, for: head))
        }
        if core.forwarder == nil {
            let text =
                "this server reaches no others: a stub with proxyBaseUrl needs \(core.context.names(.outgoing))"
            let response = PlainResponse.text(501, "501: \(text)\n", isHead: head.equals(head.method, "HEAD"))
            return .now(complete(stub.serving(response, reason: text), nil, beside: own, for: head))
        }
        if core.globalDelay.isSet { core.globalDelay.apply(to: &response, beside: own, seed: core.context.seed) }
        return .later(.forwarding(stub, target, delay: response.delivery?.delay ?? 0))
    }

    /// Lets another server respond; that is noted when its response begins.
    ///
    /// - Parameter delay: in nanoseconds.
    func forward(
        _ stub: MatchedStub, to target: ProxyTarget, after delay: UInt64, _ sender: consuming ResponseSender
    ) {
        let deferred = sender.request
        deferred.origin = .elsewhere(stub)
        if deferred.hasGone { return began(sender.handOver(), with: .nothing) }
        guard let forwarder = core.forwarder else { return }
        arrived(deferred, stub, isTold: true)
        var route = ForwardedRequest.Route(base: target.base)
        route.prefixToRemove = target.prefixToRemove
        route.addedFields = target.addedFields.map { WireField($0.name, $0.value) }
        route.removedNames = target.removedNames
        route.responseFields = stub.response.fields + stub.fields
        route.isOfWireMock = target.isOfWireMock
        if let dribble = stub.response.delivery?.dribble {
            route.parts = (dribble.chunks, ResponseDelay.clamped(dribble.milliseconds))
        }
        route.pseudonym = core.context.pseudonym
        let request = ForwardedRequest(
            head: deferred.note.head, body: deferred.note.body, route: route, number: deferred.note.sequence)
        let stream = sender.handOver()
        guard delay > 0, let eventLoop else { return forwarder.forward(request, into: stream) }
        let due = DispatchTime.now() + .milliseconds(Int(delay / 1_000_000))
        eventLoop.queue.asyncAfter(deadline: due) { forwarder.forward(request, into: stream) }
    }

    /// Lets the proxy respond to a request that matches no fixture; that is noted when its response begins.
    func proxy(_ sender: consuming ResponseSender) {
        let deferred = sender.request
        deferred.origin = .elsewhere(nil)
        if deferred.hasGone { return began(sender.handOver(), with: .nothing) }
        guard let proxy = core.proxy, let eventLoop else { return }
        let note = deferred.note
        proxy.forward(
            UnmatchedRequest(
                head: note.head, body: note.body, connection: note.connection, loop: eventLoop,
                namesServer: core.context.identity.isAdministered(by: note.head)),
            into: sender.handOver())
    }

    /// Lets the server respond that the client of this proxy has named; that is noted when its response begins.
    ///
    /// - Parameter base: scheme, host and port.
    func pass(to base: String, _ sender: consuming ResponseSender) {
        let deferred = sender.request
        deferred.origin = .elsewhere(nil)
        if deferred.hasGone { return began(sender.handOver(), with: .nothing) }
        guard let forwarder = core.forwarder else { return }
        var route = ForwardedRequest.Route(base: base)
        route.isOfWireMock = true
        route.pseudonym = core.context.pseudonym
        let note = deferred.note
        forwarder.forward(
            ForwardedRequest(head: note.head, body: note.body, route: route, number: note.sequence),
            into: sender.handOver())
    }

    func began(_ streamed: StreamedResponse, with beginning: StreamBeginning) {
        guard let deferred = streamed.context as? DeferredRequest else { return }
        if case .nothing = beginning { deferred.hasGone = true }
        guard case .elsewhere(let stub) = deferred.origin else { return }
        let note = deferred.note.told(by: teller)
        let proxied = ProxiedSummary(beginning, isHead: note.head.equals(note.head.method, "HEAD"))
        let response = Response(head: proxied.head ?? Self.missingHead)
        let served =
            stub?.serving(response, reason: Self.problem(of: beginning))
            ?? ServedResponse(response: response, outcome: .proxied)
        self.note(
            served, to: note.request, of: deferred, proxied: proxied, fixtures: stub?.fixtures ?? matcher.fixtures)
    }

    /// The proxy's own words in the place of a response that did not come; nil if one came.
    private static func problem(of beginning: StreamBeginning) -> String? {
        guard case .response(let response) = beginning, response.head.status >= 500 else { return nil }
        guard case .bytes(let bytes) = response.body else { return "the target server did not respond" }
        return String(String(decoding: bytes, as: UTF8.self).prefix(before: "\n"))
    }

    /// The placeholder for a response from elsewhere that a fault of the stub is applied to.
    private static let emptyHead = ResponseHead(status: 200, fields: [], framing: .length(0))
    /// The placeholder for a response that did not come; the client has gone, and is sent nothing.
    private static let missingHead = ResponseHead(status: 502, fields: [], framing: .length(0))
}
