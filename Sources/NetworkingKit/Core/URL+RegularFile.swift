// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Foundation

/// Why a file cannot be sent.
package struct UnreadableFile: Error {
    package let code: URLError.Code
    package let reason: String

    package init(code: URLError.Code, reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension URL {
    /// The size of the file that is to be sent.
    package func regularFileSize() throws(UnreadableFile) -> Int {
        guard isFileURL else {
            throw UnreadableFile(code: .cannotOpenFile, reason: "what is sent from a file needs a file URL")
        }
        let file = resolvingSymlinksInPath()
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path) else {
            throw UnreadableFile(code: .fileDoesNotExist, reason: "there is no such file")
        }
        let type = attributes[.type] as? FileAttributeType
        guard type != .typeDirectory else { throw UnreadableFile(code: .fileIsDirectory, reason: "this is a folder") }
        guard type == .typeRegular else {
            throw UnreadableFile(code: .cannotOpenFile, reason: "this is no regular file")
        }
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            throw UnreadableFile(code: .noPermissionsToReadFile, reason: "the file may not be read")
        }
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }
}

extension URLError {
    package init(_ error: UnreadableFile, file: URL) {
        self.init(
            error.code, "the file \(file.path) cannot be sent: \(error.reason); name one that can be read", url: file)
    }
}
