// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// What sees each request of a networking and its answer, and may change both: for `fetch`, clients, providers, the cache and paging alike.
///
///     struct Tracing: Middleware {
///         func intercept(_ request: URLRequest, _ next: Next) async throws -> DataResponse {
///             var request = request
///             request.setValue(UUID().uuidString, forHTTPHeaderField: "X-Request-Id")
///             return try await next(request)
///         }
///     }
///
///     let networker = Networker(middlewares: [RetryMiddleware(), Tracing()])
///
/// The first of a networking is outermost. The content of an upload is not in the request. Where an answer is read as it comes, its data is not
/// in the response.
public protocol Middleware: Sendable {
    /// Hands a request on: to the next middleware, or to the cache and the wire.
    typealias Next = @Sendable (URLRequest) async throws -> DataResponse

    /// Gives the answer to a request, mostly that of `next`, which may be called again, or not at all.
    func intercept(_ request: URLRequest, _ next: Next) async throws -> DataResponse
}

/// A middleware that is a closure.
///
///     Networker(middlewares: [Intercept { request, next in try await next(request) }])
public struct Intercept: Middleware {
    private let closure: @Sendable (URLRequest, Next) async throws -> DataResponse

    public init(_ closure: @escaping @Sendable (_ request: URLRequest, _ next: Next) async throws -> DataResponse) {
        self.closure = closure
    }

    public func intercept(_ request: URLRequest, _ next: Next) async throws -> DataResponse {
        try await closure(request, next)
    }
}

/// How an exchange went.
public struct ExchangeMetrics: Sendable {
    public let method: String
    public let url: URL?
    /// Nil where no answer came.
    public let status: Int?
    /// Why no answer came.
    public let error: (any Error)?
    /// Bytes of the content that was sent; 0 for an upload from a file.
    public let sentBytes: Int
    /// Bytes of the content that came, its coding undone; 0 for a download and for what is read as it comes.
    public let receivedBytes: Int
    public let startedAt: Date
    public let duration: Duration
}

/// Tells how each exchange went.
public struct MetricsMiddleware: Middleware {
    private let report: @Sendable (ExchangeMetrics) -> Void

    public init(_ report: @escaping @Sendable (ExchangeMetrics) -> Void) {
        self.report = report
    }

    public func intercept(_ request: URLRequest, _ next: Next) async throws -> DataResponse {
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
