// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// What is sent as the content of a request.
public protocol BodyParameters {
    /// The value of `Content-Type`.
    var contentType: String { get }

    func buildEntity() throws -> Data
}

/// A form: `name=value&name=value`, in the order of the names.
public struct FormURLEncodedBodyParameters: BodyParameters {
    public let form: [String: Any]
    public var contentType: String { "application/x-www-form-urlencoded" }

    /// - Parameter formObject: values as `APIRequest.queryParameters` has them.
    public init(formObject: [String: Any]) {
        form = formObject
    }

    public func buildEntity() throws -> Data {
        try FormEncoding.plain.items(form).form
    }
}

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
