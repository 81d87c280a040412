// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension TemporaryDirectory {
    /// All files with their bytes by their paths, those with a dot in front too.
    package func snapshot() -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: files(in: "").map { ($0, bytes($0)) })
    }

    private func files(in folder: String) -> [String] {
        guard let stream = opendir("\(path)/\(folder)") else { return [] }
        defer { closedir(stream) }
        var files: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            let inner = folder.isEmpty ? name : "\(folder)/\(name)"
            var status = stat()
            guard lstat("\(path)/\(inner)", &status) == 0 else { continue }
            files += status.st_mode & S_IFMT == S_IFDIR ? self.files(in: inner) : [inner]
        }
        return files
    }
}
