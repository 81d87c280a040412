// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The directory that is recorded into.
package enum FixtureRoot {
    /// Makes the directory and those it lies in, if they are missing.
    ///
    /// - Returns: the real path.
    package static func make(_ path: String) throws(RecordingError) -> String {
        var made = path.utf8.first == ASCII.slash ? "/" : ""
        for part in path.split(ascii: "/") {
            made += made.isEmpty || made == "/" ? String(part) : "/\(part)"
            if mkdir(made, 0o755) != 0, errno != EEXIST {
                throw RecordingError("\(path) cannot be made: \(SystemError.lastWords)")
            }
        }
        guard let real = realpath(path, nil) else {
            throw RecordingError("\(path) cannot be opened: \(SystemError.lastWords)")
        }
        defer { free(real) }
        return String(cString: real)
    }

    /// Removes the folders that are empty now that files in them were.
    static func removeEmptyFolders(of paths: [String], in root: String) {
        for path in paths {
            var folder = path[...]
            while let slash = folder.lastIndex(ascii: "/") {
                folder = folder[..<slash]
                if rmdir("\(root)/\(folder)") != 0 { break }
            }
        }
    }

    /// A warning if the directory is a symbolic link, which may not be the user's own.
    static func findings(_ path: String, real: String) -> [Finding] {
        var name = path[...]
        while name.count > 1, name.hasSuffix("/") { name.removeLast() }
        var status = stat()
        guard lstat(String(name), &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return [] }
        return [Finding(.warning, "a symbolic link; recordings go to \(real)", at: Place(path: String(name)))]
    }
}
