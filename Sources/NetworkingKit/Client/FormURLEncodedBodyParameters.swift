// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

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
