// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How a connection ends after what its session has written.
package enum SessionEnding: Equatable, Sendable {
    /// It is closed.
    case close
    /// Our side is closed; what the client still sends is read and thrown away, so that it can read the last response (RFC 9112 §9.6).
    case linger
    /// It is reset: the client sees ECONNRESET.
    case reset
    /// It is closed at once, whatever still waits to be sent.
    case cut
}

/// The event that a session waits for, which decides the deadline.
package enum SessionWait: Equatable, Sendable {
    /// The next request: nothing is under way.
    case request
    /// The rest of a head, which has one deadline in all, however its bytes trickle.
    case head
    /// The rest of a request's content, or the client, which is to take what was written: a deadline from byte to byte.
    case client
    /// A time of its own, or what a response comes from: no fault of the client.
    case server
}
