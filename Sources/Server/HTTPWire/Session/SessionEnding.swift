// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How a connection ends after its session's output.
package enum SessionEnding: Equatable, Sendable {
    /// It is closed.
    case close
    /// Our side is closed; the client's remaining bytes are read and thrown away, so that it can read the last response (RFC 9112 §9.6).
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
    /// The rest of a request's content, or a client that has still to take the output: a deadline from byte to byte.
    case client
    /// A time of its own, or the source of a response: not a fault of the client.
    case server
}
