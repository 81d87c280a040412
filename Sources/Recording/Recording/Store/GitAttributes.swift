// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The `.gitattributes` of a fixture directory, by which Git changes no line end of a body that was recorded.
enum GitAttributes {
    private static let name = ".gitattributes"
    private static let text = "# Recorded bodies are served byte for byte: Git changes no line ends here.\n* -text\n"

    /// Writes the file where there is none; not to the top of a repository, all of whose files it would be for.
    ///
    /// - Parameter root: the fixture directory, a real path.
    static func write(in root: String) {
        guard let folder = try? OpenFolder(root: root), !folder.has(name), !folder.has(".git") else { return }
        let bytes = Array(text.utf8)
        if folder.makeWholeFile(name, bytes) { return }
        guard let file = folder.makeFile(name) else { return }
        defer { close(file) }
        // Half a line would be an error to Git.
        if (try? FileWriter.writeAll(bytes, to: file)) == nil { folder.remove(name) }
    }
}
