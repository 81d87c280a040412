// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A place in a fixture file, for findings.
package struct Place: Hashable, Sendable {
    /// The file's path relative to the fixture directory, with `/`.
    package var path: String
    /// Counted from 1; 0 if the finding is about the file as a whole.
    package var line: Int
    /// Counted from 1, in bytes; 0 if the finding is about the file as a whole.
    package var column: Int
    /// The JSON pointer (RFC 6901) of the value; empty for the file as a whole.
    package var pointer: String

    /// The place of a fixture that is made in code.
    package static let nowhere = Place(path: "")

    package init(path: String, line: Int = 0, column: Int = 0, pointer: String = "") {
        self.path = path
        self.line = line
        self.column = column
        self.pointer = pointer
    }

    /// The place with its path behind that of the fixture directory, so that it can be opened from where that was given.
    package func located(in directory: String) -> Place {
        var directory = directory[...]
        while directory.utf8.count > 1, directory.hasSuffix("/") { directory.removeLast() }
        var place = self
        if path == "." || path.isEmpty {
            place.path = String(directory)
        } else if directory != "." {
            place.path = directory == "/" ? "/\(path)" : "\(directory)/\(path)"
        }
        return place
    }
}
