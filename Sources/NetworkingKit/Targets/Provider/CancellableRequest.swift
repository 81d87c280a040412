// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// A request that was given to a provider; to release this does not cancel it.
public final class CancellableRequest: Cancellable, Sendable {
    private struct State {
        var isCancelled = false
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())

    init() {}

    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the request with `URLError.cancelled`, unless it has ended.
    public func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    /// Says what runs the request.
    func run(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }
}
