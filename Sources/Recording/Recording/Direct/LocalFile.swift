// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that a recording is made from.
enum LocalFile {
    static func read(_ path: String, limit: Int) throws(RecordingError) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(SystemError) {
            // A directory can be opened, and not read.
            bytes = try FileReader.readAnything(path, limit: limit)
        } catch {
            throw RecordingError("\(path) cannot be read: \(error.words)")
        }
        guard let bytes else {
            throw RecordingError("\(path) is longer than \(limit) bytes; send it through the proxy")
        }
        return bytes
    }

    /// Whether a path, as far as it leads anywhere, stays inside of a folder, whatever links are on its way.
    static func leads(_ path: String, into folder: String) -> Bool {
        // A missing file is reported when it is read.
        guard let target = real(path), let inside = real(folder) else { return true }
        return inside == "/" || target.hasPrefix(inside + "/")
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
