// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A fixture directory of one test; removed with all that is in it when the last reference goes.
final class TemporaryDirectory {
    let path: String

    struct Failure: Error {
        var call: String
        var code: Int32
    }

    /// - Parameter files: paths and contents; folders are made as needed.
    init(_ files: KeyValuePairs<String, String> = [:]) throws {
        var template = Array("/tmp/mockapi-fixtures-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template), let real = realpath(made, nil) else {
            throw Failure(call: "mkdtemp", code: errno)
        }
        path = String(cString: real)
        free(real)
        for (name, content) in files { try write(name, Array(content.utf8)) }
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        if let slash = name.lastIndex(of: "/") { makeFolder(String(name[..<slash])) }
        guard let file = fopen("\(path)/\(name)", "w") else { throw Failure(call: "fopen \(name)", code: errno) }
        let written = bytes.withUnsafeBytes { $0.baseAddress.map { base in fwrite(base, 1, bytes.count, file) } ?? 0 }
        guard fclose(file) == 0, written == bytes.count else { throw Failure(call: "fwrite \(name)", code: errno) }
    }

    func makeFolder(_ name: String) {
        var folder = path
        for part in name.split(separator: "/") {
            folder += "/\(part)"
            mkdir(folder, 0o755)
        }
    }

    func link(_ name: String, to target: String) throws {
        guard symlink(target, "\(path)/\(name)") == 0 else { throw Failure(call: "symlink \(name)", code: errno) }
    }

    func load(wireMock: Bool = false) throws -> FixtureSet {
        try withExtendedLifetime(self) { try FixtureLoader.load(root: path, wireMock: wireMock) }
    }

    /// The findings as they are printed.
    func findings(wireMock: Bool = false) throws -> [String] {
        try load(wireMock: wireMock).findings.map(\.description)
    }

    /// The findings of one stub file, without its path, beside other files.
    static func findings(ofStub text: String, files: KeyValuePairs<String, String> = [:]) throws -> [String] {
        let directory = try TemporaryDirectory(files)
        try directory.write("x.stub.json", Array(text.utf8))
        return try directory.findings().map { finding in
            finding.hasPrefix("x.stub.json:") ? String(finding.dropFirst("x.stub.json:".count)) : finding
        }
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
