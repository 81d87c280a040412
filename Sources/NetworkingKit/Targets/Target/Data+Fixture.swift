// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension Data {
    /// The bytes of a file of a fixture directory, as sample data.
    ///
    /// - Parameters:
    ///   - path: of the file, in the directory; it may not lead out of it.
    ///   - directory: a file URL; a relative one is of the working directory.
    /// - Throws: `SampleFixtureError`.
    public static func fixture(_ path: String, in directory: URL) throws(SampleFixtureError) -> Data {
        guard directory.isFileURL else { throw SampleFixtureError(path: path, file: directory, reason: .noFileURL) }
        let root = directory.absoluteURL.standardizedFileURL
        let file = root.appendingPathComponent(path).standardizedFileURL
        guard file.pathComponents.starts(with: root.pathComponents), file.path != root.path else {
            throw SampleFixtureError(path: path, file: file, reason: .outside(root))
        }
        do {
            return try Data(contentsOf: file)
        } catch {
            throw SampleFixtureError(
                path: path, file: file,
                reason: FileManager.default.fileExists(atPath: file.path) ? .unreadable("\(error)") : .missing)
        }
    }
}
