// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Foundation

/// The content of an answer as it comes: in memory, or in a file of the temporary directory.
package struct TransferContent: Sendable {
    private var data = Data()
    private let file: URL?
    private var handle: FileHandle?
    private var failure: (any Error)?
    package private(set) var count = 0

    package init(isFile: Bool) {
        guard isFile else {
            file = nil
            return
        }
        let url = DataResponse.newFile()
        file = url
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            failure = CocoaError(.fileWriteUnknown)
            return
        }
        do {
            handle = try FileHandle(forWritingTo: url)
        } catch {
            failure = error
        }
    }

    package mutating func append(_ data: Data) {
        count += data.count
        guard file != nil else {
            self.data.append(data)
            return
        }
        do {
            try handle?.write(contentsOf: data)
        } catch {
            failure = failure ?? error
        }
    }

    /// The response with this content, which is complete.
    package func response(_ http: HTTPURLResponse) throws(URLError) -> DataResponse {
        do {
            try handle?.close()
            if let failure { throw failure }
        } catch {
            discard()
            throw URLError(.cannotWriteToFile, because: error, url: http.url)
        }
        return DataResponse(data: data, http: http, file: file)
    }

    /// Removes the file, if there is one.
    package func discard() {
        guard let file else { return }
        try? handle?.close()
        try? FileManager.default.removeItem(at: file)
    }
}
