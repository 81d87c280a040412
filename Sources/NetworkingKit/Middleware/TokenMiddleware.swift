// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import Synchronization

/// Sends a bearer token with each request (RFC 6750 §2.1), and gets a new one where it is refused, once for all who need it.
///
///     let tokens = TokenMiddleware { try await login() }
///     let networker = Networker(middlewares: [tokens])
///
/// A request that was refused is sent again once. One that has an `Authorization` of its own is left alone.
public final class TokenMiddleware: Middleware {
    private struct State {
        var token: String?
        /// Counts the tokens, so that one refresh answers all who were refused with the same.
        var generation = 0
    }

    private let state: Mutex<State>
    private let flights = SharedFlights<Int, String>()
    private let statuses: Set<Int>
    private let hosts: Set<String>?
    private let refresh: @Sendable () async throws -> String

    /// - Parameters:
    ///   - token: the one there is; nil to get one before the first request.
    ///   - hosts: where the token may go; nil for everywhere that requests go.
    ///   - statuses: those of an answer that refuses it. 401.
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

    public func intercept(_ request: URLRequest, _ next: Next) async throws -> DataResponse {
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

    /// The token after that of a generation, which whoever comes first gets.
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
