// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The files and folders of a fixture directory, so that no two recordings share a name, whatever a file system makes of its case.
struct TakenNames {
    private var files: Set<String> = []
    private var folders: Set<String> = []

    /// - Parameter paths: of files, relative to the fixture directory.
    init(_ paths: [String]) {
        for path in paths { insert(path) }
    }

    mutating func insert(_ path: String) {
        let path = path.lowercased()
        files.insert(path)
        var end = path.endIndex
        while let slash = path[..<end].lastIndex(of: "/") {
            folders.insert(String(path[..<slash]))
            end = slash
        }
    }

    mutating func remove(_ path: String) {
        files.remove(path.lowercased())
    }

    /// Whether a file can have a path: nothing is there, and no file stands where it needs a folder.
    func isFree(_ path: String) -> Bool {
        let path = path.lowercased()
        if files.contains(path) || folders.contains(path) { return false }
        var end = path.endIndex
        while let slash = path[..<end].lastIndex(of: "/") {
            if files.contains(String(path[..<slash])) { return false }
            end = slash
        }
        return true
    }
}
