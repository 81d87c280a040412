// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// The servers that a test has started itself, beside its own, so that they are verified with that.
package final class StartedServers: Sendable {
    /// Keeps those that tasks of the test start; nil if nobody does.
    @TaskLocal package static var keeper: StartedServers?

    private let servers = Mutex<[MockServer]>([])

    package init() {}

    func keep(_ server: MockServer) { servers.withLock { $0.append(server) } }

    /// Those that nobody has verified, in the order in which they were started.
    package func takeUnverified() -> [MockServer] {
        servers.withLock { servers in
            defer { servers = [] }
            return servers.filter { !$0.isVerified.load(ordering: .relaxed) }
        }
    }
}
