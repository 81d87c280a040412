// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The files and folders of a fixture directory, so that no two recordings share a name, whatever a file system makes of its case.
struct TakenNames {
    private var files: Set<String> = []
    /// As they are written, by how they are compared.
    private var folders: [String: String] = [:]

    /// - Parameter paths: of files, relative to the fixture directory.
    init(_ paths: [String]) {
        for path in paths { insert(path) }
    }

    mutating func insert(_ path: String) {
        files.insert(path.lowercased())
        for folder in Self.folders(of: path) where folders[folder.lowercased()] == nil {
            folders[folder.lowercased()] = folder
        }
    }

    mutating func remove(_ path: String) {
        files.remove(path.lowercased())
    }

    /// Whether a file can have a path: nothing is there, no file stands where it needs a folder, and no folder that it needs is there in
    /// another spelling.
    func isFree(_ path: String) -> Bool {
        let key = path.lowercased()
        if files.contains(key) || folders[key] != nil { return false }
        return Self.folders(of: path).allSatisfy { folder in
            let key = folder.lowercased()
            return !files.contains(key) && folders[key].map { $0.utf8.elementsEqual(folder.utf8) } ?? true
        }
    }

    /// Whether a folder is where a file would be, or a file where it needs a folder.
    func isBlocked(_ path: String) -> Bool {
        folders[path.lowercased()] != nil || Self.folders(of: path).contains { files.contains($0.lowercased()) }
    }

    /// The folders that a file stands in, the outermost first.
    private static func folders(of path: String) -> [String] {
        path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
    }
}
