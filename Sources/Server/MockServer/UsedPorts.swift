// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPWire
import MockapiSystemIO
import Synchronization

/// The ports that servers of this process have had: a client that comes late for one server must not meet another, as long as the system has
/// ports that are new.
enum UsedPorts {
    /// How often the system is asked for another port. 16.
    private static let attempts = 16
    /// Ports beyond which all are taken for new again: half of those that Linux gives out.
    private static let limit = 14_000

    private static let used = Mutex<Set<UInt16>>([])

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
        used.withLock { used in
            if used.count >= limit { used = [] }
            return sockets.first.map { used.insert(UInt16(truncatingIfNeeded: $0.address.port)).inserted } ?? true
        }
    }
}
