// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// What a subscriber was told.
final class SubscriptionRecord: Sendable {
    private struct State {
        var values = 0
        var completions = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Values and completions so far.
    var counts: [Int] { state.withLock { [$0.values, $0.completions] } }

    func receive() {
        state.withLock { $0.values += 1 }
    }

    func complete() {
        let waiter = state.withLock { state in
            state.completions += 1
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits for a completion; for one task.
    func end() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.completions == 0 { state.waiter = continuation }
                return state.completions > 0
            }
            if isOver { continuation.resume() }
        }
    }
}
