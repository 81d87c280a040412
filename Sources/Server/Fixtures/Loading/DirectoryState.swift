// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The files of a fixture directory as the file system has them: if they are the same, a load reads the same.
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

    /// - Returns: nil if there is no directory, or a recording is not finished there.
    package init?(root: String) {
        guard let real = realpath(root, nil) else { return nil }
        defer { free(real) }
        let path = String(cString: real)
        guard let status = FileStatus(path: path), status.kind == .directory, Self.isFinished(path) else { return nil }
        let walk = DirectoryWalk(root: path, status: status)
        self.root = path
        files = walk.files.map {
            File(path: $0.path, size: $0.status.size, modified: $0.status.modified, inode: $0.status.inode)
        }
        findings = walk.findings.map(\.description)
        newest = max(status.modified, walk.files.lazy.map(\.status.modified).max() ?? 0)
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
