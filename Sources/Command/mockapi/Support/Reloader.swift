// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures
import Synchronization

/// Serves the fixtures again when they have changed; a broken edit is reported, and the last good set stays.
struct Reloader: Sendable {
    /// All serve the same directory.
    let servers: [MockServer]
    let directory: String
    let isWireMockRoot: Bool
    let standard: FixtureStandard
    let isQuiet: Bool

    init(servers: [MockServer], directory: FixtureDirectory, standard: FixtureStandard, isQuiet: Bool) {
        self.servers = servers
        self.directory = directory.directory
        isWireMockRoot = directory.isWireMockRoot
        self.standard = standard
        self.isQuiet = isQuiet
    }

    /// - Parameter begins: whether sequences and scenarios begin again, those of fixtures that stay too.
    func reload(begins: Bool = false) {
        var isWell = true
        for (index, server) in servers.enumerated() {
            // Findings on the fixtures are reported once.
            isWell = isWell && replace(server, isFirst: index == 0, begins: begins)
            if begins, !isWell { server.resetStates() }
        }
    }

    /// - Returns: false if the fixtures cannot be served, which is reported.
    private func replace(_ server: MockServer, isFirst: Bool, begins: Bool) -> Bool {
        do throws(MockServerError) {
            let loaded = try server.reload(directory, wireMock: isWireMockRoot)
            if isFirst { Output.note(loaded.findings.map { $0.located(in: FixtureDirectory.folder(of: directory)) }) }
            if standard.refuses(loaded.findings) {
                Output.note("  the earlier fixtures are served until these findings are mended")
                return false
            }
            server.replace(loaded)
            if begins { server.resetStates() }
            if !isQuiet, isFirst {
                Output.note(
                    "  reloaded: \(loaded.counts), \(Counts.count(loaded.findings.count, "finding"))", .reloaded)
                if let note = FixtureDirectory.leftOutNote(loaded, in: FixtureDirectory.folder(of: directory)) {
                    Output.note(note)
                }
            }
            return true
        } catch {
            Output.note("error: \(error); the earlier fixtures are still served")
            return false
        }
    }
}

/// Changes of the fixtures from before they were first read; those that come before there is a server to reload wait for it.
final class FixtureChanges: Sendable {
    private struct State {
        var reloader: Reloader?
        /// Whether sequences begin again at the reload that waits; nil if none does.
        var waiting: Bool?
    }

    private let state = Mutex(State())
    /// One reload at a time, whatever asks for it.
    private let isReloading = Mutex(())

    /// - Parameter begins: whether sequences begin again.
    func noticed(begins: Bool = false) {
        let reloader = state.withLock { state in
            if state.reloader == nil { state.waiting = begins || state.waiting == true }
            return state.reloader
        }
        isReloading.withLock { _ in reloader?.reload(begins: begins) }
    }

    /// From now on changes are served.
    func reload(by reloader: Reloader) {
        let waiting = state.withLock { state in
            state.reloader = reloader
            return state.waiting
        }
        if let begins = waiting { isReloading.withLock { _ in reloader.reload(begins: begins) } }
    }
}
