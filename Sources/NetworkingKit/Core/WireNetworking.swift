// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
import Synchronization

/// A networking that exchanges a request for a response, and leaves to this protocol what all such have in common.
///
/// One exchange goes: `urlRequest()`, the headers of the delegate, the middlewares, the cache where it is asked for, `send`,
/// `networking(_:didReceive:)`, and back through the middlewares; the delegate's transformation is around all of it, and the status is judged
/// last.
public protocol WireNetworking: Networking {
    var acceptedStatuses: AcceptedStatuses { get }

    /// What each request passes on its way to the wire and its answer on the way back, the first one outermost.
    var middlewares: [any Middleware] { get }

    /// Sends a request just as it stands.
    ///
    /// - Parameter file: what is sent as its body; nil for the body it has.
    func send(
        _ request: URLRequest, file: URL?, options: TransferOptions
    ) async throws(URLError) -> DataResponse

    /// Sends a request just as it stands, and gives the answer as soon as its head is there.
    func open(_ request: URLRequest, file: URL?) async throws(URLError) -> ResponseStream
}

extension WireNetworking {
    public var middlewares: [any Middleware] { [] }

    public func open(_ request: URLRequest, file: URL?) async throws(URLError) -> ResponseStream {
        ResponseStream(try await send(request, file: file, options: TransferOptions()))
    }

    // Disfavoured, so that a request with an output of its own is decoded where nothing says that its data is wanted.
    @_disfavoredOverload
    public func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
        published(Exchange(self, request))
    }

    @_disfavoredOverload
    public func fetch<R: Request>(_ request: R) -> AnyPublisher<R.Output, any Error> {
        let exchange = Exchange(self, request)
        return published(exchange).mapError(\.mostSpecific)
            .tryMap { data in
                // The delegate may have made other data of the answer.
                let http = try exchange.lastResponse?.http ?? .plain(request.url, status: 200)
                return try request.output(of: DataResponse(data: data, http: http), by: coders)
            }
            .eraseToAnyPublisher()
    }

    @_disfavoredOverload
    public func fetchWithCache<R: Request>(_ request: R) -> AnyPublisher<R.Output, any Error> {
        TaskPublisher { try await Exchange(self, request, isCached: true).acceptedResponse() }
            .tryMap { try request.output(of: $0, by: coders) }
            .eraseToAnyPublisher()
    }

    public func data(for request: any Request) async throws -> Data {
        try await successfulResponse(for: request).data
    }

    public func successfulResponse(for request: any Request) async throws -> DataResponse {
        try await Exchange(self, request).acceptedResponse()
    }

    public func response(for request: any Request, _ options: TransferOptions) async throws -> DataResponse {
        try await Exchange(self, request, options).response()
    }

    public func stream(for request: any Request) async throws -> ResponseStream {
        try await Exchange(self, request).stream()
    }

    private func published(_ exchange: Exchange) -> AnyPublisher<Data, URLError> {
        let publisher = TaskPublisher { try await exchange.untransformed().data }
            .mapError { URLError(fetching: $0, url: exchange.request.url) }
            .eraseToAnyPublisher()
        return delegate?.networking(self, transformPublisher: publisher) ?? publisher
    }
}

/// One request on its way through delegate, middlewares and cache to the wire, as often as it is sent.
private final class Exchange: Sendable {
    /// How much of the content of an unaccepted answer is read where it comes as a stream. 64 KiB.
    private static let shownContent = 64 * 1024

    let request: any Request
    private let networking: any WireNetworking
    private let options: TransferOptions
    private let isCached: Bool
    private let last = Mutex<DataResponse?>(nil)

    init(
        _ networking: any WireNetworking, _ request: any Request, _ options: TransferOptions = TransferOptions(),
        isCached: Bool = false
    ) {
        self.networking = networking
        self.request = request
        self.options = options
        self.isCached = isCached
    }

    /// What came last, be it accepted or not.
    var lastResponse: DataResponse? { last.withLock { $0 } }

