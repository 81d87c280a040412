// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

extension Networking {
    /// The decoded answer to a request, from the networking's cache where it is there.
    ///
    /// Many who ask at once share one request, which is cancelled with the last of them. What is kept is data; it is decoded for each.
    public func fetchWithCache<R: Request>(_ request: R) -> AnyPublisher<R.Output, any Error> {
        TaskPublisher { try await cachedData(for: request) }.tryMap(request.decode).eraseToAnyPublisher()
    }

    /// The decoded answer to a request, from the networking's cache where it is there.
    ///
    /// - Throws: what `fetch` does, and what decoding does; `URLError.cancelled` to who is cancelled.
    public func fetchWithCache<R: Request>(_ request: R) async throws -> R.Output {
        try request.decode(await cachedData(for: request))
    }

    private func cachedData(for request: any Request) async throws -> Data {
        guard let cache else { return try await fetch(request) }
        do {
            return try await cache.response(for: request) { try await fetch(request) }
        } catch is CancellationError {
            throw URLError(.cancelled)
        }
    }
}
