// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPWire
import MockapiSystemIO

extension FileBody {
    /// Opens the file if it still is as it was loaded; nil if it is gone or has changed.
    func open() -> OpenFile? {
        for path in [path] + (laterPath.map { [$0] } ?? []) {
            if let file = OpenFile(path: path), isUnchanged(file) { return file }
        }
        return nil
    }

    /// Whether an open file still is as it was loaded.
    func isUnchanged(_ file: OpenFile) -> Bool {
        guard let status = FileStatus(descriptor: file.descriptor) else { return false }
        return status.kind == .file && status.size == size && status.inode == inode && status.modified == modified
    }
}

extension Body {
    /// All bytes, read from disk if they are not in memory; nil if the file is gone or has changed.
    package func loaded() -> [UInt8]? {
        switch self {
        case .empty: return []
        case .bytes(let bytes): return bytes
        case .file(let file):
            return file.open()?.bytes(count: file.size)
        }
    }
}
