// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiProxy
import Synchronization

/// The requests that a session makes by itself, by upstream, method and target.
final class AskedRequests: Sendable {
    private let known = Mutex<Set<[String]>>([])

    /// - Returns: false for a request that is known already.
    @discardableResult
    func insert(_ request: OutgoingRequest) -> Bool {
        known.withLock { $0.insert([request.origin.text, request.method, request.target]).inserted }
    }
}
