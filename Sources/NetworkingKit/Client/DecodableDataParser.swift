// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// Keeps the data as they are, for a decoder to read them.
public struct DecodableDataParser: DataParser {
    public let contentType: String?

    public init(contentType: String? = "application/json") {
        self.contentType = contentType
    }

    public func parse(data: Data) throws -> Any { data }
}
