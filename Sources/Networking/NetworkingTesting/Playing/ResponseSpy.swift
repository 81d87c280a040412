// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingCore
import Synchronization

/// A delegate that keeps the responses it gets.
final class ResponseSpy: NetworkingDelegate {
    private let received = Mutex<[HTTPURLResponse]>([])

    /// In the order they came.
    var responses: [HTTPURLResponse] { received.withLock { $0 } }

    func networking(_ networking: any Networking, didReceive response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        received.withLock { $0.append(response) }
    }
}
