// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPWire

/// The limits of a server.
package struct ServerConfiguration: Sendable {
    package var limits = RequestLimits()
    /// Connections beyond it take the place of those that have waited longest.
    package var maxConnections = 20_000
    /// How long a connection may wait for its next request, for the next bytes of a body, or for the client to take bytes.
    package var idleTimeout = Duration.seconds(60)

    /// Whether clients may speak HTTP/2.
    package var speaksHTTP2 = true
    /// How clients are served that speak TLS; nil if they are not.
    package var tls: TLSSettings?
    /// Whether CONNECT opens a tunnel that ends here: the requests in it get their responses from this server.
    package var opensTunnels = false
    /// Called once if TLS cannot be set up for the first client that asks for it.
    package var reportTLS: @Sendable (TLSError) -> Void = { _ in }

    /// How long the head of a request may take from its first byte; the idle time-out if that is shorter. 10 s.
    package static let headTimeout = Duration.seconds(10)
    /// How long a refused client is read from, so that it sees the response. 2 s.
    package static let lingerTimeout = Duration.seconds(2)
    /// Bytes that wait to be sent before further requests of the connection are left unread. 256 KiB.
    package static let outputHighWater = 256 * 1024
    /// Bytes of HTTP/2 frames that are made before they are sent. 120 KiB.
    package static let frameBatch = 120 * 1024
    /// Bytes of TLS records that are made before they are sent. 64 KiB.
    package static let recordBatch = 64 * 1024
    /// How long an HTTP/2 client that must open no more streams may not yet have heard of it. 50 ms.
    package static let drainPause = Duration.milliseconds(50)
    /// Connections that the system keeps until they are accepted.
    package static let backlog: Int32 = 1024

    package init() {}
}

extension Duration {
    /// Whole nanoseconds; negative ones are 0, and more than a hundred years are that, so that times can be added.
    package var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        let longest: Int64 = 100 * 365 * 86_400
        return UInt64(min(max(0, seconds), longest)) * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
    }
}
