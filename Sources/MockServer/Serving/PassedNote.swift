// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage
import HTTPServer
import HTTPWire

/// What a request leaves behind for the journal whose answer is not known at once, until it is.
struct PassedNote: Sendable {
    let head: RequestHead
    let body: [UInt8]
    let trailers: [RequestHead.Field]
    let connection: ConnectionInfo
    let stream: UInt32
    let receivedAt: Moment
    /// What the content takes of the server's bound.
    let share: ContentShare?

    /// - Parameter told: the head that journal and log have in the place of the request's own.
    init(_ request: borrowing IncomingRequest, told: RequestHead? = nil) {
        head = told ?? request.head
        body = request.body
        trailers = request.trailers
        connection = request.connection
        stream = request.stream
        receivedAt = request.receivedAt
        share = request.share
    }
}
