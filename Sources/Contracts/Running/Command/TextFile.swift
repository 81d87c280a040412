// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Small files that runs read and write.
package enum TextFile {
    /// A failure to read or write a file, in the system's words.
    package struct Failure: Error, CustomStringConvertible {
        package let path: String
        package let text: String

        package init(path: String, text: String) {
            self.path = path
            self.text = text
        }

        init(path: String) {
            self.init(path: path, text: SystemError.lastWords)
        }

        package var description: String { "\(path): \(text)" }
    }

    /// - Returns: nil if the file cannot be read, or is larger.
    package static func read(_ path: String, limit: Int) -> [UInt8]? {
        (try? FileReader.readAnything(path, limit: limit)).flatMap { $0 }
    }

    /// Writes a file under another name first, so that nobody ever reads half of it, and leaves a file that has these bytes already as it is.
    package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        if read(path, limit: bytes.count) == bytes { return }
        var status = stat()
        // A special file, such as /dev/stdout, is written as it is.
        let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        do throws(SystemError) {
            if isSpecial { return try FileWriter.write(bytes, to: path) }
            let temporary = "\(path).\(UInt64.random(in: .min ... .max)).tmp"
            try FileWriter.replace(path, with: bytes, temporary: temporary, isKept: false)
        } catch {
            throw Failure(path: path, text: error.words)
        }
    }

    static func makeDirectory(_ path: String) throws(Failure) {
        var folder = path.hasPrefix("/") ? "" : "."
        for part in path.split(ascii: "/") {
            folder += "/\(part)"
            guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw Failure(path: path) }
        }
    }

    /// In byte order.
    static func names(in directory: String) throws(Failure) -> [String] {
        guard let stream = opendir(directory) else { throw Failure(path: directory) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            names.append(name)
        }
        return names.sorted()
    }
}
