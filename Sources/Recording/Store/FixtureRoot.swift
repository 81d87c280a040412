// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The directory that is recorded into.
package enum FixtureRoot {
    /// Makes the directory and those it lies in, where they are missing.
    ///
    /// - Returns: the real path.
    package static func make(_ path: String) throws(RecordingError) -> String {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += made.isEmpty || made == "/" ? String(part) : "/\(part)"
            if mkdir(made, 0o755) != 0, errno != EEXIST {
                throw RecordingError("\(path) cannot be made: \(String(cString: strerror(errno)))")
            }
        }
        guard let real = realpath(path, nil) else {
            throw RecordingError("\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        defer { free(real) }
        return String(cString: real)
    }
}
