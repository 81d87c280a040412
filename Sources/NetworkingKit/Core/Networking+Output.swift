// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension Networking {
    /// The decoded answer to a request.
    public func fetch<R: Request>(_ request: R) -> AnyPublisher<R.Output, any Error> {
        let publisher: AnyPublisher<Data, URLError> = fetch(request)
        return publisher.mapError(\.mostSpecific).tryMap(request.decode).eraseToAnyPublisher()
    }

    /// The decoded answer to a request.
    ///
    /// - Throws: what `fetch` of the data does, and what decoding does.
    public func fetch<R: Request>(_ request: R) async throws -> R.Output {
        let data: Data = try await fetch(request as any Request)
        return try request.decode(data)
    }

    /// What GET of a URL gives, read as JSON.
    public func fetch<T: Decodable>(url: URL) -> AnyPublisher<T, any Error> {
        fetch(JSONRequest<T>(url: url))
    }

    /// What GET of a URL gives, read as JSON.
    public func fetch<T: Decodable>(url: URL) async throws -> T {
        try await fetch(JSONRequest<T>(url: url))
    }
}

/// GET of a URL.
private struct JSONRequest<Value: Decodable>: Request {
    typealias Output = Value

    let url: URL
    var method: HTTPMethod { .get }
}
