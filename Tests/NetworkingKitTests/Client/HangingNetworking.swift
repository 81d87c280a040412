// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit

/// A networking that never answers, and says of each request that it came and that it was cancelled.
final class HangingNetworking: Networking {
    enum Event: Equatable {
        case asked(String)
        case cancelled(String)
    }

    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    var delegate: (any NetworkingDelegate)? {
        get { nil }
        set {}
    }

    func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
        Fail(error: URLError(.unsupportedURL)).eraseToAnyPublisher()
    }

    func data(for request: any Request) async throws -> Data {
        let path = request.url.path
        continuation.yield(.asked(path))
        defer { continuation.yield(.cancelled(path)) }
        // Ends by cancellation only.
        try await Task.sleep(for: .seconds(3_600))
        throw URLError(.timedOut)
    }
}
