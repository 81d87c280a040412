// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiSystemIO
import Synchronization

/// The directories that servers of this process serve, each read once while its files stay as they are: hundreds of tests share one load.
enum FixtureCache {
    /// How many loads are kept. 8.
    private static let limit = 8

    private struct Entry {
        let path: String
        let wireMock: Bool
        let templatesAll: Bool
        let state: DirectoryState
        let set: FixtureSet
    }

    /// Held while a directory is read, so that tests which begin together wait for one load.
    private static let entries = Mutex<[Entry]>([])

    /// Reads a directory, unless it has been read and has not changed since.
    static func load(_ path: String, wireMock: Bool, templatesAll: Bool) throws(MockServerError) -> FixtureSet {
        try entries.withLock { (entries) throws(MockServerError) in
            let now = Int(Clock.wall())
            let state = DirectoryState(root: path)
            let index = entries.firstIndex { entry in
                entry.path == path && entry.wireMock == wireMock && entry.templatesAll == templatesAll
            }
            if let index {
                if entries[index].state == state { return entries[index].set }
                entries.remove(at: index)
            }
            let set = try read(path, wireMock: wireMock, templatesAll: templatesAll)
            // A directory that changes while it is read is read once more.
            if let state, state.isSettled(at: now), DirectoryState(root: path) == state {
                if entries.count >= limit { entries.removeFirst() }
                entries.append(
                    Entry(path: path, wireMock: wireMock, templatesAll: templatesAll, state: state, set: set))
            }
            return set
        }
    }

    /// Reads a directory even if it has been read before.
    static func read(_ path: String, wireMock: Bool, templatesAll: Bool) throws(MockServerError) -> FixtureSet {
        do throws(FixtureError) {
            return try FixtureLoader.load(root: path, wireMock: wireMock, templatesAll: templatesAll)
        } catch {
            throw MockServerError(.directoryUnusable(error.description))
        }
    }
}
