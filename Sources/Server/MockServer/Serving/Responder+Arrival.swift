// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

extension Responder {
    /// The record of a request when it comes: what it comes to is added when that is known.
    static func record(
        of head: borrowing RequestHead, _ connection: ConnectionInfo, _ stream: UInt32, since: Timestamps,
        sequence: UInt64, _ outcome: JournalRecord.Outcome
    ) -> JournalRecord {
        var record = JournalRecord(peer: connection.peer)
        record.outcome = outcome.rawValue
        record.sequence = sequence
        record.receivedAt = since.wall
        record.connection = connection.id
        record.stream = stream
        record.tls = Int32(connection.tls?.rawValue ?? 0)
        record.method = head.method
        record.target = head.target
        record.path = head.path
        record.query = head.query ?? .empty
        record.hasQuery = head.query == nil ? 0 : 1
        record.authority = head.authority
        record.version = Int32(head.version.rawValue)
        return record
    }

    /// Takes note of a request that a stub matches, and of which the response takes as long as code or another server does: it has come.
    ///
    /// Its entry says 0 for a status until there is one.
    func arrived(_ deferred: DeferredRequest, _ stub: MatchedStub, isTold: Bool) {
        guard !deferred.hasArrived, ring != nil || journal.isJudged else { return }
        deferred.hasArrived = true
        let note = isTold ? deferred.note.told(by: teller) : deferred.note
        let record = Self.record(
            of: note.head, note.connection, note.stream, since: note.receivedAt, sequence: note.sequence, .stub)
        deferred.place = ring?.append(
            record, names: stub.fixtures.stubs.names(stub.ordinal), head: note.head, trailers: note.trailers,
            body: note.body)
        if journal.isJudged {
            journal.judge?.arrived(note.sequence, note.head, note.body, note.connection, isUnmatched: false)
        }
        journal.arrivals.notify()
    }
}
