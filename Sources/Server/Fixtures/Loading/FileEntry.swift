// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

/// A file of a fixture directory, before it is read.
struct FileEntry {
    /// Relative to the fixture directory, with `/`.
    var path: String
    /// The status of the file; for a symbolic link that of its target, not of the link.
    var status: FileStatus
    /// Where it lies while a recording has not moved it to its path; relative to the fixture directory.
    var part: String?

    /// The path behind the last `/`.
    var name: Substring { path.fileName }

    /// Reads the file where it lies.
    ///
    /// - Parameter body: is given the absolute path.
    func read<Result>(
        in root: String, _ body: (String) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        guard let part else { return try body("\(root)/\(path)") }
        do throws(SystemError) {
            return try body("\(root)/\(part)")
        } catch {
            // It has been moved meanwhile.
            guard error.isMissing else { throw error }
            return try body("\(root)/\(path)")
        }
    }

    /// The content of the file; a large one stays where it lies.
    func content(in root: String) throws(SystemError) -> Content {
        var content = try read(in: root) { path throws(SystemError) in try Content.read(path, size: status.size) }
        if part != nil, case .file(var file) = content.body {
            file.laterPath = "\(root)/\(path)"
            content.body = .file(file)
        }
        return content
    }
}

extension String {
    /// The part behind the last `/`.
    var fileName: Substring {
        utf8.lastIndex(of: UInt8(ascii: "/")).map { self[utf8.index(after: $0)...] } ?? self[...]
    }

    /// The part in front of the last `/`; empty if there is none.
    var directory: Substring {
        utf8.lastIndex(of: UInt8(ascii: "/")).map { self[..<$0] } ?? ""
    }

    /// The part of the file's name behind its last `.`, in lower case; empty if there is none.
    var fileExtension: String {
        let name = fileName
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return name[name.utf8.index(after: dot)...].lowercased()
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
