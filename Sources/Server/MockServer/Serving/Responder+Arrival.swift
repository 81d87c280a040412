// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

extension Responder {
    /// The record of a request when it comes: its outcome is added when that is known.
    func record(
        of request: borrowing Request, sequence: UInt64, _ outcome: JournalRecord.Outcome
    ) -> JournalRecord {
        var record = JournalRecord(peer: request.connection.peer)
        record.outcome = outcome.rawValue
        record.sequence = sequence
        record.receivedAt = request.receivedAt.wall
        record.connection = request.connection.id
        record.stream = request.stream
        record.tls = Int32(request.connection.tls?.rawValue ?? 0)
        record.method = request.head.method
        record.target = request.head.target
        record.path = request.head.path
        record.query = request.head.query ?? .empty
        record.hasQuery = request.head.query == nil ? 0 : 1
        record.authority = request.head.authority
        record.version = Int32(request.head.version.rawValue)
        record.isForElsewhere = core.isForElsewhere(request.head, by: request.connection) ? 1 : 0
        return record
    }

    /// Takes note of a request that a stub matches, and whose response takes as long as code or another server does: it has come.
    ///
    /// Its entry says 0 for a status until there is one.
    func arrived(_ deferred: DeferredRequest, _ stub: MatchedStub, isTold: Bool) {
        guard !deferred.hasArrived, ring != nil || journal.isJudged else { return }
        deferred.hasArrived = true
        let note = isTold ? deferred.note.told(by: teller) : deferred.note
        let record = record(of: note.request, sequence: note.sequence, .stub)
        deferred.place = ring?.append(
            record, names: stub.fixtures.stubs.names(stub.ordinal), head: note.head, trailers: note.trailers,
            body: note.body)
        if journal.isJudged {
            journal.judge?.arrived(note.sequence, note.head, note.body, note.connection, isUnmatched: false)
        }
        journal.arrivals.notify()
    }
}
