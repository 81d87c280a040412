// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// Makes an object of the data of an answer.
public protocol DataParser: Sendable {
    /// What is asked for by `Accept`; nil for anything.
    var contentType: String? { get }

    func parse(data: Data) throws -> Any
}

/// Keeps the data as they are, for a decoder to read them.
public struct DecodableDataParser: DataParser {
    public let contentType: String?

    public init(contentType: String? = "application/json") {
        self.contentType = contentType
    }

    public func parse(data: Data) throws -> Any { data }
}

/// Reads JSON into dictionaries, arrays, strings and numbers.
public struct JSONDataParser: DataParser {
    public let contentType: String?
    public let readingOptions: JSONSerialization.ReadingOptions

    public init(
        readingOptions: JSONSerialization.ReadingOptions = .fragmentsAllowed, contentType: String? = "application/json"
    ) {
        self.readingOptions = readingOptions
        self.contentType = contentType
    }

    /// - Returns: an empty dictionary where there is no content.
    public func parse(data: Data) throws -> Any {
        guard !data.isEmpty else { return [String: Any]() }
        return try JSONSerialization.jsonObject(with: data, options: readingOptions)
    }
}

/// Reads text.
public struct StringDataParser: DataParser {
    public let encoding: String.Encoding
    public let contentType: String?

    public init(encoding: String.Encoding = .utf8, contentType: String? = nil) {
        self.encoding = encoding
        self.contentType = contentType
    }

    /// - Throws: `UnexpectedObject` where the data are no text of this encoding.
    public func parse(data: Data) throws -> Any {
        guard let text = String(data: data, encoding: encoding) else { throw UnexpectedObject(data) }
        return text
    }
}
