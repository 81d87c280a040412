// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPSyntax
package import MockapiHTTPWire

/// Responds to the requests of one server on one loop; all calls are on that loop.
package protocol RequestHandler: AnyObject {
    /// Responds to a request.
    func respond(to request: borrowing Request) -> Reply

    /// Responds to a message that was refused before it was a request.
    ///
    /// - Parameter head: the part of it that was read; empty if even the request line was unreadable.
    func refuse(
        _ error: RequestError, head: RequestHead, stream: UInt32, connection: ConnectionInfo, receivedAt: Timestamps
    ) -> Response

    /// The client has given up a response that it had not had all of, or a connection of HTTP/1.1 may only have ended
    /// its side.
    ///
    /// - Parameters:
    ///   - stream: the stream's number in HTTP/2; 0 in HTTP/1.x.
    ///   - code: the error code that the client reset the stream with; nil if it ended the connection.
    func abandoned(connection: ConnectionInfo, stream: UInt32, code: UInt32?)

    /// A response that comes from elsewhere has its beginning, which the client has not yet; called once for each.
    func began(_ response: StreamedResponse, with beginning: StreamBeginning)

    /// The header section of a response over HTTP/2 is longer than can be sent: the client gets a reset instead.
    func couldNotSend(
        _ status: Int, to head: RequestHead, connection: ConnectionInfo, stream: UInt32, at time: Timestamps)

    /// A stream was reset, or for stream 0 an HTTP/2 connection ended, without a response because of the client's conduct.
    ///
    /// - Parameter head: the part of the request that was read; empty if the connection ended.
    func dropped(
        _ reason: String, head: RequestHead, stream: UInt32, connection: ConnectionInfo, receivedAt: Timestamps)

    /// A TLS handshake came to nothing, or a connection to no request because of it.
    func handshakeFailed(_ failure: HandshakeFailure, connection: ConnectionInfo)

    /// The events at hand are done: data gathered for all of them, such as log lines, can be written.
    func endWake()
}

extension RequestHandler {
    package func abandoned(connection: ConnectionInfo, stream: UInt32, code: UInt32?) {}
    package func began(_ response: StreamedResponse, with beginning: StreamBeginning) {}
    package func couldNotSend(
        _ status: Int, to head: RequestHead, connection: ConnectionInfo, stream: UInt32, at time: Timestamps
    ) {}
    package func dropped(
        _ reason: String, head: RequestHead, stream: UInt32, connection: ConnectionInfo, receivedAt: Timestamps
    ) {}
    package func handshakeFailed(_ failure: HandshakeFailure, connection: ConnectionInfo) {}
}
