// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A connection as its requests see it.
package struct ConnectionInfo: Sendable {
    /// Counted over all servers of the process, from 1.
    package var id: UInt64
    package var peer: SocketAddress
    /// Nil if the connection is not encrypted.
    package var tls: TLSVersion?
    /// Whether its requests are for other servers: they come through a tunnel that CONNECT has opened (RFC 9110 §9.3.6).
    package var isTunnel = false

    /// The connection of nothing that has come.
    package static let none = ConnectionInfo(id: 0, peer: .none)

    package init(id: UInt64, peer: SocketAddress) {
        self.id = id
        self.peer = peer
    }
}
