// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that a command writes.
enum OutputFile {
    /// Why a file cannot be written, in the system's words.
    struct Failure: Error {
        let text: String
    }

    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        try write(bytes, to: path, appends: false)
    }

    /// Whether a file can be written more than once: a pipe or a terminal would show each.
    static func canBeRewritten(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    static func append(_ bytes: [UInt8], to path: String) throws(Failure) {
        try write(bytes, to: path, appends: true)
    }

    private static func write(_ bytes: [UInt8], to path: String, appends: Bool) throws(Failure) {
        do throws(SystemError) {
            try FileWriter.write(bytes, to: path, appends: appends)
        } catch {
            throw Failure(text: error.words)
        }
    }

    /// All bytes of a file that the command should read; nil if it cannot be read.
    static func contents(_ path: String) -> [UInt8]? { FileReader.contents(path) }
}
