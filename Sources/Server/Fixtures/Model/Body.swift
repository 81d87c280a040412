// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

/// The bytes of a response.
///
/// Bodies up to `memoryLimit` are held in memory; larger ones stay on disk and are opened when they are sent.
package enum Body: Sendable {
    case empty
    case bytes([UInt8])
    /// Apart, so that a body in memory takes no room for the properties of a file.
    indirect case file(FileBody)

    /// 32 KiB: a larger body would lose against the page cache as much as it gains in memory.
    package static let memoryLimit = 32 * 1024

    package var count: Int {
        switch self {
        case .empty: 0
        case .bytes(let bytes): bytes.count
        case .file(let file): file.size
        }
    }
}

extension Body {
    /// The bytes that are in memory; none of a body that stays on the disk.
    package var held: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }

    /// All bytes, read from the disk if they stay there; nil if that cannot be done.
    package var bytes: [UInt8]? {
        switch self {
        case .empty: []
        case .bytes(let bytes): bytes
        case .file(let file): try? FileReader.read(file.path, limit: file.size).bytes
        }
    }
}

/// A body that stays on disk, and its state when it was loaded.
package struct FileBody: Hashable, Sendable {
    /// The absolute path.
    package var path: String
    package var size: Int
    /// Nanoseconds since 1970.
    package var modified: Int
    package var inode: UInt64
    /// Where a recording moves it to; nil for a file that is in its place.
    package var laterPath: String?

    package init(path: String, size: Int, modified: Int, inode: UInt64) {
        self.path = path
        self.size = size
        self.modified = modified
        self.inode = inode
    }
}
