// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A sender of requests.
///
/// `Networker` does so by URLSession; a double in a test needs no more than `delegate` and the first `fetch`. A publisher is called
/// `fetch`; the awaited functions have URLSession's words: `data(for:)`, `value(for:)`, `cachedValue(for:)`, `response(for:)`.
public protocol Networking: Sendable {
    /// The object that adds headers and sees the responses; held weakly.
    var delegate: (any NetworkingDelegate)? { get set }

    /// The data of the response to a request.
    ///
    /// Each subscription sends the request again and asks the delegate for its headers again. To cancel the subscription cancels the request.
    @_disfavoredOverload
    func fetch(_ request: any Request) -> AnyPublisher<Data, URLError>

    /// The decoded response to a request.
    @_disfavoredOverload
    func fetch<R: Request>(_ request: R) -> AnyPublisher<R.Output, any Error>

    /// The decoded response to a request, from the networking's cache if it is there; `cachedValue(for:)` is this, awaited.
    @_disfavoredOverload
    func fetchWithCache<R: Request>(_ request: R) -> AnyPublisher<R.Output, any Error>

    /// The data of the response to a request.
    ///
    /// To cancel the task cancels the request.
    /// - Throws: `ResponseError` if the status is not accepted, `RequestError` if there is nothing to send, else `URLError`.
    func data(for request: any Request) async throws -> Data

    /// The whole response, if its status is accepted.
    ///
    /// - Throws: the errors of `data(for:)`.
    func successfulResponse(for request: any Request) async throws -> DataResponse

    /// The whole response, whatever its status.
    func response(for request: any Request, _ options: TransferOptions) async throws -> DataResponse

    /// The response as it comes, if its status is accepted.
    ///
    /// - Throws: the errors of `data(for:)`, as soon as the head of the response is there.
    func stream(for request: any Request) async throws -> ResponseStream

    /// Where `fetchWithCache` keeps data; nil if nothing is kept.
    var cache: RequestCache<Data>? { get }

    /// The coders that read and write JSON, if a request has none of its own.
    var coders: Coders { get }
}

// MARK: Defaults, which a double need not write

extension Networking {
    @_disfavoredOverload
    public func fetch<R: Request>(_ request: R) -> AnyPublisher<R.Output, any Error> {
        let publisher: AnyPublisher<Data, URLError> = fetch(request as any Request)
        return publisher.mapError(\.mostSpecific)
            .tryMap { data in
                let response = DataResponse(data: data, http: try .plain(request.url, status: 200))
                return try request.output(of: response, by: coders)
            }
            .eraseToAnyPublisher()
    }

    @_disfavoredOverload
    public func fetchWithCache<R: Request>(_ request: R) -> AnyPublisher<R.Output, any Error> {
        TaskPublisher { try await cachedResponse(for: request) }
            .tryMap { try request.output(of: $0, by: coders) }
            .eraseToAnyPublisher()
    }

    public func data(for request: any Request) async throws -> Data {
        do {
            return try await fetch(request).firstValue()
        } catch let error as URLError {
            throw error.mostSpecific
        }
    }

    /// The data of `data(for:)`, with the status 200.
    public func successfulResponse(for request: any Request) async throws -> DataResponse {
        DataResponse(data: try await data(for: request), http: try .plain(request.url, status: 200)).read(by: coders)
    }

    /// The response of `successfulResponse(for:)`, or the response that its error has.
    public func response(for request: any Request, _ options: TransferOptions) async throws -> DataResponse {
        do {
            let response = try await successfulResponse(for: request)
            return options.isDownload ? try response.inFile() : response
        } catch let error as ResponseError where error.isStatus {
            return error.response
        }
    }

    public func stream(for request: any Request) async throws -> ResponseStream {
        ResponseStream(try await successfulResponse(for: request))
    }

    public var cache: RequestCache<Data>? { nil }
    public var coders: Coders { Coders() }

    private func cachedResponse(for request: any Request) async throws -> DataResponse {
        guard let cache, [.get, .head].contains(request.method) else {
            return try await successfulResponse(for: request)
        }
        let wire = try request.wireRequest(by: self)
        return try await cache.response(to: wire.urlRequest) { _ in try await successfulResponse(for: request) }
    }
}

// MARK: The forms that are called

// Each generic form has `as`, which nobody has to write: without it `any Request` would be opened, and its output be `Any`. So `fetch` of
// `any Request` gives data, and `value(for:)` of it does not compile.
extension Networking {
    /// The decoded response to a request.
    ///
    /// It fails with the errors of `data(for:)`, with `ResponseError` if it cannot be read, and with the errors of the request when it decodes.
    public func fetch<R: Request>(
        _ request: R, as output: R.Output.Type = R.Output.self
    ) -> AnyPublisher<R.Output, any Error> {
        let fetch: (R) -> AnyPublisher<R.Output, any Error> = self.fetch(_:)
        return fetch(request)
    }

    /// The content of a URL, fetched by GET and read as JSON.
    public func fetch<T: Decodable>(url: URL) -> AnyPublisher<T, any Error> {
        fetch(JSONRequest<T>(url: url))
    }

    /// The decoded response to a request.
    ///
    /// - Throws: the errors of `data(for:)`, `ResponseError` if it cannot be read, and those of the request when it
    ///   decodes.
    public func value<R: Request>(for request: R, as output: R.Output.Type = R.Output.self) async throws -> R.Output {
        try request.output(of: try await successfulResponse(for: request), by: coders)
    }

    /// The content of a URL, fetched by GET and read as JSON.
    public func value<T: Decodable>(from url: URL, as type: T.Type = T.self) async throws -> T {
        try await value(for: JSONRequest<T>(url: url))
    }

    /// The decoded response to a request, from the networking's cache if it is there.
    ///
    /// Callers that ask at once share one request, which is cancelled with the last of them. The kept response is data; it is decoded for each.
    public func fetchWithCache<R: Request>(
        _ request: R, as output: R.Output.Type = R.Output.self
    ) -> AnyPublisher<R.Output, any Error> {
        let fetchWithCache: (R) -> AnyPublisher<R.Output, any Error> = self.fetchWithCache(_:)
        return fetchWithCache(request)
    }

    /// The decoded response to a request, from the networking's cache if it is there: the value that
    /// `fetchWithCache` publishes.
    ///
    /// - Throws: the errors of `value(for:)`; `URLError.cancelled` if the task is cancelled.
    public func cachedValue<R: Request>(
        for request: R, as output: R.Output.Type = R.Output.self
    ) async throws -> R.Output {
        let publisher: AnyPublisher<R.Output, any Error> = fetchWithCache(request)
        do {
            return try await publisher.map(Handed.init).firstValue().value
        } catch is CancellationError {
            throw URLError(.cancelled)
        }
    }

    /// The whole response, whatever its status.
    public func response(for request: any Request) async throws -> DataResponse {
        try await response(for: request, TransferOptions())
    }

    /// Sends a request and returns the whole response, with options of the transfer.
    @available(*, deprecated, renamed: "response(for:_:)")
    public func response(
        to request: any Request, _ options: TransferOptions = TransferOptions()
    ) async throws -> DataResponse {
        try await response(for: request, options)
    }
}

/// Unchecked: the one value of a publisher that was made for one call, which hands it on and keeps nothing.
struct Handed<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
