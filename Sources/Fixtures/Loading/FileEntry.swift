// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A file of a fixture directory, before it is read.
struct FileEntry {
    /// Relative to the fixture directory, with `/`.
    var path: String
    /// What a symbolic link leads to, not the link.
    var status: FileStatus

    /// The path behind the last `/`.
    var name: Substring { path.fileName }
}

extension String {
    /// What stands behind the last `/`.
    var fileName: Substring {
        utf8.lastIndex(of: UInt8(ascii: "/")).map { self[index(after: $0)...] } ?? self[...]
    }

    /// What stands in front of the last `/`; empty where there is none.
    var directory: Substring {
        utf8.lastIndex(of: UInt8(ascii: "/")).map { self[..<$0] } ?? ""
    }

    /// What stands behind the last `.` of the file's name, in lower case; empty where there is none.
    var fileExtension: String {
        let name = fileName
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// Whether this comes before another in byte order, whatever the language.
    func precedesInBytes(_ other: String) -> Bool {
        let fast = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in left.precedes(right) }
        }
        return (fast ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func precedes(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        let shorter = Swift.min(count, other.count)
        var position = 0
        while position < shorter {
            if self[position] != other[position] { return self[position] < other[position] }
            position += 1
        }
        return count < other.count
    }
}
