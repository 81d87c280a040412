// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

extension Responder {
    private static let noHead = ResponseHead(status: 0, fields: [], framing: .none)

    /// Proxies a request that no fixture answers; it is noted when its response begins.
    func proxy(_ request: borrowing Request) -> Response {
        let deferred = DeferredRequest(PendingEntry(request, journal.nextSequence()))
        deferred.isProxied = true
        let streamed = StreamedResponse(context: deferred, adapt: adapter(for: request.head))
        if let eventLoop {
            proxy(deferred, into: streamed, eventLoop)
        } else {
            streamed.fail()
        }
        return Response(streamed: streamed)
    }

    func began(_ streamed: StreamedResponse, with beginning: StreamBeginning) {
        guard let note = dueNote(of: streamed, beginning) else { return }
        let proxied = ProxiedSummary(beginning, isHead: note.head.equals(note.head.method, "HEAD"))
        let stub = (streamed.context as? DeferredRequest)?.proxyingStub
        let served = ServedResponse(
            response: Response(head: proxied.head ?? Self.noHead), outcome: stub == nil ? .proxied : .stub,
            ordinal: stub?.ordinal ?? -1, step: stub?.response.step ?? 0, move: stub?.move)
        var problem: String?
        // The proxy's own words in the place of a response that did not come.
        if stub != nil, case .response(let response) = beginning, response.head.status >= 500 {
            problem = "the server that it leads to did not answer"
            if case .bytes(let bytes) = response.body {
                problem = String(decoding: bytes, as: UTF8.self).prefix(before: "\n").description
            }
        }
        self.note(
            served, to: note, reason: proxied.head == nil ? "no answer from the upstream" : nil, proxied: proxied,
            fixtures: stub?.fixtures ?? matcher.fixtures, of: streamed.context as? DeferredRequest,
            problem: problem)
    }
}
