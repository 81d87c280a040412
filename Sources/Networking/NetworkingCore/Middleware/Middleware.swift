// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
import Synchronization

/// A link that sees each request of a networking and its response, and may change both: for `fetch`, clients,
/// providers, the cache and paging.
///
///     struct Tracing: Middleware {
///         func intercept(_ request: URLRequest, _ next: @escaping Next) async throws -> DataResponse {
///             var request = request
///             request.setValue(UUID().uuidString, forHTTPHeaderField: "X-Request-Id")
///             return try await next(request)
///         }
///     }
///
///     let networker = Networker(middlewares: [RetryMiddleware(), Tracing()])
///
/// The first of a networking is outermost; around it are the delegate of the networking (`NetworkingDelegate`) and the plugins of a provider
/// (`PluginMiddleware`), which are links of the same chain. The content of an upload is not in the request. If a
/// response is streamed, its data is not in it.
public protocol Middleware: Sendable {
    /// Hands a request on: to the next middleware, or to the cache and the wire.
    typealias Next = @Sendable (URLRequest) async throws -> DataResponse

    /// Gives the response to a request, mostly that of `next`, which may be called again, or not at all.
    func intercept(_ request: URLRequest, _ next: @escaping Next) async throws -> DataResponse
}

extension [any Middleware] {
    /// Sends a request through the chain, the first link first, to `last`.
    func send(_ request: URLRequest, _ last: @escaping Middleware.Next) async throws -> DataResponse {
        let next = reversed().reduce(last) { next, link in { try await link.intercept($0, next) } }
        return try await next(request)
    }
}

/// A middleware that is a closure.
///
///     Networker(middlewares: [Intercept { request, next in try await next(request) }])
public struct Intercept: Middleware {
    private let closure: @Sendable (URLRequest, @escaping Next) async throws -> DataResponse

    /// Makes a middleware of a function.
    public init(
        _ closure: @escaping @Sendable (_ request: URLRequest, _ next: @escaping Next) async throws -> DataResponse
    ) {
        self.closure = closure
    }

    public func intercept(_ request: URLRequest, _ next: @escaping Next) async throws -> DataResponse {
        try await closure(request, next)
    }
}

/// How an exchange went.
public struct ExchangeMetrics: Sendable {
    /// The method of the request.
    public let method: String
    /// The URL of the request; nil if it could not be made.
    public let url: URL?
    /// Nil if no response came.
    public let status: Int?
    /// Why no response came.
    public let error: (any Error)?
    /// Bytes of the content that was sent; 0 for an upload from a file.
    public let sentBytes: Int
    /// Bytes of the content that came, its coding undone; 0 for a download and for content that is read as it comes.
    public let receivedBytes: Int
    /// When the exchange began.
    public let startedAt: Date
    /// How long it took.
    public let duration: Duration
}

/// Reports how each exchange went.
public struct MetricsMiddleware: Middleware {
    private let report: @Sendable (ExchangeMetrics) -> Void

    /// Makes a middleware that reports each exchange when it ends.
    public init(_ report: @escaping @Sendable (ExchangeMetrics) -> Void) {
        self.report = report
    }

    public func intercept(_ request: URLRequest, _ next: @escaping Next) async throws -> DataResponse {
        let startedAt = Date()
        let start = ContinuousClock.now
        func tell(_ response: DataResponse?, _ error: (any Error)?) {
            report(
                ExchangeMetrics(
                    method: request.httpMethod ?? "GET", url: request.url, status: response?.status, error: error,
                    sentBytes: request.httpBody?.count ?? 0, receivedBytes: response?.data.count ?? 0,
                    startedAt: startedAt, duration: ContinuousClock.now - start))
        }
        do {
            let response = try await next(request)
            tell(response, nil)
            return response
        } catch {
            tell(nil, error)
            throw error
        }
    }
}

/// Sends a bearer token with each request (RFC 6750 §2.1), and gets a new one if it is refused, once for all that need it.
///
///     let tokens = TokenMiddleware { try await login() }
///     let networker = Networker(middlewares: [tokens])
///
/// A request that was refused is sent again once. A request with an `Authorization` of its own is left alone.
public final class TokenMiddleware: Middleware {
    private struct State {
        var token: String?
        /// Counts the tokens, so that one refresh serves all requests that were refused with the same.
        var generation = 0
    }

    private let state: Mutex<State>
    private let flights = SharedFlights<Int, String>()
    private let statuses: Set<Int>
    private let hosts: Set<String>?
    private let refresh: @Sendable () async throws -> String

    /// - Parameters:
    ///   - token: the present token; nil to get one before the first request.
    ///   - hosts: where the token may go; nil for everywhere that requests go.
    ///   - statuses: those of a response that refuses it. 401.
    ///   - refresh: gets a token; by a networking without this middleware, or it would wait for itself.
    public init(
        token: String? = nil, hosts: Set<String>? = nil, statuses: Set<Int> = [401],
        refresh: @escaping @Sendable () async throws -> String
    ) {
        state = Mutex(State(token: token))
        self.hosts = hosts.map { Set($0.map { $0.lowercased() }) }
        self.statuses = statuses
        self.refresh = refresh
    }

    public func intercept(_ request: URLRequest, _ next: @escaping Next) async throws -> DataResponse {
        guard request.value(forHTTPHeaderField: "Authorization") == nil, isMeant(request.url) else {
            return try await next(request)
        }
        let (token, generation) = state.withLock { ($0.token, $0.generation) }
        let used: String
        if let token { used = token } else { used = try await renewed(generation) }
        let response = try await next(Self.authorized(request, used))
        guard statuses.contains(response.status) else { return response }
        let usedGeneration = token == nil ? generation + 1 : generation
        let renewed = try await renewed(usedGeneration)
        response.discardFile()
        return try await next(Self.authorized(request, renewed))
    }

    private func isMeant(_ url: URL?) -> Bool {
        guard let hosts else { return true }
        return (url?.host?.lowercased()).map(hosts.contains) ?? false
    }

    /// The token after that of a generation; the first caller gets it.
    private func renewed(_ generation: Int) async throws -> String {
        do {
            return try await flights.value(for: generation) {
                // Another flight may have landed meanwhile.
                let known = self.state.withLock { $0.generation > generation ? $0.token : nil }
                if let known { return known }
                let token = try await self.refresh()
                self.state.withLock { state in
                    state.token = token
                    state.generation = generation + 1
                }
                return token
            }
        } catch is CancellationError {
            throw URLError(.cancelled)
        }
    }

    private static func authorized(_ request: URLRequest, _ token: String) -> URLRequest {
        var request = request
        let token = token.trimmingCharacters(in: .whitespacesAndNewlines)
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return request
    }
}

extension TokenMiddleware: CustomReflectable {
    /// Shows none of its contents, which other threads change.
    public var customMirror: Mirror { .opaque(self) }
}
