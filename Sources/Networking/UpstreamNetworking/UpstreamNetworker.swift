// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
import MockapiUpstream
public import NetworkingKit

/// A networking by libcurl, which speaks HTTP/2 without TLS too, trusts the authority it is given and takes time-outs to the millisecond.
///
///     var configuration = UpstreamNetworker.Configuration()
///     configuration.version = .h2c
///     let networker = UpstreamNetworker(configuration)
///     let articles = try await networker.value(for: ArticleRequest(base: api))
///
/// It does the same for its user as `Networker`, on connections of its own. libcurl is loaded when the first request is sent.
public final class UpstreamNetworker: WireNetworking {
    /// The statuses that are not an error.
    public let acceptedStatuses: AcceptedStatuses
    public let middlewares: [any Middleware]
    public let coders: Coders
    public let cache: RequestCache<Data>?

    private let configuration: Configuration
    private let reference = DelegateReference()
    private let client: UpstreamClient

    /// - Parameters:
    ///   - acceptedStatuses: `.any` takes the data of an error for a response.
    ///   - middlewares: the links that each request passes, the first one outermost.
    ///   - coders: the coders that read and write JSON.
    ///   - cache: the cache of `fetchWithCache`.
    public init(
        _ configuration: Configuration = Configuration(), acceptedStatuses: AcceptedStatuses = .successful,
        middlewares: [any Middleware] = [], coders: Coders = Coders(), cache: RequestCache<Data> = .ofData()
    ) {
        self.configuration = configuration
        self.acceptedStatuses = acceptedStatuses
        self.middlewares = middlewares
        self.coders = coders
        self.cache = cache
        client = UpstreamClient(configuration.upstream)
    }

    public weak var delegate: (any NetworkingDelegate)? {
        get { reference.delegate }
        set { reference.delegate = newValue }
    }

    /// Sends a request, and those that redirections ask for.
    ///
    /// - Throws: `URLError`, with the failure and the way out as its `localizedDescription`.
    public func send(
        _ request: URLRequest, file: URL?, options: TransferOptions
    ) async throws(URLError) -> DataResponse {
        let meter = ProgressMeter(options.progress)
        let (stream, request) = try await response(to: request, file: file, meter)
        return try await ResponseReader(stream, request, options, limit: configuration.maxBody, meter).read()
    }

    public func open(_ request: URLRequest, file: URL?) async throws(URLError) -> ResponseStream {
        let (stream, request) = try await response(to: request, file: file, ProgressMeter(nil))
        return try ResponseReader.stream(stream, request)
    }

    /// The response to a request, and the request that it was which redirections have made of it.
    private func response(
        to request: URLRequest, file: URL?, _ meter: ProgressMeter
    ) async throws(URLError) -> (UpstreamStream, URLRequest) {
        let deadline = configuration.timeout.map { ContinuousClock.now + $0 }
        var (request, file) = (request, file)
        for _ in 0...max(0, configuration.redirectLimit) {
            let timeouts = configuration.timeouts(request, until: deadline)
            let content = try await RequestContent(request, file: file)
            meter.willSend(content.count)
            let stream = try await open(request, content, timeouts, meter)
            let location = stream.head["Location"]
            guard let redirection = try Redirection(of: request, status: stream.head.status, location: location) else {
                return (stream, request)
            }
            await ResponseReader.drain(stream)
            request = redirection.request
            if !redirection.keepsContent { file = nil }
        }
        throw Redirection.tooMany(limit: max(0, configuration.redirectLimit), url: request.url)
    }

    private func open(
        _ request: URLRequest, _ content: RequestContent, _ timeouts: UpstreamTimeouts, _ meter: ProgressMeter
    ) async throws(URLError) -> UpstreamStream {
        do {
            var upstream = try UpstreamRequest(request, version: configuration.upstreamVersion)
            upstream.body = try await content.body(method: upstream.method, meter)
            upstream.timeouts = timeouts
            return try await client.stream(upstream)
        } catch let error as UpstreamError {
            throw URLError(error, url: request.url)
        } catch {
            throw error as? URLError ?? URLError(.unknown, because: error, url: request.url)
        }
    }
}

extension UpstreamNetworker: CustomReflectable {
    /// Shows nothing, as that of `Networker`.
    public var customMirror: Mirror { .opaque(self) }
}
