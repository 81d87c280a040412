// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPWire
import MockapiSystemIO
import Synchronization

/// The ports that servers have had: a client that comes late for one server must not meet another, so a port comes again as late as the system's
/// choice of ports allows.
final class UsedPorts: Sendable {
    /// Those of this process.
    static let ofProcess = UsedPorts()

    /// How many ports the system is asked for before the one taken longest ago will do. 64.
    private static let offers = 64
    /// How many servers start before a port may come again. 4,096: Linux gives out some 7,000 ports for a socket that may share its port (the lower half of
    /// `ip_local_port_range`, one parity of it), so that two offers of five will do.
    private static let distance = 4_096

    /// When each port was taken last, counted in starts.
    private struct Ports {
        private var starts = 0
        private var last: [Int: Int] = [:]

        /// How many servers have started since a port was taken.
        func age(_ port: Int) -> Int { last[port].map { starts - $0 } ?? .max }

        mutating func take(_ port: Int) {
            starts += 1
            last[port] = starts
        }
    }

    private let used = Mutex(Ports())

    /// Takes a port.
    ///
    /// - Parameter port: 0 for a port that no server had lately.
    func listen(host: String, port: Int) throws(SystemError) -> [ListeningSocket] {
        let sockets = try ListeningSocket.all(host: host, port: port)
        guard port == 0 else { return sockets }
        // They stay open until the choice is made: the system would offer them once more.
        let choice = choose(sockets, port: Self.port(of:)) { try? ListeningSocket.all(host: host, port: 0) }
        for declined in choice.declined {
            for socket in declined { socket.close() }
        }
        return choice.taken
    }

    /// Takes the first offer whose port no server had lately, or else the one whose port was taken longest ago.
    ///
    /// - Parameters:
    ///   - port: the port of an offer.
    ///   - another: the next offer; nil if there is none.
    func choose<Offer>(
        _ first: Offer, port: (Offer) -> Int, another: () -> Offer?
    ) -> (taken: Offer, declined: [Offer]) {
        var taken = first
        var declined: [Offer] = []
        var longest = age(port(first))
        for _ in 1..<Self.offers {
            guard longest < Self.distance, let other = another() else { break }
            let age = self.age(port(other))
            declined.append(age > longest ? taken : other)
            if age > longest { (taken, longest) = (other, age) }
        }
        let chosen = port(taken)
        used.withLock { $0.take(chosen) }
        return (taken, declined)
    }

    private func age(_ port: Int) -> Int { used.withLock { $0.age(port) } }

    private static func port(of sockets: [ListeningSocket]) -> Int {
        sockets.first.map { Int($0.address.port) } ?? 0
    }
}
