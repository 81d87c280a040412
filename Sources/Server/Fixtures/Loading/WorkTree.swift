// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The work trees of git.
package enum WorkTree {
    /// The top of the work tree that a directory lies in: the nearest folder with a `.git`, which is a file in a submodule.
    ///
    /// - Parameter directory: an absolute path.
    /// - Returns: nil if it lies in none.
    package static func top(of directory: String) -> String? {
        var folder = directory[...]
        while true {
            if access("\(folder)/.git", F_OK) == 0 { return folder.isEmpty ? "/" : String(folder) }
            guard let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            folder = folder[..<slash]
        }
    }
}
