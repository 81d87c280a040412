// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// JSON at a URL: the building block of a service over a networking.
///
///     struct FoodService: Gettable {
///         let foods: JSONResource
///         func get() async throws -> [Food] { try await foods.get() }
///     }
///
/// Every function throws the errors of the networking's `data(for:)`, and `EncodingError` or `ResponseError` if the JSON is not of the type.
public struct JSONResource: Sendable {
    /// The URL of the resource.
    public let url: URL
    /// The sender of the requests.
    public let networking: any Networking
    /// The media type of the content that is sent, and of the content that is asked for.
    public let mediaType: String

    private let encoder: JSONEncoder
    private let decoder: JSONDecoder

    /// - Parameters:
    ///   - encoder: nil for that of the networking, which sorts the keys by default.
    ///   - decoder: nil for that of the networking.
    public init(
        _ url: URL, networking: any Networking, mediaType: String = "application/json",
        encoder: JSONEncoder? = nil, decoder: JSONDecoder? = nil
    ) {
        self.url = url
        self.networking = networking
        self.mediaType = mediaType
        self.encoder = encoder ?? networking.coders.encoder
        self.decoder = decoder ?? networking.coders.decoder
    }

    /// The resource one segment below this one: whatever is in an id is part of the segment, a `/` too (RFC 3986 §3.3).
    ///
    /// - Throws: `RequestError.id` if the id is empty, `.` or `..`, which name this resource or the one above.
    public func item(_ id: some CustomStringConvertible) throws(RequestError) -> JSONResource {
        let id = id.description
        guard !["", ".", ".."].contains(id),
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { throw .id(id, below: url) }
        let path = components.percentEncodedPath
        components.percentEncodedPath = "\(path)\(path.hasSuffix("/") ? "" : "/")\(id.percentEncoded)"
        guard let url = components.url else { throw .id(id, below: url) }
        return JSONResource(url, networking: networking, mediaType: mediaType, encoder: encoder, decoder: decoder)
    }

    /// Reads the resource.
    public func get<Value: Decodable>(query: [URLQueryItem] = []) async throws -> Value {
        try await value(call(.get, query: query))
    }

    /// Posts a value, and decodes the response.
    public func post<Value: Decodable>(_ body: some Encodable) async throws -> Value {
        try await value(call(.post, body))
    }

    /// Puts a value, and decodes the response.
    public func put<Value: Decodable>(_ body: some Encodable) async throws -> Value {
        try await value(call(.put, body))
    }

    /// Patches with a value, and decodes the response.
    public func patch<Value: Decodable>(_ body: some Encodable) async throws -> Value {
        try await value(call(.patch, body))
    }

    /// Deletes the resource.
    public func delete() async throws {
        _ = try await networking.data(for: call(.delete))
    }

    /// Sends a value by any method; the response is left as it is, which may be empty.
    @discardableResult
    public func send(_ method: HTTPMethod, _ body: some Encodable) async throws -> Data {
        try await networking.data(for: call(method, body))
    }

    private func call(_ method: HTTPMethod, query: [URLQueryItem] = []) -> Call {
        Call(url: url, method: method, headers: ["Accept": mediaType], query: query)
    }

    private func call(_ method: HTTPMethod, _ body: some Encodable) throws -> Call {
        let headers = ["Accept": mediaType, "Content-Type": mediaType]
        return Call(url: url, method: method, headers: headers, body: try encoder.encode(body))
    }

    private func value<Value: Decodable>(_ call: Call) async throws -> Value {
        let response = try await networking.successfulResponse(for: call)
        do {
            return try decoder.decode(Value.self, from: response.data)
        } catch let error as DecodingError {
            throw ResponseError(call, response, cause: error)
        }
    }
}

extension JSONResource {
    private struct Call: Request {
        let url: URL
        let method: HTTPMethod
        let headers: [String: String]
        var query: [URLQueryItem] = []
        var body: Data?
    }
}
