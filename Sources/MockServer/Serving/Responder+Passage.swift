// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPServer
import HTTPSyntax
import HTTPWire

extension Responder {
    private static let noHead = ResponseHead(status: 0, fields: [], framing: .none)

    /// Passes on a request that no fixture answers; it is noted when its response begins.
    func pass(_ request: borrowing Request) -> Response {
        let judged = JudgedRequest(PendingEntry(request))
        judged.isPassedOn = true
        let live = StreamedResponse(context: judged, adapt: adapter(for: request.head))
        if let eventLoop {
            passOn(judged, to: live, eventLoop)
        } else {
            live.fail()
        }
        return Response(streamed: live)
    }

    func began(_ live: StreamedResponse, with beginning: StreamBeginning) {
        guard let note = dueNote(of: live, beginning) else { return }
        let passed = ProxiedSummary(beginning, isHead: note.head.equals(note.head.method, "HEAD"))
        let stub = (live.context as? JudgedRequest)?.proxied
        let answered = ServedResponse(
            response: Response(head: passed.head ?? Self.noHead), outcome: stub == nil ? .proxied : .stub,
            ordinal: stub?.ordinal ?? -1, step: stub?.response.step ?? 0, move: stub?.move)
        self.note(
            answered, note.head, note.body, note.trailers, note.connection, note.stream, since: note.receivedAt,
            reason: passed.head == nil ? "no answer from the upstream" : nil, passed: passed, fixtures: stub?.fixtures)
    }
}
