// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that a command is told to write.
enum OutputFile {
    /// Why a file cannot be written, in the system's words.
    struct Failure: Error {
        let text: String
    }

    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        guard let file = fopen(path, "w") else { throw failure }
        let count = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, bytes.count, file) }
        guard fclose(file) == 0, count == bytes.count else { throw failure }
    }

    /// All bytes of a file that the command was told to read; nil where it cannot be read.
    static func contents(_ path: String) -> [UInt8]? { FileReader.contents(path) }

    private static var failure: Failure { Failure(text: String(cString: strerror(errno))) }
}
