// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A form of several parts, as `multipart/form-data` (RFC 7578).
///
///     let form: MultipartFormData = [
///         MultipartFormBodyPart(provider: .file(image), name: "file", mimeType: "image/png"),
///         MultipartFormBodyPart(provider: .data(Data("A lake".utf8)), name: "description"),
///     ]
public struct MultipartFormData: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// How many bytes a form may have in memory if nothing else is said; a longer form is sent from a temporary file. 1 MiB.
    public static let defaultMemoryLimit = 1024 * 1024

    /// The parts, in their order.
    public let parts: [MultipartFormBodyPart]
    /// The text that separates the parts.
    public let boundary: String
    /// The bytes up to which the content is made in memory; more goes to a file.
    public let memoryLimit: Int

    /// - Parameters:
    ///   - boundary: nil for a random one. Give one if equal forms are to have equal bytes.
    ///   - memoryLimit: bytes of a form that is sent from memory.
    public init(
        boundary: String? = nil, memoryLimit: Int = MultipartFormData.defaultMemoryLimit,
        parts: [MultipartFormBodyPart]
    ) {
        self.parts = parts
        self.boundary = boundary ?? "mockapi-\(UUID().uuidString)"
        self.memoryLimit = memoryLimit
    }

    public init(arrayLiteral parts: MultipartFormBodyPart...) {
        self.init(parts: parts)
    }

    /// The value of the field Content-Type.
    public var contentType: String {
        let isToken = HTTPMethod(boundary).isValid
        return "multipart/form-data; boundary=\(isToken ? boundary : "\"\(boundary)\"")"
    }

    /// Looks at everything but the files.
    package func check() throws(RequestError) {
        let isValid = boundary.isAlphanumeric(or: "'()+_,-./:=? ")
        guard isValid, 1...70 ~= boundary.utf8.count, !boundary.hasSuffix(" ") else { throw .boundary(boundary) }
        for part in parts { _ = try part.head() }
    }
}

/// One part of a form (RFC 7578 §4).
public struct MultipartFormBodyPart: Hashable, Sendable {
    /// Where the bytes of a part come from.
    public enum FormDataProvider: Hashable, Sendable {
        /// Bytes.
        case data(Data)
        /// A file, read when the form is sent.
        case file(URL)
    }

    /// The content of the part.
    public let provider: FormDataProvider
    /// The name of the form's field.
    public let name: String
    /// The file name that is suggested to the receiver; that of its file if nothing is said.
    public let fileName: String?
    /// The media type; if nothing is said, that of the file's extension, or none for data.
    public let mimeType: String?

    /// Makes a part.
    public init(provider: FormDataProvider, name: String, fileName: String? = nil, mimeType: String? = nil) {
        self.provider = provider
        self.name = name
        switch provider {
        case .data:
            self.fileName = fileName
            self.mimeType = mimeType
        case .file(let url):
            self.fileName = fileName ?? url.lastPathComponent
            self.mimeType = mimeType ?? Self.mimeType(of: url.pathExtension)
        }
    }

    /// The field lines of the part and the empty line after them.
    func head() throws(RequestError) -> Data {
        guard !name.isEmpty else { throw .partName }
        var head = "Content-Disposition: form-data; name=\"\(Self.quoted(name))\""
        if let fileName { head += "; filename=\"\(Self.quoted(fileName))\"" }
        head += "\r\n"
        if let mimeType {
            guard mimeType.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), mimeType.contains("/") else {
                throw .mimeType(part: name, mimeType)
            }
            head += "Content-Type: \(mimeType)\r\n"
        }
        return Data("\(head)\r\n".utf8)
    }

    /// A name between quotation marks, those in it and line breaks escaped as browsers do (WHATWG HTML §4.10.21.8).
    private static func quoted(_ name: String) -> String {
        // Reads scalars: a mark that combines with a quotation mark would hide it from a search by characters.
        name.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case "\"": result += "%22"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    static func mimeType(of pathExtension: String) -> String {
        switch pathExtension.lowercased() {
        case "json": "application/json"
        case "pdf": "application/pdf"
        case "xml": "application/xml"
        case "zip": "application/zip"
        case "gif": "image/gif"
        case "jpg", "jpeg": "image/jpeg"
        case "png": "image/png"
        case "svg": "image/svg+xml"
        case "webp": "image/webp"
        case "csv": "text/csv"
        case "html": "text/html"
        case "txt": "text/plain"
        default: "application/octet-stream"
        }
    }
}

extension MultipartFormData {
    /// How many bytes of a part's file are in memory at once. 64 KiB.
    private static let pieceSize = 64 * 1024

    /// The bytes of the form: in memory, or in a temporary file if they are more than the limit.
    package func content() throws(RequestError) -> UploadContent {
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

    /// The bytes of the form, about; the boundaries and heads are counted by their least size.
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
        func reading<Value>(_ read: () throws -> Value) throws(RequestError) -> Value {
            do {
                return try read()
            } catch {
                throw .part(part.name, file: url, "the file cannot be read: \(error)")
            }
        }
        let handle = try reading { try FileHandle(forReadingFrom: url) }
        defer { try? handle.close() }
        while let piece = try reading({ try handle.read(upToCount: pieceSize) }), !piece.isEmpty { try take(piece) }
    }
}

/// The content of an upload.
package enum UploadContent {
    case data(Data)
    case file(URL, isTemporary: Bool)

    package var file: URL? {
        if case .file(let file, _) = self { file } else { nil }
    }

    package var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }

    /// Removes a file that was made for the upload.
    package func discard() {
        if case .file(let url, isTemporary: true) = self { try? FileManager.default.removeItem(at: url) }
    }
}
