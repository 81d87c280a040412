// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension DataResponse {
    /// The same response, its content in a new file of the temporary directory.
    public func inFile() throws(URLError) -> DataResponse {
        let file = Self.newFile()
        do {
            try data.write(to: file)
        } catch {
            throw URLError(.cannotCreateFile, userInfo: [NSUnderlyingErrorKey: error])
        }
        return DataResponse(data: Data(), http: http, file: file)
    }

    /// Removes the file of a download that nobody wants.
    func discardFile() {
        if let file { try? FileManager.default.removeItem(at: file) }
    }

    /// A name in the temporary directory that nothing has.
    static func newFile() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("NetworkingKit-\(UUID().uuidString)")
    }
}
