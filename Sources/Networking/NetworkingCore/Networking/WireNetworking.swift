// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
import Synchronization

/// A networking that exchanges a request for a response, and leaves the common steps to this protocol.
///
/// One exchange goes: `urlRequest()`, the delegate (its headers, its transformation), the middlewares, the cache if it is asked for,
/// `send`, and back through all of them; the status is judged last.
public protocol WireNetworking: Networking {
    /// The statuses that are not an error.
    var acceptedStatuses: AcceptedStatuses { get }

    /// The links that each request passes on its way to the wire and its response on the way back, the first one
    /// outermost.
    ///
    /// The delegate is a link before them.
    var middlewares: [any Middleware] { get }

    /// Sends a request just as it stands.
    ///
    /// - Parameter file: the file that is sent as its body; nil for the body it has.
    func send(
        _ request: URLRequest, file: URL?, options: TransferOptions
    ) async throws(URLError) -> DataResponse

    /// Sends a request just as it stands, and gives the response as soon as its head is there.
    func open(_ request: URLRequest, file: URL?) async throws(URLError) -> ResponseStream
}

extension WireNetworking {
    public var middlewares: [any Middleware] { [] }

    public func open(_ request: URLRequest, file: URL?) async throws(URLError) -> ResponseStream {
        ResponseStream(try await send(request, file: file, options: TransferOptions()))
    }

    // Disfavoured, so that a request with an output of its own is decoded if nothing says that its data is wanted.
    @_disfavoredOverload
    public func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
        Exchange(self, request).publisher()
    }

    @_disfavoredOverload
    public func fetch<R: Request>(_ request: R) -> AnyPublisher<R.Output, any Error> {
        let exchange = Exchange(self, request)
        return exchange.publisher().mapError(\.mostSpecific)
            .tryMap { data in
                // The delegate may have made other data of the response.
                let response = exchange.delegate.lastResponse?.with(data: data)
                return try request.output(
                    of: response ?? DataResponse(data: data, http: try .plain(request.url, status: 200)), by: coders)
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

    /// The whole response of an accepted status.
    public func successfulResponse(for request: any Request) async throws -> DataResponse {
        try await Exchange(self, request).acceptedResponse()
    }

    /// The whole response; a status that is not accepted is a `ResponseError`.
    public func response(for request: any Request, _ options: TransferOptions) async throws -> DataResponse {
        try await Exchange(self, request, options).response()
    }

    public func stream(for request: any Request) async throws -> ResponseStream {
        try await Exchange(self, request).stream()
    }
}

/// One request on its way through the chain of a networking, as often as it is sent.
private struct Exchange: Sendable {
    /// How a request comes to the wire, with the file that is its content.
    typealias Wire = @Sendable (any WireNetworking, URLRequest, URL?) async throws -> DataResponse

    /// How much of the content of an unaccepted response is read if it comes as a stream. 64 KiB.
    private static let shownContent = 64 * 1024

    let request: any Request
    let delegate: DelegateMiddleware
    private let networking: any WireNetworking
    private let options: TransferOptions
    private let isCached: Bool

    init(
        _ networking: any WireNetworking, _ request: any Request, _ options: TransferOptions = TransferOptions(),
        isCached: Bool = false
    ) {
        self.networking = networking
        self.request = request
        self.options = options
        self.isCached = isCached
        delegate = DelegateMiddleware(networking, request)
    }

    /// The response, whatever its status, unless the delegate makes another of it.
    func response() async throws -> DataResponse {
        try await response(delegate) { try await $0.send($1, file: $2, options: options) }
    }

    func acceptedResponse() async throws -> DataResponse {
        do {
            return try delegate.accepted(await response())
        } catch is CancellationError {
            throw URLError(.cancelled)
        }
    }

    /// The data, transformed by the delegate as a publisher.
    func publisher() -> AnyPublisher<Data, URLError> {
        let link = Intercept { try await delegate.untransformed($0, $1) }
        let publisher = TaskPublisher {
            let response = try await response(link) { try await $0.send($1, file: $2, options: options) }
            return try delegate.accepted(response).data
        }
        .mapError { URLError(fetching: $0, url: request.url) }
        .eraseToAnyPublisher()
        return networking.delegate?.networking(networking, transformPublisher: publisher) ?? publisher
    }

    /// The response as it comes, which no delegate can transform.
    func stream() async throws -> ResponseStream {
        let opened = Mutex<ResponseStream?>(nil)
        let link = Intercept { try await delegate.untransformed($0, $1) }
        let response = try await response(link) { networking, urlRequest, file in
            let stream = try await networking.open(urlRequest, file: file)
            opened.withLock { $0 = stream }
            return DataResponse(data: Data(), http: stream.http)
        }
        // A middleware may have made a response of its own.
        guard let stream = opened.withLock({ $0.take() }), stream.http === response.response else {
            return ResponseStream(try delegate.accepted(response))
        }
        guard !networking.acceptedStatuses.contains(response.status) else { return stream }
        var content = Data()
        for try await chunk in stream.chunks {
            content += chunk
            guard content.count < Self.shownContent else { break }
        }
        _ = try delegate.accepted(response.with(data: content))
        return stream
    }

    /// One way through the chain: the delegate, the middlewares, the cache if it is asked for, the wire.
    private func response(_ first: any Middleware, _ wire: @escaping Wire) async throws -> DataResponse {
        let wired = try networking.coders.use { try request.wireRequest() }
        let content = wired.content
        var chain: [any Middleware] = [first, Intercept { try await $1(content.completing($0)) }]
        chain += networking.middlewares
        if isCached, !content.isElsewhere, let cache = networking.cache {
            chain.append(Intercept { try await cache.response(to: $0, $1) })
        }
        chain.append(delegate.telling)
        let response = try await chain.send(wired.urlRequest) { try await sent($0, content, wire) }
        return response.read(by: networking.coders)
    }

    private func sent(_ urlRequest: URLRequest, _ content: BodyContent, _ wire: Wire) async throws -> DataResponse {
        let upload = try await content.upload()
        defer { upload?.discard() }
        var urlRequest = urlRequest
        if let data = upload?.data { urlRequest.httpBody = data }
        do {
            let response = try await SentRequest.$asked.withValue(request) { [urlRequest] in
                try await wire(networking, urlRequest, upload?.file)
            }
            networking.cache?.forget(urlRequest, answeredWith: response.status)
            return response.with(request: urlRequest)
        } catch let error as URLError {
            throw error.mostSpecific
        }
    }
}
