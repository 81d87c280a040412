// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How a response goes out if it does not go out whole and at once: delayed, in pieces, or broken off.
///
/// A response with a delivery sends, in this order: nothing for `delay`, the `interim` responses, the head, the content at
/// its `pace` up to `bodyLimit`, the `garbage`, and then its `ending`.
package struct Delivery: Sendable {
    /// The speed at which content goes out.
    package enum Pace: Equatable, Sendable {
        case atOnce
        /// Equal parts with a pause in front of each; the last part has the remainder.
        case parts(count: Int, pause: UInt64)
        /// Bytes in a second.
        case rate(Int)
    }

    /// The end of a response, after its last byte.
    package enum Ending: Equatable, Sendable {
        /// The end that the protocol has for a complete response.
        case complete
        /// The response is complete, and the client must use the connection no more: in HTTP/2 by GOAWAY (RFC
        /// 9113 §6.8) with the code, in HTTP/1.1 by `Connection: close`.
        case lastOfConnection(code: UInt32)
        /// The connection is closed.
        case close
        /// The connection is reset: the client sees ECONNRESET.
        case reset
        /// Nothing: the client waits.
        case stall
        /// The stream is reset (RFC 9113 §6.4).
        case resetStream(code: UInt32)
        /// GOAWAY announces to the client that neither this stream nor a later one of the connection gets a response.
        case goAway(code: UInt32)

        /// Whether the response is as its protocol wants it.
        package var isComplete: Bool {
            switch self {
            case .complete, .lastOfConnection: true
            default: false
            }
        }
    }

    /// Nanoseconds before the first byte.
    package var delay: UInt64 = 0
    /// Interim responses (1xx) that go out in front of the head (RFC 9110 §15.2); the owner of the response keeps them.
    package var interim: [ResponseHead] = []
    package var pace = Pace.atOnce
    package var sendsHead = true
    /// Bytes of content that are sent; nil for all.
    package var bodyLimit: Int?
    /// Bytes that belong to no message, sent as they are.
    package var garbage: [UInt8] = []
    package var ending = Ending.complete

    /// Whether the response is complete and the last of its connection.
    package var endsConnection: Bool {
        if case .lastOfConnection = ending { true } else { false }
    }

    package init() {}
}
