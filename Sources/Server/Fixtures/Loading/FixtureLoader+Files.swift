// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

extension FixtureLoader {
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
