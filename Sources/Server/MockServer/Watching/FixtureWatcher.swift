// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiSystemIO

/// Calls when something below a directory has changed, once for changes that come close together.
package final class FixtureWatcher: Sendable {
    private let source: DirectoryChanges
    private let queue = DispatchQueue(label: "mockapi.watch")

    /// How long changes are gathered: an editor or a checkout writes more than one file. 100 ms.
    static let settling = DispatchTimeInterval.milliseconds(100)

    /// - Parameters:
    ///   - directory: the path as it was given: where it leads may change, too.
    ///   - looksOnly: whether the directory is looked at once a second even if the system reports changes.
    ///   - looking: called once if it is looked at, in whole or in part: on a mount for which the system does not report changes from elsewhere.
    ///   - failed: called with the system's words if not all changes can be seen.
    ///   - changed: called beside the event loops, which go first; one call at a time, and one for all changes while it waits for its turn.
    package init?(
        directory: String, looksOnly: Bool = false, looking: @escaping @Sendable () -> Void = {},
        failed: @escaping @Sendable (String) -> Void, changed: @escaping @Sendable () -> Void
    ) {
        let workers = BackgroundWorkers(width: 1, limit: 1)
        guard
            let source = DirectoryChanges(
                directory: directory, queue: queue, settling: Self.settling, looksOnly: looksOnly,
                looking: looking, failed: failed,
                changed: { _ = workers.add { changed() } })
        else { return nil }
        self.source = source
    }

    package func stop() {
        source.stop()
    }
}
