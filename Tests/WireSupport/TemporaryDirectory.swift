// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A fixture directory of one test; removed with all that is in it when the last reference goes.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package struct Failure: Error {
        var call: String
        var code: Int32
    }

    /// - Parameter files: paths and contents; folders are made as needed.
    package init(_ files: KeyValuePairs<String, String> = [:]) throws {
        var template = Array("/tmp/mockapi-wire-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template), let real = realpath(made, nil) else {
            throw Failure(call: "mkdtemp", code: errno)
        }
        path = String(cString: real)
        free(real)
        for (name, content) in files { try write(name, content) }
    }

    package func write(_ name: String, _ text: String) throws {
        try write(name, Array(text.utf8))
    }

    package func write(_ name: String, _ bytes: [UInt8]) throws {
        if let slash = name.lastIndex(of: "/") { makeFolder(String(name[..<slash])) }
        guard let file = fopen("\(path)/\(name)", "w") else { throw Failure(call: "fopen \(name)", code: errno) }
        let written = bytes.withUnsafeBytes { $0.baseAddress.map { base in fwrite(base, 1, bytes.count, file) } ?? 0 }
        guard fclose(file) == 0, written == bytes.count else { throw Failure(call: "fwrite \(name)", code: errno) }
    }

    package func makeFolder(_ name: String) {
        var folder = path
        for part in name.split(separator: "/") {
            folder += "/\(part)"
            mkdir(folder, 0o755)
        }
    }

    package func link(_ name: String, to target: String) throws {
        guard symlink(target, "\(path)/\(name)") == 0 else { throw Failure(call: "symlink \(name)", code: errno) }
    }

    package func remove(_ name: String) {
        Self.remove("\(path)/\(name)")
    }

    package func text(_ name: String) -> String {
        String(decoding: bytes(name), as: UTF8.self)
    }

    package func bytes(_ name: String) -> [UInt8] {
        guard let file = fopen("\(path)/\(name)", "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    deinit {
        Self.remove(path)
    }

    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR, let stream = opendir(path) else {
            unlink(path)
            return
        }
        chmod(path, 0o755)
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { remove("\(path)/\(name)") }
        }
        closedir(stream)
        rmdir(path)
    }
}
