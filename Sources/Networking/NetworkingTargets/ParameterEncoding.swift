// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
public import NetworkingCore

/// Puts parameters into a request.
public protocol ParameterEncoding: Sendable {
    /// The request with the parameters in it; nil parameters leave it as it is.
    func encode(_ request: URLRequest, with parameters: [String: any Sendable]?) throws -> URLRequest
}

/// Parameters as a JSON object in the content, its keys sorted, so that equal parameters give equal bytes.
///
/// The content type is `application/json` if the request has none.
public struct JSONEncoding: ParameterEncoding {
    /// JSON in one line.
    public static let `default` = JSONEncoding()
    /// JSON with indentation.
    public static let prettyPrinted = JSONEncoding(options: .prettyPrinted)

    /// How JSON is written.
    public let options: JSONSerialization.WritingOptions

    /// - Parameter options: beside sorted keys and plain slashes.
    public init(options: JSONSerialization.WritingOptions = []) {
        self.options = options
    }

    /// - Throws: `RequestError.parameter`, if a value has no form in JSON.
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
    /// Parameters as JSON.
    public static var json: JSONEncoding { .default }
}

/// Parameters as a query string, in the URL or as a form in the content, sorted by name.
///
/// An array is `key[]=1&key[]=2`, a dictionary `key[sub]=1`, true `1`; nil is left out, and a value that is not
/// a JSON value is there by its description. All but unreserved characters are escaped, so that
/// a space is `%20` and brackets are `%5B%5D` (RFC 3986 §2.3).
public struct URLEncoding: ParameterEncoding {
    /// Where the parameters go.
    public enum Destination: Hashable, Sendable {
        /// The query for GET, HEAD and DELETE, else the content.
        case methodDependent
        /// The query.
        case queryString
        /// The content.
        case httpBody
    }

    /// How the values of a list are named.
    public typealias ArrayEncoding = FormEncoding.Arrays
    /// How truth values are written.
    public typealias BoolEncoding = FormEncoding.Booleans

    /// The query of methods without content, else the content.
    public static let `default` = URLEncoding()
    /// The query.
    public static let queryString = URLEncoding(destination: .queryString)
    /// The content.
    public static let httpBody = URLEncoding(destination: .httpBody)

    /// Where the parameters go.
    public let destination: Destination
    /// How the values of a list are named.
    public let arrayEncoding: ArrayEncoding
    /// How truth values are written.
    public let boolEncoding: BoolEncoding

    /// Makes an encoding.
    public init(
        destination: Destination = .methodDependent, arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric
    ) {
        self.destination = destination
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
    }

    /// - Throws: `RequestError`, if the URL takes no query.
    public func encode(_ request: URLRequest, with parameters: [String: any Sendable]?) throws -> URLRequest {
        guard let parameters, !parameters.isEmpty else { return request }
        let form = FormEncoding(
            arrays: arrayEncoding, booleans: boolEncoding, namesNulls: false, takesAnything: true)
        let items = try form.items(parameters)
        var request = request
        if isInQuery(request.httpMethod ?? "GET") {
            request.url = try request.url?.adding(items)
            return request
        }
        request.httpBody = items.form
        request.setContentTypeIfAbsent("application/x-www-form-urlencoded; charset=utf-8")
        return request
    }

    private func isInQuery(_ method: String) -> Bool {
        switch destination {
        case .methodDependent: ["GET", "HEAD", "DELETE"].contains(method)
        case .queryString: true
        case .httpBody: false
        }
    }
}

extension ParameterEncoding where Self == URLEncoding {
    /// Parameters in the query.
    public static var queryString: URLEncoding { URLEncoding(destination: .queryString) }
    /// Parameters in the content.
    public static var httpBody: URLEncoding { URLEncoding(destination: .httpBody) }
}
