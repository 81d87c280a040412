// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit
import Synchronization

/// A networking whose responses wait behind a gate until it is opened.
final class GatedNetworking: Networking {
    private struct Gate {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        var asked: [String] = []
    }

    private let gate = Mutex(Gate())
    private let answer: Data

    init(_ answer: String) {
        self.answer = Data(answer.utf8)
    }

    var delegate: (any NetworkingDelegate)? {
        get { nil }
        set {}
    }

    /// The paths that were asked for.
    var asked: [String] { gate.withLock { $0.asked } }

    func open() {
        let waiters = gate.withLock { gate in
            defer { gate.waiters = [] }
            gate.isOpen = true
            return gate.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
        Fail(error: URLError(.unsupportedURL)).eraseToAnyPublisher()
    }

    func data(for request: any Request) async throws -> Data {
        await withCheckedContinuation { continuation in
            let isOpen = gate.withLock { gate in
                gate.asked.append(request.url.path)
                if !gate.isOpen { gate.waiters.append(continuation) }
                return gate.isOpen
            }
            if isOpen { continuation.resume() }
        }
        return answer
    }
}
