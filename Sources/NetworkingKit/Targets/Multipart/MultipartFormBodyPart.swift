// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// One part of a form (RFC 7578 §4).
public struct MultipartFormBodyPart: Hashable, Sendable {
    /// Where the bytes of a part come from.
    public enum FormDataProvider: Hashable, Sendable {
        case data(Data)
        /// A file, read when the form is sent.
        case file(URL)
    }

    public let provider: FormDataProvider
    public let name: String
    /// What the receiver may call it; that of its file where nothing is said.
    public let fileName: String?
    /// The media type; where nothing is said, that of the file's extension, or none for data.
    public let mimeType: String?

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

    /// The field lines of the part and the empty line behind them.
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
        // By scalars: a mark that combines with a quotation mark would hide it from a search by characters.
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
