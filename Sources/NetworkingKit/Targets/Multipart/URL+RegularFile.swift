// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// Why a file cannot be sent.
struct UnreadableFile: Error {
    let reason: String
}

extension URL {
    /// The size of the file that is to be sent.
    func regularFileSize() throws(UnreadableFile) -> Int {
        guard isFileURL else { throw UnreadableFile(reason: "what is sent from a file needs a file URL") }
        let file = resolvingSymlinksInPath()
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path) else {
            throw UnreadableFile(reason: "there is no such file")
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw UnreadableFile(reason: "this is no regular file")
        }
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            throw UnreadableFile(reason: "the file may not be read")
        }
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }
}
