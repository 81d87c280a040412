// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
public import NetworkingCore

extension APIRequest {
    /// Decodes by `parse(_:)`.
    public func decode(_ data: Data) throws -> Response { try parse(data) }

    /// Decodes the whole response by `parse(_:)`.
    public func output(of response: DataResponse) throws -> Response { try parse(response) }

    /// Reads a response: the parser, then `intercept(object:urlResponse:)`, then `response(from:urlResponse:)`.
    ///
    /// - Throws: the errors of these; `ResponseError` if the status is not accepted.
    public func parse(_ response: DataResponse) throws -> Response {
        let object: Any
        do {
            object = try parser.parse(response: response)
        } catch {
            // The page of a proxy is not JSON; its status says more than that.
            _ = try judge(response.data, response)
            throw error
        }
        return try self.response(from: try judge(object, response), urlResponse: response.http)
    }

    private func judge(_ object: Any, _ response: DataResponse) throws -> Any {
        do {
            return try intercept(object: object, urlResponse: response.http)
        } catch is UnacceptableStatus {
            throw ResponseError(self, response)
        }
    }

    /// Reads data whose status was accepted; nothing else is known of it.
    fileprivate func parse(_ data: Data) throws -> Response {
        try parse(DataResponse(data: data, http: try .plain(url, status: 200)))
    }
}

extension APIRequest where Response: Decodable {
    public func response(from object: Any, urlResponse: HTTPURLResponse) throws -> Response {
        let data = try Self.data(of: object)
        if let none = NoContent.value(of: Response.self, in: data) { return none }
        return try decoder.decode(Response.self, from: data)
    }

    /// Decodes by `parse(_:)`.
    public func decode(_ data: Data) throws -> Response { try parse(data) }
}

extension APIRequest where Response: URLSessionDecodable {
    public func response(from object: Any, urlResponse: HTTPURLResponse) throws -> Response {
        try Response(from: try Self.data(of: object))
    }

    /// Decodes by `parse(_:)`.
    public func decode(_ data: Data) throws -> Response { try parse(data) }
}

extension APIRequest where Response: URLSessionDecodable & Decodable {
    public func response(from object: Any, urlResponse: HTTPURLResponse) throws -> Response {
        try Response(from: try Self.data(of: object))
    }

    /// Decodes by `parse(_:)`.
    public func decode(_ data: Data) throws -> Response { try parse(data) }
}

extension APIRequest where Response == Data {
    public func response(from object: Any, urlResponse: HTTPURLResponse) throws -> Response {
        try Self.data(of: object)
    }

    /// Decodes by `parse(_:)`.
    public func decode(_ data: Data) throws -> Response { try parse(data) }
}

extension APIRequest where Response == String {
    public func response(from object: Any, urlResponse: HTTPURLResponse) throws -> Response {
        guard let text = object as? String else { throw UnexpectedObject(object) }
        return text
    }

    /// Decodes by `parse(_:)`.
    public func decode(_ data: Data) throws -> Response { try parse(data) }
}

extension APIRequest where Response == Void {
    public func response(from object: Any, urlResponse: HTTPURLResponse) throws -> Response { () }
}

extension APIRequest {
    /// The data that a parser has kept, or the JSON it has made of them.
    fileprivate static func data(of object: Any) throws -> Data {
        if let data = object as? Data { return data }
        guard JSONSerialization.isValidJSONObject([object]) else { throw UnexpectedObject(object) }
        return try JSONSerialization.data(withJSONObject: object, options: .fragmentsAllowed)
    }
}

/// Makes an object of the data of a response.
public protocol DataParser: Sendable {
    /// The media type that `Accept` asks for; nil for anything.
    var contentType: String? { get }

    /// The object that the data stands for.
    func parse(data: Data) throws -> Any

    /// Makes an object of a whole response; by default of its data.
    func parse(response: DataResponse) throws -> Any
}

extension DataParser {
    public func parse(response: DataResponse) throws -> Any { try parse(data: response.data) }
}

/// Keeps the data as they are, for a decoder to read them.
public struct DecodableDataParser: DataParser {
    public let contentType: String?

    /// Makes a parser that leaves data to a `Decodable` response; it asks for the media type.
    public init(contentType: String? = "application/json") {
        self.contentType = contentType
    }

    /// The data as it is.
    public func parse(data: Data) throws -> Any { data }
}

/// Reads JSON into dictionaries, arrays, strings and numbers.
public struct JSONDataParser: DataParser {
    public let contentType: String?
    /// How JSON is read.
    public let readingOptions: JSONSerialization.ReadingOptions

    /// Makes a parser of JSON; it asks for the media type.
    public init(
        readingOptions: JSONSerialization.ReadingOptions = .fragmentsAllowed, contentType: String? = "application/json"
    ) {
        self.readingOptions = readingOptions
        self.contentType = contentType
    }

    /// - Returns: an empty dictionary if there is no content.
    public func parse(data: Data) throws -> Any {
        guard !data.isEmpty else { return [String: Any]() }
        return try JSONSerialization.jsonObject(with: data, options: readingOptions)
    }
}

/// Reads text: in the charset that its Content-Type names, or else in `encoding`.
public struct StringDataParser: DataParser {
    /// The encoding of the text.
    public let encoding: String.Encoding
    public let contentType: String?

    /// Makes a parser of texts; it asks for the media type.
    public init(encoding: String.Encoding = .utf8, contentType: String? = nil) {
        self.encoding = encoding
        self.contentType = contentType
    }

    /// - Throws: `UnexpectedObject` if the data are not a text in this encoding.
    public func parse(data: Data) throws -> Any {
        guard let text = String(data: data, encoding: encoding) else { throw UnexpectedObject(data) }
        return text
    }

    /// - Throws: `UnexpectedObject` if the data are not a text in the charset.
    public func parse(response: DataResponse) throws -> Any {
        guard let text = response.text(in: encoding) else { throw UnexpectedObject(response.data) }
        return text
    }
}
