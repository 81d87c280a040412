// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import MockServer
import Synchronization

/// Serves the fixtures anew when they have changed; a broken edit is reported, and the last good set stays.
struct Reloader: Sendable {
    let server: MockServer
    let directory: String
    let isWireMockRoot: Bool
    let isStrict: Bool
    let isLenient: Bool
    let isQuiet: Bool

    init(server: MockServer, directory: FixtureDirectory, isStrict: Bool, isLenient: Bool, isQuiet: Bool) {
        self.server = server
        self.directory = directory.directory
        isWireMockRoot = directory.isWireMockRoot
        self.isStrict = isStrict
        self.isLenient = isLenient
        self.isQuiet = isQuiet
    }

    func reload() {
        do throws(MockServerError) {
            let loaded = try server.reload(directory, wireMock: isWireMockRoot)
            for finding in loaded.findings {
                Output.note(finding.located(in: directory).description)
            }
            if loaded.findings.contains(where: { $0.severity == .error && !isLenient || isStrict }) {
                Output.note("  the fixtures served before stay, until these findings are mended")
                return
            }
            server.replace(loaded)
            if !isQuiet {
                Output.note("  reloaded: \(loaded.counts), \(Counts.count(loaded.findings.count, "finding"))")
                if let note = FixtureDirectory.leftOutNote(loaded, in: directory) { Output.note(note) }
            }
        } catch {
            Output.note("error: \(error); the fixtures served before stay")
        }
    }
}

/// Changes of the fixtures from before they were first read; those that come before there is a server to reload wait for it.
final class FixtureChanges: Sendable {
    private struct State {
        var reloader: Reloader?
        var isWaiting = false
    }

    private let state = Mutex(State())

    func noticed() {
        let reloader = state.withLock { state in
            if state.reloader == nil { state.isWaiting = true }
            return state.reloader
        }
        reloader?.reload()
    }

    /// From now on changes are served.
    func reload(by reloader: Reloader) {
        let isWaiting = state.withLock { state in
            state.reloader = reloader
            return state.isWaiting
        }
        if isWaiting { reloader.reload() }
    }
}
