// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPWire
import MockapiSystemIO
import Synchronization

/// The ports that servers of this process have had: a client that comes late for one server must not meet another, as long as the system has
/// ports that are new.
enum UsedPorts {
    /// How often the system is asked for another port. 64.
    private static let attempts = 64
    /// Ports that are remembered. 10,000 of the 14,000 that Linux gives out for listening, which have one parity: of 64 offers one is new.
    private static let limit = 10_000

    /// The ports in a ring: a new one replaces the one taken longest ago.
    private struct Ports {
        private var order: [UInt16] = []
        private var oldest = 0
        private var all: Set<UInt16> = []

        /// - Returns: whether the port is new.
        mutating func insert(_ port: UInt16) -> Bool {
            guard all.insert(port).inserted else { return false }
            guard order.count == limit else {
                order.append(port)
                return true
            }
            all.remove(order[oldest])
            order[oldest] = port
            oldest = (oldest + 1) % limit
            return true
        }
    }

    private static let used = Mutex(Ports())

    /// Takes a port.
    ///
    /// - Parameter port: 0 for one that no server of the process has had.
    static func listen(host: String, port: Int) throws(SystemError) -> [ListeningSocket] {
        var sockets = try ListeningSocket.all(host: host, port: port)
        guard port == 0 else { return sockets }
        var passed: [ListeningSocket] = []
        while passed.count < attempts, !isNew(sockets) {
            guard let others = try? ListeningSocket.all(host: host, port: 0) else { break }
            passed += sockets
            sockets = others
        }
        // Not before: the system would give them out once more.
        for socket in passed { socket.close() }
        return sockets
    }

    private static func isNew(_ sockets: [ListeningSocket]) -> Bool {
        guard let port = sockets.first?.address.port else { return true }
        return used.withLock { $0.insert(UInt16(truncatingIfNeeded: port)) }
    }
}
