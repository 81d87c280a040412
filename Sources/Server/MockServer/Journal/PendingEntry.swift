// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

/// The note for the journal of a request whose response is not known at once, held until it is.
struct PendingEntry: Sendable {
    private(set) var head: RequestHead
    let body: [UInt8]
    let trailers: [RequestHead.Field]
    let connection: ConnectionInfo
    let stream: UInt32
    let receivedAt: Timestamps
    /// The content's share of the server's bound.
    let share: ContentShare?
    /// Its number, which it has had since it came.
    let sequence: UInt64

    /// - Parameter sequence: its number.
    init(_ request: borrowing Request, _ sequence: UInt64) {
        self.sequence = sequence
        head = request.head
        body = request.body
        trailers = request.trailers
        connection = request.connection
        stream = request.stream
        receivedAt = request.receivedAt
        share = request.share
    }

    /// The request as it came.
    var request: Request {
        Request(
            head: head, body: body, trailers: trailers, connection: connection, stream: stream, receivedAt: receivedAt,
            share: share)
    }

    /// The note as journal and log have it: with the head that the proxy lets them have.
    func told(by proxy: (any RequestProxy)?) -> PendingEntry {
        guard let proxy else { return self }
        var note = self
        note.head = proxy.told(head)
        return note
    }
}
