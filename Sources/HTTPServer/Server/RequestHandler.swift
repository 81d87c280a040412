// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import HTTPMessage
package import HTTPWire

/// What answers the requests of one server on one loop; all calls are on that loop.
package protocol RequestHandler: AnyObject {
    /// Answers a request.
    func respond(to request: borrowing IncomingRequest) -> ResponsePlan

    /// Answers a message that was refused before it was a request.
    ///
    /// - Parameter head: what was read of it; empty where even the request line was unreadable.
    func refuse(
        _ error: RequestError, head: RequestHead, stream: UInt32, connection: ConnectionInfo, receivedAt: Moment
    ) -> ResponsePlan

    /// The events at hand are done: what was gathered for all of them, such as log lines, can be written.
    func endWake()
}
