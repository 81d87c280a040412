// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockServer
import MockapiFixtures
import MockapiRecording
import Synchronization

/// Serves what was recorded from now on: one reload at a time, however much comes meanwhile.
final class CoalescedReload: Sendable {
    private struct Servers {
        var all: [MockServer] = []
        var directory = ""
        var isLenient = false
        var session: RecordingSession?
    }

    private let queue = DispatchQueue(label: "mockapi.recorded")
    private let isDue = Atomic<Bool>(false)
    private let servers = Mutex(Servers())

    /// Begins: what was recorded before is served from the start.
    func use(_ all: [MockServer], directory: String, isLenient: Bool = false, _ session: RecordingSession) {
        servers.withLock {
            $0 = Servers(all: all, directory: directory, isLenient: isLenient, session: session)
        }
    }

    func request() {
        guard !isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [self] in
            isDue.store(false, ordering: .releasing)
            let servers = servers.withLock { $0 }
            servers.session?.serves {
                for server in servers.all { reload(server, servers) }
            }
        }
    }

    private func reload(_ server: MockServer, _ servers: Servers) {
        do throws(MockServerError) {
            let loaded = try server.reload(servers.directory, wireMock: false)
            // Fixtures that had errors before are left out still, and were told then.
            let errors = servers.isLenient ? [] : loaded.findings.filter { $0.severity == .error }
            for error in errors { Output.note(error.located(in: servers.directory).description) }
            if errors.isEmpty { return server.replace(loaded) }
            Output.note("  the fixtures served before stay, until these findings are mended")
        } catch {
            Output.note("error: \(error); the fixtures served before stay")
        }
    }
}
