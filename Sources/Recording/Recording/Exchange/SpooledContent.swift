// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The content of a response that has passed.
package struct SpooledContent: Sendable {
    package enum Storage: Sendable {
        case bytes([UInt8])
        /// A file of the fixture directory's hidden folder; an absolute path.
        case file(path: String, size: Int)
    }

    package var storage: Storage
    /// The codings that were undone, the value of Content-Encoding; nil if there were none, or they could not be.
    package var decodedFrom: String?
    /// Bytes as they were transferred.
    package var transferred: Int
    /// Why the content is stored in its coding, if it is.
    package var note: String?
    /// The fingerprint of a file's bytes as they came.
    var streamed: Fingerprint?

    package init(_ storage: Storage, decodedFrom: String? = nil, transferred: Int, note: String? = nil) {
        self.storage = storage
        self.decodedFrom = decodedFrom
        self.transferred = transferred
        self.note = note
    }

    package var isEmpty: Bool {
        switch storage {
        case .bytes(let bytes): bytes.isEmpty
        case .file(_, let size): size == 0
        }
    }

    /// Removes the temporary file, if it has not been moved to its place.
    package func removeFile() {
        if case .file(let path, _) = storage { WorkFolder.removeFile(path) }
    }
}
