// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension Endpoint {
    /// An answer, from a service or from a stub.
    public struct Response: Sendable {
        public let statusCode: Int
        /// The content; empty where it went to a file.
        public let data: Data
        /// What was sent.
        public let request: URLRequest?
        /// Status and fields; nil where a stub has a status and no more.
        public let response: HTTPURLResponse?

        public init(statusCode: Int, data: Data, request: URLRequest? = nil, response: HTTPURLResponse? = nil) {
            self.statusCode = statusCode
            self.data = data
            self.request = request
            self.response = response
        }
    }
}

extension Endpoint.Response: Equatable {
    /// Whether the same was answered, to whatever request.
    public static func == (left: Self, right: Self) -> Bool {
        left.statusCode == right.statusCode && left.data == right.data && left.response == right.response
    }
}

extension Endpoint.Response: CustomStringConvertible {
    public var description: String { "status \(statusCode), \(data.count) bytes" }
}

extension Endpoint.Response {
    /// This response, where its status is one of these.
    ///
    /// - Throws: `ProviderError.statusCode`.
    public func filter(statusCodes: some RangeExpression<Int>) throws(ProviderError) -> Self {
        guard statusCodes.contains(statusCode) else { throw .statusCode(self) }
        return self
    }

    /// This response, where its status is this one.
    ///
    /// - Throws: `ProviderError.statusCode`.
    public func filter(statusCode: Int) throws(ProviderError) -> Self {
        try filter(statusCodes: statusCode...statusCode)
    }

    /// This response, where its status is 200 to 299.
    ///
    /// - Throws: `ProviderError.statusCode`.
    public func filterSuccessfulStatusCodes() throws(ProviderError) -> Self {
        try filter(statusCodes: 200...299)
    }

    /// This response, where its status is 200 to 399.
    ///
    /// - Throws: `ProviderError.statusCode`.
    public func filterSuccessfulStatusAndRedirectCodes() throws(ProviderError) -> Self {
        try filter(statusCodes: 200...399)
    }
}

extension Endpoint.Response {
    /// The content read as JSON, which may be a single value.
    ///
    /// - Parameter failsOnEmptyData: where it is false, no content gives `NSNull`.
    /// - Throws: `ProviderError.jsonMapping`.
    public func mapJSON(failsOnEmptyData: Bool = true) throws(ProviderError) -> Any {
        if data.isEmpty, !failsOnEmptyData { return NSNull() }
        do {
            return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        } catch {
            throw .jsonMapping(self)
        }
    }

    /// The content as text, or the string that is at a place of the JSON it is.
    ///
    /// - Parameter keyPath: the keys of objects inside each other, with dots between them: `errors.title`.
    /// - Throws: `ProviderError.stringMapping` where the content is not UTF-8 or there is no string, `jsonMapping` where it is not JSON.
    public func mapString(atKeyPath keyPath: String? = nil) throws(ProviderError) -> String {
        if let keyPath {
            guard let text = Self.value(at: keyPath, in: try mapJSON()) as? String else { throw .stringMapping(self) }
            return text
        }
        guard let text = String(data: data, encoding: .utf8) else { throw .stringMapping(self) }
        return text
    }

    /// The content decoded, or the value that is at a place of the JSON it is.
    ///
    /// - Parameters:
    ///   - keyPath: the keys of objects inside each other, with dots between them: `data.attributes`. The value there may be a single one,
    ///     such as a string.
    ///   - failsOnEmptyData: where it is false, no content is decoded as `{}`, or else as `[{}]`; and where there is nothing at the key
    ///     path, the whole is decoded.
    /// - Throws: `ProviderError.jsonMapping` where the content is not JSON or has nothing at the key path, `objectMapping` where it cannot
    ///   be decoded.
    public func map<D: Decodable>(
        _ type: D.Type, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) throws(ProviderError) -> D {
        if let keyPath {
            let json = try mapJSON(failsOnEmptyData: failsOnEmptyData)
            if let value = Self.value(at: keyPath, in: json) { return try decode(value: value, decoder) }
            guard !failsOnEmptyData else { throw .jsonMapping(self) }
        }
        if data.isEmpty, !failsOnEmptyData {
            for substitute in ["{}", "[{}]"] {
                if let value = try? decoder.decode(D.self, from: Data(substitute.utf8)) { return value }
            }
        }
        do {
            return try decoder.decode(D.self, from: data)
        } catch {
            throw .objectMapping(error, self)
        }
    }

    private func decode<D: Decodable>(value: Any, _ decoder: JSONDecoder) throws(ProviderError) -> D {
        do {
            if JSONSerialization.isValidJSONObject(value) {
                return try decoder.decode(D.self, from: JSONSerialization.data(withJSONObject: value))
            }
            // No object and no array: inside of an object whatever decodes it reads it alike.
            let wrapped = try JSONSerialization.data(withJSONObject: ["value": value])
            return try decoder.decode(Wrapped<D>.self, from: wrapped).value
        } catch {
            throw .objectMapping(error, self)
        }
    }

    private static func value(at keyPath: String, in json: Any) -> Any? {
        keyPath.split(separator: ".", omittingEmptySubsequences: false).reduce(json as Any?) { value, key in
            (value as? [String: Any])?[String(key)]
        }
    }

    private struct Wrapped<Value: Decodable>: Decodable {
        let value: Value
    }
}

// MARK: The same for every response

extension DataResponse {
    private var mapped: Endpoint.Response { Endpoint.Response(statusCode: status, data: data, response: http) }

    /// This response, where its status is one of these.
    ///
    /// - Throws: `ProviderError.statusCode`.
    public func filter(statusCodes: some RangeExpression<Int>) throws(ProviderError) -> DataResponse {
        _ = try mapped.filter(statusCodes: statusCodes)
        return self
    }

    /// This response, where its status is 200 to 299.
    ///
    /// - Throws: `ProviderError.statusCode`.
    public func filterSuccessfulStatusCodes() throws(ProviderError) -> DataResponse {
        try filter(statusCodes: 200...299)
    }

    /// The content read as JSON; `Endpoint.Response.mapJSON` says more.
    public func mapJSON(failsOnEmptyData: Bool = true) throws(ProviderError) -> Any {
        try mapped.mapJSON(failsOnEmptyData: failsOnEmptyData)
    }

    /// The content as text; `Endpoint.Response.mapString` says more.
    public func mapString(atKeyPath keyPath: String? = nil) throws(ProviderError) -> String {
        try mapped.mapString(atKeyPath: keyPath)
    }

    /// The content decoded; `Endpoint.Response.map` says more.
    public func map<D: Decodable>(
        _ type: D.Type, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) throws(ProviderError) -> D {
        try mapped.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
    }
}
