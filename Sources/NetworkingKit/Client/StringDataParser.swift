// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

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
