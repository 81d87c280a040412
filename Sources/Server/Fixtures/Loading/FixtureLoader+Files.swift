// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

extension FixtureLoader {
    /// The paths of all files of a fixture directory, relative to it, in byte order, each file under the first of its names alone.
    ///
    /// - Parameter root: the directory's real path.
    package static func distinctFiles(in root: String) -> [String] {
        guard let status = FileStatus(path: root) else { return [] }
        var known: Set<FileIdentity> = []
        return DirectoryWalk(root: root, status: status).files
            .filter { known.insert($0.status.identity).inserted }.map(\.path)
    }

    /// The first bytes of a file, all of them if there are no more than `limit`; nil if it cannot be read.
    package static func content(of path: String, limit: Int) -> [UInt8]? {
        try? FileReader.read(path, limit: limit).bytes
    }

    /// Whether a file can be made under a path: nothing is there, and no file stands where it needs a folder.
    package static func isFree(_ path: String, in root: String) -> Bool {
        guard FileStatus(path: "\(root)/\(path)") == nil else { return false }
        var folder = path.directory
        while !folder.isEmpty {
            if let status = FileStatus(path: "\(root)/\(folder)") { return status.kind == .directory }
            folder = String(folder).directory
        }
        return true
    }
}
