// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import HTTPMessage
package import HTTPWire

/// A connection as its requests see it.
package struct ConnectionInfo: Sendable {
    /// Counted over all servers of the process, from 1.
    package var id: UInt64
    package var peer: SocketAddress

    package init(id: UInt64, peer: SocketAddress) {
        self.id = id
        self.peer = peer
    }
}

/// When a request's last byte was read, by both clocks, in nanoseconds.
package struct Moment: Sendable {
    package var monotonic: UInt64
    package var wall: UInt64

    package init(monotonic: UInt64, wall: UInt64) {
        self.monotonic = monotonic
        self.wall = wall
    }
}

/// A request that has come whole.
package struct IncomingRequest {
    package var head: RequestHead
    package var body: [UInt8]
    /// Their ranges point into the head's bytes.
    package var trailers: [RequestHead.Field]
    package var connection: ConnectionInfo
    package var receivedAt: Moment

    package init(
        head: RequestHead, body: [UInt8] = [], trailers: [RequestHead.Field] = [], connection: ConnectionInfo,
        receivedAt: Moment
    ) {
        self.head = head
        self.body = body
        self.trailers = trailers
        self.connection = connection
        self.receivedAt = receivedAt
    }
}

/// What answers the requests of one server on one loop; all calls are on that loop.
package protocol RequestHandler: AnyObject {
    /// Answers a request.
    func respond(to request: borrowing IncomingRequest) -> ResponsePlan

    /// Answers a message that was refused before it was a request.
    ///
    /// - Parameter head: what was read of it; empty where even the request line was unreadable.
    func refuse(
        _ error: HTTP1Error, head: RequestHead, connection: ConnectionInfo, receivedAt: Moment
    ) -> ResponsePlan

    /// The events at hand are done: what was gathered for all of them, such as log lines, can be written.
    func endWake()
}
