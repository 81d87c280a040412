// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that a recording is made from.
enum LocalFile {
    static func read(_ path: String, limit: Int) throws(RecordingError) -> [UInt8] {
        guard let file = fopen(path, "r") else { throw failure(path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
            bytes += buffer[..<count]
            guard bytes.count <= limit else {
                throw RecordingError("\(path) is longer than \(limit) bytes; send it through the proxy")
            }
        }
        // A directory can be opened, and not read.
        guard ferror(file) == 0 else { throw failure(path) }
        return bytes
    }

    /// Whether a path, as far as it leads anywhere, stays inside of a folder, whatever links are on its way.
    static func leads(_ path: String, into folder: String) -> Bool {
        // What is not there is told when it is read.
        guard let target = real(path), let inside = real(folder) else { return true }
        return inside == "/" || target.hasPrefix(inside + "/")
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func failure(_ path: String) -> RecordingError {
        RecordingError("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
}
