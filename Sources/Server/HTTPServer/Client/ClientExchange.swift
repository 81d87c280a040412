// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPWire

/// Receives a response as it comes; all calls are on the loop, none comes after the end or the failure.
package protocol ClientExchangeDelegate: AnyObject {
    /// The head of the final response has come.
    func began(_ head: ReceivedHead)
    /// Some of the content, at least a byte.
    func received(_ bytes: [UInt8])
    /// All that had come is reported; more may follow later.
    func paused()
    /// The response is complete.
    ///
    /// - Parameter trailers: names and values as they came.
    func completed(trailers: [(name: [UInt8], value: [UInt8])])
    func failed(_ failure: ClientFailure)
}

/// Why there is no response, or no more of it.
package enum ClientFailure: Error, Hashable, Sendable {
    /// The host's name has no address.
    case unresolved(host: String)
    /// In the system's words.
    case unconnected(host: String, port: Int, String)
    case connectTimeout(host: String, port: Int)
    /// Nothing came or went for too long.
    case idleTimeout
    /// The server closed without a byte of a response.
    case noResponse
    /// The connection ended in the middle of the response, or could not be written to; in words.
    case connectionLost(String)
    case fault(ResponseFault)
    case cancelled
}

/// A host and a port that requests go to.
package struct ClientTarget: Hashable, Sendable {
    /// A name or an address, IPv6 without brackets.
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}

/// One request and its response, whose state is all there is of them; it belongs to its loop.
package final class ClientExchange {
    /// The head of the request with the empty line after it.
    let head: [UInt8]
    let body: [UInt8]
    /// Whether HEAD is asked.
    let isHead: Bool
    /// Whether asking twice comes to the same as asking once (RFC 9110 §9.2.2).
    let isIdempotent: Bool
    private(set) var delegate: (any ClientExchangeDelegate)?
    var connection: ClientConnection?
    var pool: ClientPool?
    /// Whether no more of the response is read for now.
    package private(set) var isHeld = false

    // The state of connecting.
    var isRetried = false
    /// When connecting is given up, in the loop's time.
    var connectDeadline: UInt64 = 0
    var attempts = 0
    /// Attempts in a row that were refused.
    var refusals = 0
    /// Why the first of the addresses refused.
    var refusal: String?

    package init(
        head: [UInt8], body: [UInt8], isHead: Bool, isIdempotent: Bool, delegate: any ClientExchangeDelegate
    ) {
        self.head = head
        self.body = body
        self.isHead = isHead
        self.isIdempotent = isIdempotent
        self.delegate = delegate
    }

    package var hasEnded: Bool { delegate == nil }

    /// Reads no more of the response until `resume`.
    package func hold() {
        isHeld = true
    }

    /// Goes on reading, once the events at hand are done.
    package func resume() {
        guard isHeld else { return }
        isHeld = false
        connection?.goOn()
    }

    /// Gives up; the delegate hears of it if the end has not come yet.
    package func cancel() {
        fail(.cancelled)
    }

    func fail(_ failure: ClientFailure) {
        guard let delegate else { return }
        self.delegate = nil
        let connection = connection
        self.connection = nil
        pool?.forget(self)
        pool = nil
        connection?.abandon()
        delegate.failed(failure)
    }

    /// The response is complete: the delegate, for the last time.
    func finish() -> (any ClientExchangeDelegate)? {
        defer { delegate = nil }
        connection = nil
        pool = nil
        return delegate
    }
}
