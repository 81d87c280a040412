// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

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
