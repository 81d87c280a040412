// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
public import NetworkingCore

extension DataResponse {
    /// This response, if its status is one of these.
    ///
    /// - Throws: `ProviderError.statusCode`.
    public func filter(statusCodes: some RangeExpression<Int>) throws(ProviderError) -> Self {
        guard statusCodes.contains(statusCode) else { throw .statusCode(self) }
        return self
    }

    /// The response, if it has the status.
    public func filter(statusCode: Int) throws(ProviderError) -> Self {
        try filter(statusCodes: statusCode...statusCode)
    }

    /// This response, if its status is 200 to 299.
    public func filterSuccessfulStatusCodes() throws(ProviderError) -> Self { try filter(statusCodes: 200...299) }

    /// This response, if its status is 200 to 399.
    public func filterSuccessfulStatusAndRedirectCodes() throws(ProviderError) -> Self {
        try filter(statusCodes: 200...399)
    }

    /// The content read as JSON, which may be a single value.
    ///
    /// - Parameter failsOnEmptyData: if it is false, no content gives `NSNull`.
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
    /// - Throws: `ProviderError.stringMapping` if the content is not text of its charset or there is no string, `jsonMapping` if it is not JSON.
    public func mapString(atKeyPath keyPath: String? = nil) throws(ProviderError) -> String {
        let text: String?
        if let keyPath {
            text = Self.value(at: keyPath, in: try mapJSON()) as? String
        } else {
            text = self.text
        }
        guard let text else { throw .stringMapping(self) }
        return text
    }

    /// The content decoded, or the value that is at a place of the JSON it is.
    ///
    /// - Parameters:
    ///   - keyPath: the keys of objects inside each other, with dots between them: `data.attributes`. The value there may be a single one,
    ///     such as a string.
    ///   - decoder: nil for that of the networking which the response came by.
    ///   - failsOnEmptyData: if it is false, no content is decoded as `{}`, or else as `[{}]`; and if there is nothing at the key
    ///     path, the whole is decoded.
    /// - Throws: `ProviderError.jsonMapping` if the content is not JSON or has nothing at the key path, `objectMapping` if it cannot
    ///   be decoded.
    public func map<D: Decodable>(
        _ type: D.Type, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder? = nil,
        failsOnEmptyData: Bool = true
    ) throws(ProviderError) -> D {
        let decoder = decoder ?? coders.decoder
        if let keyPath {
            let json = try mapJSON(failsOnEmptyData: failsOnEmptyData)
            if let value = Self.value(at: keyPath, in: json) { return try decode(value: value, decoder) }
            guard !failsOnEmptyData else { throw .jsonMapping(self) }
        }
        if keyPath == nil, let none = NoContent.value(of: D.self, in: data) { return none }
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

/// Each does to the responses of a provider the same as the member of its name does to one.
extension Publisher where Output == DataResponse, Failure == ProviderError {
    /// The response, if its status is one of these.
    public func filter<R: RangeExpression>(statusCodes: R) -> AnyPublisher<DataResponse, ProviderError>
    where R.Bound == Int {
        mapped { response throws(ProviderError) in try response.filter(statusCodes: statusCodes) }
    }

    /// The response, if it has the status.
    public func filter(statusCode: Int) -> AnyPublisher<DataResponse, ProviderError> {
        filter(statusCodes: statusCode...statusCode)
    }

    /// The response, if its status is 200 to 299.
    public func filterSuccessfulStatusCodes() -> AnyPublisher<DataResponse, ProviderError> {
        filter(statusCodes: 200...299)
    }

    /// The response, if its status is 200 to 399.
    public func filterSuccessfulStatusAndRedirectCodes() -> AnyPublisher<DataResponse, ProviderError> {
        filter(statusCodes: 200...399)
    }

    /// The content as JSON.
    public func mapJSON(failsOnEmptyData: Bool = true) -> AnyPublisher<Any, ProviderError> {
        mapped { response throws(ProviderError) in try response.mapJSON(failsOnEmptyData: failsOnEmptyData) }
    }

    /// The content as a text, or the text at a path of its JSON.
    public func mapString(atKeyPath keyPath: String? = nil) -> AnyPublisher<String, ProviderError> {
        mapped { response throws(ProviderError) in try response.mapString(atKeyPath: keyPath) }
    }

    /// The content decoded, or the value at a path of its JSON.
    public func map<D: Decodable>(
        _ type: D.Type, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder? = nil,
        failsOnEmptyData: Bool = true
    ) -> AnyPublisher<D, ProviderError> {
        mapped { response throws(ProviderError) in
            try response.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
        }
    }

    private func mapped<Value>(
        _ transform: @escaping (DataResponse) throws(ProviderError) -> Value
    ) -> AnyPublisher<Value, ProviderError> {
        tryMap { try transform($0) }
            .mapError { $0 as? ProviderError ?? .underlying($0, nil) }
            .eraseToAnyPublisher()
    }
}
