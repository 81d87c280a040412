// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

/// Keeps two processes from recording into one directory at a time; it is given up when the process ends, however it ends.
final class DirectoryLock: Sendable {
    private let lock: FileLock

    /// - Parameter root: the fixture directory.
    init(root: String) throws(RecordingError) {
        do throws(SystemError) {
            lock = try FileLock(folder: root, waits: false)
        } catch {
            guard error.call == "flock" else { throw RecordingError("\(root) cannot be opened: \(error.words)") }
            throw RecordingError("another mockapi records into \(root); end it, or record into a directory of its own")
        }
    }
}
