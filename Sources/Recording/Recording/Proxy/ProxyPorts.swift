// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// The ports on which the proxies of a session listen, in the order of their upstreams.
final class ProxyPorts: Sendable {
    private let ports = Mutex<[Int]>([])

    func set(_ ports: [Int]) {
        self.ports.withLock { $0 = ports }
    }

    var all: [Int] { ports.withLock { $0 } }
}
