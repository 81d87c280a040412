// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPWire
package import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A socket that listens: clients connect from now on, and wait for a server to accept them.
package struct ListeningSocket: Sendable {
    package let address: SocketAddress
    let descriptor: Int32

    /// Takes the port.
    ///
    /// - Parameter port: 0 lets the system choose.
    /// - Throws: `SystemError`: of `getaddrinfo` for an invalid host, of `bind` with `EADDRINUSE` for a port that is taken.
    package init(host: String, port: Int) throws(SystemError) {
        descriptor = try Socket.listen(host: host, port: port, backlog: ServerConfiguration.backlog)
        address = Socket.localAddress(descriptor)
    }

    /// Takes a port on all addresses of a host that clients may try: `*` is every one of both families, `localhost` is both 127.0.0.1 and ::1, if the machine has that (RFC 6761 §6.3).
    ///
    /// - Throws: as `init`, also if the port is taken on only one of both.
    package static func all(host: String, port: Int) throws(SystemError) -> [ListeningSocket] {
        if host == "*" {
            // A socket of `::` takes IPv4 too; a machine without IPv6 has no such address.
            do throws(SystemError) {
                return [try ListeningSocket(host: "::", port: port)]
            } catch {
                guard error.code == EADDRNOTAVAIL || error.code == EAFNOSUPPORT else { throw error }
                return [try ListeningSocket(host: "0.0.0.0", port: port)]
            }
        }
        guard host.lowercased() == "localhost" else { return [try ListeningSocket(host: host, port: port)] }
        var attempt = 1
        while true {
            let first: ListeningSocket
            do throws(SystemError) {
                first = try ListeningSocket(host: "127.0.0.1", port: port)
            } catch {
                // The machine has no IPv4.
                guard error.code == EADDRNOTAVAIL || error.code == EAFNOSUPPORT else { throw error }
                return [try ListeningSocket(host: "::1", port: port)]
            }
            do throws(SystemError) {
                return [first, try ListeningSocket(host: "::1", port: Int(first.address.port))]
            } catch {
                guard error.code == EADDRINUSE else { return [first] }
                first.close()
                // A port that the system has chosen may be taken on the other address.
                guard port == 0, attempt < attempts else { throw error }
                attempt += 1
            }
        }
    }

    /// Gives the port back, of a socket that no server has.
    package func close() {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Darwin)
            _ = Darwin.close(descriptor)
        #endif
    }

    /// How many ports the system is asked for that are free on both. 5.
    private static let attempts = 5
}
