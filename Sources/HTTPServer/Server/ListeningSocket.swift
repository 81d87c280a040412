// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A socket that listens: clients connect from now on, and wait for a server to accept them.
package struct ListeningSocket: Sendable {
    package let address: SocketAddress
    let descriptor: Int32

    /// Takes the port.
    ///
    /// - Parameter port: 0 lets the system choose.
    /// - Throws: `SystemError`: of `getaddrinfo` for a host that is none, of `bind` with `EADDRINUSE` for a port that is taken.
    package init(host: String, port: Int) throws(SystemError) {
        descriptor = try Socket.listen(host: host, port: port, backlog: ServerConfiguration.backlog)
        address = Socket.localAddress(descriptor)
    }
}
