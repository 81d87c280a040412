// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// JSON, its keys sorted, so that the same parameters are always sent as the same bytes.
public struct JSONBodyParameters: BodyParameters {
    public let contentType: String
    private let build: () throws -> Data

    /// - Parameter object: dictionaries, arrays, strings, numbers, `Bool` and `NSNull`.
    public init(JSONObject object: Any) {
        contentType = "application/json"
        build = {
            guard JSONSerialization.isValidJSONObject([object]) else {
                throw RequestError.body(type: "\(type(of: object))")
            }
            return try JSONSerialization.data(
                withJSONObject: object, options: [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes])
        }
    }

    public init(_ value: some Encodable, contentType: String = "application/json", encoder: JSONEncoder? = nil) {
        self.contentType = contentType
        build = { try (encoder ?? .sorted).encode(value) }
    }

    public func buildEntity() throws -> Data { try build() }
}
