// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// Sends a request again if its response says that it may work later, or none came.
///
///     Networker(middlewares: [RetryMiddleware()])
///
/// The waits double from `backOff` on, each shortened at random by up to a half; `Retry-After` lengthens one (RFC 9110 §10.2.3).
public struct RetryMiddleware: Middleware {
    /// The methods whose requests may be sent twice with the effect of once (RFC 9110 §9.2.2).
    public static let idempotentMethods: Set<HTTPMethod> = [.get, .head, .options, .trace, .put, .delete]
    /// The statuses that are retried unless others are given.
    public static let retriedStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    /// The errors that may be gone a moment later.
    public static let retriedCodes: Set<URLError.Code> = [
        .timedOut, .networkConnectionLost, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
        .notConnectedToInternet,
    ]

    private let limit: Int
    private let methods: Set<HTTPMethod>
    private let statuses: Set<Int>
    private let codes: Set<URLError.Code>
    private let backOff: Duration
    private let longestWait: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - limit: how often a request is sent again. 2.
    ///   - backOff: the first wait. 200 ms.
    ///   - longestWait: no wait is longer; a response that asks for a longer one is the result. 30 s.
    ///   - sleep: waits; for tests.
    public init(
        limit: Int = 2, methods: Set<HTTPMethod> = RetryMiddleware.idempotentMethods,
        statuses: Set<Int> = RetryMiddleware.retriedStatuses, codes: Set<URLError.Code> = RetryMiddleware.retriedCodes,
        backOff: Duration = .milliseconds(200), longestWait: Duration = .seconds(30),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.limit = limit
        self.methods = methods
        self.statuses = statuses
        self.codes = codes
        self.backOff = backOff
        self.longestWait = longestWait
        self.sleep = sleep
    }

    public func intercept(_ request: URLRequest, _ next: @escaping Next) async throws -> DataResponse {
        guard methods.contains(HTTPMethod(request.httpMethod ?? "GET")) else { return try await next(request) }
        for attempt in 0..<max(0, limit) {
            let wait: Duration
            do {
                let response = try await next(request)
                guard statuses.contains(response.status), let pause = self.wait(attempt, response) else {
                    return response
                }
                response.discardFile()
                wait = pause
            } catch let error as URLError where codes.contains(error.code) {
                wait = self.wait(attempt)
            }
            do {
                try await sleep(wait)
            } catch is CancellationError {
                throw URLError(.cancelled)
            }
        }
        return try await next(request)
    }

    private func wait(_ attempt: Int) -> Duration {
        let doubled = backOff * (1 << min(attempt, 20))
        return min(doubled * Double.random(in: 0.5...1), longestWait)
    }

    /// - Returns: nil if the response asks for a longer wait than there may be.
    private func wait(_ attempt: Int, _ response: DataResponse) -> Duration? {
        guard let field = response.http.value(forHTTPHeaderField: "Retry-After") else { return wait(attempt) }
        let asked: Duration
        if let seconds = Int64(field.trimmingCharacters(in: .whitespaces)), seconds >= 0 {
            asked = seconds < 1_000_000_000 ? .seconds(seconds) : .seconds(1_000_000_000)
        } else if let date = HTTPDate.date(field) {
            asked = .seconds(max(0, min(date.timeIntervalSinceNow, 1e9)))
        } else {
            return wait(attempt)
        }
        return asked <= longestWait ? max(asked, wait(attempt)) : nil
    }
}
