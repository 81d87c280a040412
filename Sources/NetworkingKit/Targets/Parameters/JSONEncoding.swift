// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// Parameters as a JSON object in the content, its keys sorted, so that equal parameters give equal bytes.
///
/// The content type is `application/json` where the request has none.
public struct JSONEncoding: ParameterEncoding {
    public static let `default` = JSONEncoding()
    public static let prettyPrinted = JSONEncoding(options: .prettyPrinted)

    public let options: JSONSerialization.WritingOptions

    /// - Parameter options: beside sorted keys and plain slashes.
    public init(options: JSONSerialization.WritingOptions = []) {
        self.options = options
    }

    /// - Throws: `ParameterError`, where a value has no form in JSON.
    public func encode(_ request: URLRequest, with parameters: [String: any Sendable]?) throws -> URLRequest {
        guard let parameters else { return request }
        var request = request
        let object = try ParameterValue(parameters).json()
        request.httpBody = try JSONSerialization.data(
            withJSONObject: object, options: options.union([.sortedKeys, .withoutEscapingSlashes]))
        request.setContentTypeIfAbsent("application/json")
        return request
    }
}

extension ParameterEncoding where Self == JSONEncoding {
    public static var json: JSONEncoding { .default }
}
