// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiSystemIO

/// The `.gitattributes` of a fixture directory, by which git keeps each recorded byte.
///
/// If a repository says `* text=auto`, or a computer `core.autocrlf`, git changes CRLF to LF and back: a calendar (RFC 5545 §3.1), a
/// multipart body (RFC 2046 §5.1.1) or a table then differs from the response, and its entity tag is a lie.
struct GitAttributes {
    private static let name = ".gitattributes"
    private static let text = "# Recorded bytes stay as they are: git changes no line ends.\n* -text\n"
    /// Bytes of a file that is read. 1 MiB.
    private static let limit = 1024 * 1024

    private let root: String
    private let isInWorkTree: Bool
    private var mayWrite: Bool
    private var hasWritten = false

    /// - Parameter root: the fixture directory, a real path.
    init(root: String) {
        let top = WorkTree.top(of: root)
        self.root = root
        isInWorkTree = top != nil
        // At the top of a repository it would be for all of its files.
        mayWrite = isInWorkTree && top != root
    }

    /// Writes it if the directory lies in a work tree, below its top, and has none; once.
    mutating func write() {
        guard mayWrite else { return }
        mayWrite = false
        guard let folder = try? OpenFolder(root: root) else { return }
        hasWritten = !folder.has(Self.name) && folder.makeFile(Self.name, holding: Array(Self.text.utf8)) == nil
    }

    /// Takes it away if it was written by this.
    mutating func takeBack() {
        guard hasWritten, let folder = try? OpenFolder(root: root) else { return }
        hasWritten = false
        folder.remove(Self.name)
    }

    /// A warning if the directory has a `.gitattributes` that does not keep bytes: it is its author's, and stays as it is.
    var findings: [Finding] {
        guard isInWorkTree, let bytes = try? FileReader.read("\(root)/\(Self.name)", limit: Self.limit).bytes else {
            return []
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let keepsBytes = lines.contains { line in
            let words = line.split { $0 == " " || $0 == "\t" }
            return words.first?.hasPrefix("#") == false
                && words.dropFirst().contains { $0 == "-text" || $0 == "binary" }
        }
        if keepsBytes { return [] }
        let text = "git may change line ends of recorded bodies: add the line * -text"
        return [Finding(.warning, text, at: Place(path: Self.name))]
    }
}