    /// The answer, whatever its status, unless the delegate makes another of it.
    func response() async throws -> DataResponse {
        guard let delegate = networking.delegate else { return try await passed() }
        do {
            let data = try await delegate.networking(
                networking, transformFetch: { try await self.untransformed().data })
            guard let response = lastResponse, networking.acceptedStatuses.contains(response.status) else {
                return DataResponse(data: data, http: try .plain(request.url, status: 200))
            }
            return DataResponse(data: data, http: response.http, file: response.file)
        } catch let error as HTTPStatusError {
            return error.response
        }
    }

    func acceptedResponse() async throws -> DataResponse {
        do {
            return try accepted(await response())
        } catch is CancellationError {
            throw URLError(.cancelled)
        }
    }

    /// The answer before the delegate transforms it, where its status is accepted.
    func untransformed() async throws -> DataResponse {
        try accepted(await passed())
    }

    func stream() async throws -> ResponseStream {
        let opened = Mutex<ResponseStream?>(nil)
        let response = try await passed { networking, urlRequest, file in
            let stream = try await networking.open(urlRequest, file: file)
            opened.withLock { $0 = stream }
            return DataResponse(data: Data(), http: stream.http)
        }
        // A middleware may have made an answer of its own.
        let last = opened.withLock { $0.take() }
        guard let stream = last, stream.http === response.http else {
            return ResponseStream(try accepted(response))
        }
        guard networking.acceptedStatuses.contains(response.status) else {
            var content = Data()
            for try await chunk in stream.chunks {
                content += chunk
                guard content.count < Self.shownContent else { break }
            }
            throw failure(DataResponse(data: content, http: response.http))
        }
        return stream
    }

    private func accepted(_ response: DataResponse) throws -> DataResponse {
        guard networking.acceptedStatuses.contains(response.status) else { throw failure(response) }
        return response
    }

    private func failure(_ response: DataResponse) -> HTTPStatusError {
        HTTPStatusError(method: request.method, url: response.http.url ?? request.url, response: response)
    }

    private func passed() async throws -> DataResponse {
        try await passed { [options] in try await $0.send($1, file: $2, options: options) }
    }

    private func passed(
        _ send: @escaping @Sendable (any WireNetworking, URLRequest, URL?) async throws -> DataResponse
    ) async throws -> DataResponse {
        let headers = networking.delegate?.headers(for: networking) ?? [:]
        let wire = try networking.coders.use { try request.wireRequest(delegate: headers) }
        let response = try await Self.run(networking.middlewares[...], wire.urlRequest) { urlRequest in
            guard self.isCached, !wire.content.isElsewhere, let cache = self.networking.cache else {
                return try await self.sent(urlRequest, wire.content, send)
            }
            return try await cache.response(to: urlRequest) { try await self.sent($0, wire.content, send) }
        }
        last.withLock { $0 = response }
        return response
    }

    private static func run(
        _ middlewares: ArraySlice<any Middleware>, _ request: URLRequest, _ last: @escaping Middleware.Next
    ) async throws -> DataResponse {
        guard let first = middlewares.first else { return try await last(request) }
        return try await first.intercept(request) { try await run(middlewares.dropFirst(), $0, last) }
    }

    /// One request on the wire.
    private func sent(
        _ urlRequest: URLRequest, _ content: BodyContent,
        _ send: @Sendable (any WireNetworking, URLRequest, URL?) async throws -> DataResponse
    ) async throws -> DataResponse {
        let upload = try await content.upload()
        defer { upload?.discard() }
        var urlRequest = urlRequest
        var file: URL?
        switch upload {
        case nil: break
        case .data(let data): urlRequest.httpBody = data
        case .file(let url, _): file = url
        }
        let response: DataResponse
        do {
            response = try await AskedRequest.$current.withValue(request) { [urlRequest, file] in
                try await send(networking, urlRequest, file)
            }
        } catch let error as URLError {
            throw error.mostSpecific
        }
        networking.delegate?.networking(networking, didReceive: response.http)
        networking.cache?.forget(urlRequest, answeredWith: response.status)
        return response
    }
}
