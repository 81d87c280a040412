// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

/// The files of a fixture directory, or the one file that is served, as the file system has them: if they are the same, a load reads the same.
package struct DirectoryState: Sendable, Equatable {
    private struct File: Sendable, Equatable {
        let path: String
        let size: Int
        let modified: Int
        let inode: UInt64
    }

    /// The directory's real path.
    private let root: String
    private let files: [File]
    private let findings: [String]
    /// Nanoseconds since 1970.
    private let newest: Int

    /// - Returns: nil if there is nothing to read, or a recording is not finished there.
    package init?(root: String) {
        guard let source = try? FixtureLoader.resolve(root), Self.isFinished(source.path) else { return nil }
        let walk = DirectoryWalk(source)
        self.root = source.path
        files = walk.files.map {
            File(path: $0.path, size: $0.status.size, modified: $0.status.modified, inode: $0.status.inode)
        }
        findings = walk.findings.map(\.description)
        newest = max(source.status.modified, walk.files.lazy.map(\.status.modified).max() ?? 0)
    }

    private static func isFinished(_ path: String) -> Bool {
        do {
            return try UnfinishedRecording.read(in: path) == nil
        } catch {
            return false
        }
    }

    /// Whether all is older than a moment by two seconds: another change may leave a younger file with the same time.
    ///
    /// - Parameter now: nanoseconds since 1970.
    package func isSettled(at now: Int) -> Bool { newest < now &- 2_000_000_000 }
}
