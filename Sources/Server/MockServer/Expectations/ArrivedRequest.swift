// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

/// A request as far as expectations look at it: whole when it comes, and out of the journal if it came before they were made.
struct ArrivedRequest: Sendable {
    let sequence: UInt64
    let head: RequestHead
    let body: [UInt8]
    let protocolName: String
    let connection: UInt64
    let clientAddress: String
    /// Whether the journal has its body in part only.
    let lacksBody: Bool
    /// Whether no fixture matches it.
    let isUnmatched: Bool

    init(
        _ sequence: UInt64, _ head: borrowing RequestHead, _ body: [UInt8], _ connection: ConnectionInfo,
        isUnmatched: Bool
    ) {
        self.isUnmatched = isUnmatched
        self.sequence = sequence
        self.head = copy head
        self.body = body
        protocolName = head.version.name
        self.connection = connection.id
        clientAddress = connection.peer.host
        lacksBody = false
    }

    init(_ entry: JournalEntry) {
        sequence = entry.sequence
        head = RequestHead(entry)
        body = entry.body
        protocolName = entry.protocolName
        connection = entry.connection
        clientAddress = entry.clientAddress
        lacksBody = entry.body.count < entry.bodySize
        isUnmatched = entry.outcome == .unmatched
    }

    /// The memory that it takes until it is judged, in bytes.
    var size: Int { head.bytes.count + body.count + 256 }
}
