// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// JSON at a URL: what a service over a networking is made of.
///
///     struct FoodService: Gettable {
///         let foods: JSONResource
///         func get() async throws -> [Food] { try await foods.get() }
///     }
///
/// Every function throws what `fetch` of the networking does, `HTTPStatusError` where the status is not accepted among it, and
/// `EncodingError` or `DecodingError` where the JSON is not of the type.
public struct JSONResource: Sendable {
    public let url: URL
    public let networking: any Networking
    /// The media type of what is sent, and of what is asked for.
    public let mediaType: String

    private let encoder: JSONEncoder
    private let decoder: JSONDecoder

    /// - Parameters:
    ///   - encoder: nil for one that sorts the keys, so that one value is always sent as the same bytes.
    public init(
        _ url: URL, networking: any Networking, mediaType: String = "application/json",
        encoder: JSONEncoder? = nil, decoder: JSONDecoder = JSONDecoder()
    ) {
        self.url = url
        self.networking = networking
        self.mediaType = mediaType
        self.encoder = encoder ?? .sorted
        self.decoder = decoder
    }

    /// The resource one segment below this one: whatever is in an id is part of the segment, a `/` too (RFC 3986 §3.3).
    ///
    /// - Throws: `UnusableID` where the id is empty, `.` or `..`, which name this resource or the one above.
    public func item(_ id: some CustomStringConvertible) throws(UnusableID) -> JSONResource {
        let id = id.description
        guard !["", ".", ".."].contains(id),
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { throw UnusableID(id: id, url: url) }
        let path = components.percentEncodedPath
        components.percentEncodedPath = "\(path)\(path.hasSuffix("/") ? "" : "/")\(id.percentEncoded)"
        guard let url = components.url else { throw UnusableID(id: id, url: url) }
        return JSONResource(url, networking: networking, mediaType: mediaType, encoder: encoder, decoder: decoder)
    }

    public func get<Value: Decodable>(query: [URLQueryItem] = []) async throws -> Value {
        try decode(await send(Call(url: url, method: .get, headers: ["Accept": mediaType], query: query)))
    }

    public func post<Value: Decodable>(_ body: some Encodable) async throws -> Value {
        try decode(await send(.post, body))
    }

    public func put<Value: Decodable>(_ body: some Encodable) async throws -> Value {
        try decode(await send(.put, body))
    }

    public func patch<Value: Decodable>(_ body: some Encodable) async throws -> Value {
        try decode(await send(.patch, body))
    }

    public func delete() async throws {
        _ = try await send(Call(url: url, method: .delete, headers: ["Accept": mediaType]))
    }

    /// Sends a value by any method; the answer is left as it is, which may be empty.
    @discardableResult
    public func send(_ method: HTTPMethod, _ body: some Encodable) async throws -> Data {
        let headers = ["Accept": mediaType, "Content-Type": mediaType]
        return try await send(Call(url: url, method: method, headers: headers, body: try encoder.encode(body)))
    }

    private func send(_ call: Call) async throws -> Data {
        try await networking.fetch(call as any Request)
    }

    private func decode<Value: Decodable>(_ data: Data) throws -> Value {
        try decoder.decode(Value.self, from: data)
    }
}

extension JSONResource {
    /// An id that names no resource below another.
    public struct UnusableID: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
        public let id: String
        public let url: URL

        public var description: String {
            "\(id.debugDescription) is no id of a resource below \(url.absoluteString): an id is not empty, \".\" or \"..\""
        }

        public var errorDescription: String? { description }
    }

    private struct Call: Request {
        let url: URL
        let method: HTTPMethod
        let headers: [String: String]
        var query: [URLQueryItem] = []
        var body: Data?
    }
}
