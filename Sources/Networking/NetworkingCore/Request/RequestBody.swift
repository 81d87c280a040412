// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A type that is sent as the content of a request.
///
///     struct NewArticle: Request {
///         let url: URL
///         let method = HTTPMethod.post
///         let body: JSON<Draft>
///     }
public protocol RequestBody: Sendable {
    /// The content and its media type.
    ///
    /// - Parameter encoder: that of the request, which JSON is written by.
    func content(encoder: JSONEncoder) throws -> BodyContent
}

/// The content of a request, and the `Content-Type` that is sent with it if the request names none.
public struct BodyContent: Sendable {
    enum Source: Sendable {
        case none
        case data(Data)
        case file(URL)
        case form(MultipartFormData)
        case stream(@Sendable () -> AsyncThrowingStream<Data, any Error>)
    }

    let source: Source
    /// The media type; nil for none.
    public let contentType: String?

    /// No content.
    public static let none = BodyContent(source: .none, contentType: nil)

    /// Bytes, with their media type.
    public static func data(_ data: Data, contentType: String? = nil) -> BodyContent {
        BodyContent(source: .data(data), contentType: contentType)
    }

    /// The bytes of a file, which are not read into memory if the networking can help it.
    public static func file(_ url: URL, contentType: String? = nil) -> BodyContent {
        BodyContent(source: .file(url), contentType: contentType)
    }
}

extension Data: RequestBody {
    public func content(encoder: JSONEncoder) -> BodyContent { .data(self) }
}

/// Text in UTF-8.
extension String: RequestBody {
    public func content(encoder: JSONEncoder) -> BodyContent {
        .data(Data(utf8), contentType: "text/plain; charset=utf-8")
    }
}

extension Optional: RequestBody where Wrapped: RequestBody {
    public func content(encoder: JSONEncoder) throws -> BodyContent {
        try self?.content(encoder: encoder) ?? .none
    }
}

extension MultipartFormData: RequestBody {
    public func content(encoder: JSONEncoder) throws -> BodyContent {
        guard !parts.isEmpty else { throw RequestError.emptyForm }
        try check()
        return BodyContent(source: .form(self), contentType: contentType)
    }
}

/// A value as JSON, by the encoder of the request.
public struct JSON<Value: Encodable & Sendable>: RequestBody {
    /// The value that is encoded.
    public let value: Value
    /// The media type.
    public let contentType: String

    /// Makes content of a value.
    public init(_ value: Value, contentType: String = "application/json") {
        self.value = value
        self.contentType = contentType
    }

    public func content(encoder: JSONEncoder) throws -> BodyContent {
        .data(try encoder.encode(value), contentType: contentType)
    }
}

/// A form: `name=value&name=value`, in the order of the names (WHATWG URL §5).
public struct Form: RequestBody, ExpressibleByDictionaryLiteral {
    /// The names and values.
    public let values: [String: any Sendable]
    /// How they are written.
    public let encoding: FormEncoding

    /// - Parameter values: text, numbers, `Bool`, `NSNull`, arrays and dictionaries of these.
    public init(_ values: [String: any Sendable], encoding: FormEncoding = .plain) {
        self.values = values
        self.encoding = encoding
    }

    public init(dictionaryLiteral values: (String, any Sendable)...) {
        self.init(Dictionary(values, uniquingKeysWith: { $1 }))
    }

    public func content(encoder: JSONEncoder) throws -> BodyContent {
        .data(try encoding.items(values).form, contentType: "application/x-www-form-urlencoded")
    }
}

/// The bytes of a file.
public struct FileBody: RequestBody, Hashable {
    /// The file, which is read while it is sent.
    public let file: URL
    /// The media type; nil for none.
    public let contentType: String?

    /// - Parameter contentType: nil for that of the file's extension.
    public init(_ file: URL, contentType: String? = nil) {
        self.file = file
        self.contentType = contentType ?? MultipartFormBodyPart.mimeType(of: file.pathExtension)
    }

    public func content(encoder: JSONEncoder) -> BodyContent { .file(file, contentType: contentType) }
}

/// Data as it is made, which is put into a file of the temporary directory before it is sent: it has a length, then, and can be sent again.
public struct StreamBody: RequestBody {
    /// The media type; nil for none.
    public let contentType: String?
    private let chunks: @Sendable () -> AsyncThrowingStream<Data, any Error>

    /// - Parameter chunks: makes the stream, once for each time the request is sent.
    public init(contentType: String? = nil, chunks: @escaping @Sendable () -> AsyncThrowingStream<Data, any Error>) {
        self.contentType = contentType
        self.chunks = chunks
    }

    public func content(encoder: JSONEncoder) -> BodyContent {
        BodyContent(source: .stream(chunks), contentType: contentType)
    }
}

extension BodyContent {
    /// The content that is sent beside the URLRequest; nil if that has all of it.
    func upload() async throws -> UploadContent? {
        switch source {
        case .none, .data: return nil
        case .file(let file): return .file(file, isTemporary: false)
        case .form(let form): return try form.content()
        case .stream(let chunks): return try await Self.spool(chunks())
        }
    }

    private static func spool(_ chunks: AsyncThrowingStream<Data, any Error>) async throws -> UploadContent {
        let file = DataResponse.newFile()
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
            throw URLError(.cannotCreateFile, "the stream of the body needs a file at \(file.path)", url: nil)
        }
        do {
            let handle = try FileHandle(forWritingTo: file)
            defer { try? handle.close() }
            for try await chunk in chunks { try handle.write(contentsOf: chunk) }
            try Task.checkCancellation()
            return .file(file, isTemporary: true)
        } catch {
            try? FileManager.default.removeItem(at: file)
            throw error
        }
    }
}
