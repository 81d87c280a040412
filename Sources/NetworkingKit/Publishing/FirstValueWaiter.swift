// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import Synchronization

/// Who waits for the first value of a publisher.
final class FirstValueWaiter<Value: Sendable>: Sendable {
    /// Unchecked: `cancel` of a subscription may be called by any thread at any time, and nothing else of it is called through this.
    private struct Cancellation: @unchecked Sendable {
        let subscription: any Subscription
    }

    private struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var cancellation: Cancellation?
        var isEnded = false
    }

    private let state = Mutex(State())

    func wait(with continuation: CheckedContinuation<Value, any Error>) {
        let isEnded = state.withLock { state in
            if !state.isEnded { state.continuation = continuation }
            return state.isEnded
        }
        if isEnded { continuation.resume(throwing: URLError(.cancelled)) }
    }

    /// - Returns: false where nobody waits any more; the subscription is cancelled then.
    func begin(_ subscription: any Subscription) -> Bool {
        let cancellation = Cancellation(subscription: subscription)
        let isEnded = state.withLock { state in
            if !state.isEnded { state.cancellation = cancellation }
            return state.isEnded
        }
        if isEnded { subscription.cancel() }
        return !isEnded
    }

    /// - Parameter result: nil where the publisher finished; that says something only where no value came before.
    func finish(_ result: Result<Value, any Error>?) {
        let (continuation, _) = end()
        let nothing = URLError(
            .unknown, userInfo: [NSLocalizedDescriptionKey: "the publisher finished without a value"])
        continuation?.resume(with: result ?? .failure(nothing))
    }

    func cancel() {
        let (continuation, cancellation) = end()
        cancellation?.subscription.cancel()
        continuation?.resume(throwing: URLError(.cancelled))
    }

    private func end() -> (CheckedContinuation<Value, any Error>?, Cancellation?) {
        state.withLock { state in
            defer {
                state.isEnded = true
                state.continuation = nil
                state.cancellation = nil
            }
            return (state.continuation, state.cancellation)
        }
    }
}
