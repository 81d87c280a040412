// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

extension MultipartFormData {
    /// How many bytes of a part's file are in memory at once. 64 KiB.
    private static let pieceSize = 64 * 1024

    /// The bytes of the form: in memory, or in a temporary file where they are more than the limit.
    func content() throws(RequestError) -> UploadContent {
        try check()
        guard try size() > memoryLimit else {
            var data = Data()
            try write { (piece: Data) throws(RequestError) in data.append(piece) }
            return .data(data)
        }
        let url = DataResponse.newFile()
        do {
            try writeFile(url)
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
        return .file(url, isTemporary: true)
    }

    /// The bytes of the form, about; the boundaries and heads are counted by what they have at least.
    private func size() throws(RequestError) -> Int {
        var size = 0
        for part in parts {
            switch part.provider {
            case .data(let data): size += data.count
            case .file(let url): size += try Self.size(of: url, in: part)
            }
            size += part.name.utf8.count + boundary.utf8.count
        }
        return size
    }

    private static func size(of url: URL, in part: MultipartFormBodyPart) throws(RequestError) -> Int {
        do {
            return try url.regularFileSize()
        } catch {
            throw .part(part.name, file: url, error.reason)
        }
    }

    private func writeFile(_ url: URL) throws(RequestError) {
        guard FileManager.default.createFile(atPath: url.path, contents: nil),
            let handle = try? FileHandle(forWritingTo: url)
        else { throw .temporaryFile(url, "it cannot be made") }
        defer { try? handle.close() }
        try write { (piece: Data) throws(RequestError) in
            do {
                try handle.write(contentsOf: piece)
            } catch {
                throw .temporaryFile(url, "\(error)")
            }
        }
    }

    private func write(_ take: (Data) throws(RequestError) -> Void) throws(RequestError) {
        for part in parts {
            try take(Data("--\(boundary)\r\n".utf8) + part.head())
            switch part.provider {
            case .data(let data): try take(data)
            case .file(let url): try Self.read(url, of: part, take)
            }
            try take(Data("\r\n".utf8))
        }
        try take(Data("--\(boundary)--\r\n".utf8))
    }

    private static func read(
        _ url: URL, of part: MultipartFormBodyPart, _ take: (Data) throws(RequestError) -> Void
    ) throws(RequestError) {
        let handle: FileHandle
        do {
            handle = try FileHandle(forReadingFrom: url)
        } catch {
            throw .part(part.name, file: url, "the file cannot be read: \(error)")
        }
        defer { try? handle.close() }
        while true {
            let piece: Data?
            do {
                piece = try handle.read(upToCount: pieceSize)
            } catch {
                throw .part(part.name, file: url, "the file cannot be read: \(error)")
            }
            guard let piece, !piece.isEmpty else { return }
            try take(piece)
        }
    }
}

/// What is sent as the content of an upload.
enum UploadContent {
    case data(Data)
    case file(URL, isTemporary: Bool)

    /// Removes a file that was made for the upload.
    func discard() {
        if case .file(let url, isTemporary: true) = self { try? FileManager.default.removeItem(at: url) }
    }
}
