// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// A request that was given to a provider; to release this does not cancel it.
public final class CancellableRequest: Cancellable, Sendable {
    private struct State {
        var isCancelled = false
        var isRunning = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    public init() {}

    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the request with `URLError.cancelled`, unless it has ended.
    public func cancel() {
        cancelled()
    }

    /// Cancels.
    ///
    /// - Returns: whether it is known how.
    @discardableResult
    func cancelled() -> Bool {
        let (cancel, isRunning) = state.withLock { state in
            state.isCancelled = true
            return (state.cancel.take(), state.isRunning)
        }
        cancel?()
        return isRunning
    }

    /// Says how the request is cancelled; one that has been cancelled already is.
    public func run(_ cancel: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.isRunning = true
            if !state.isCancelled { state.cancel = cancel }
            return state.isCancelled
        }
        if isCancelled { cancel() }
    }
}
