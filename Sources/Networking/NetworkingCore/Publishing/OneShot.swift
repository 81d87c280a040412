// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// The first of several results, for one waiter; later results are not heard.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case given(Value)
        case taken
    }

    private let state = Mutex(State.open)

    package init() {}

    /// Gives a result; an earlier result stays.
    ///
    /// - Returns: whether this result was the first.
    @discardableResult
    package func finish(_ value: Value) -> Bool {
        let (waiter, isFirst) = state.withLock { state -> (CheckedContinuation<Value, Never>?, Bool) in
            switch state {
            case .open:
                state = .given(value)
                return (nil, true)
            case .awaited(let waiter):
                state = .taken
                return (waiter, true)
            case .given, .taken: return (nil, false)
            }
        }
        waiter?.resume(returning: value)
        return isFirst
    }

    /// Waits for the result; one waiter is all there may be.
    ///
    /// - Parameters:
    ///   - start: called first, unless the task is cancelled by then.
    ///   - onCancel: called when the task is cancelled, at any time; finishes, so that nobody waits for ever.
    package nonisolated(nonsending) func value(
        _ start: () -> Void, onCancel: @escaping @Sendable () -> Void
    ) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let value: Value? = state.withLock { state in
                    guard case .given(let value) = state else {
                        state = .awaited(waiter)
                        return nil
                    }
                    state = .taken
                    return value
                }
                if let value { waiter.resume(returning: value) } else { start() }
            }
        } onCancel: {
            onCancel()
        }
    }
}

/// A request that was given to a provider; to release this does not cancel it.
public final class CancellableRequest: Cancellable, Sendable {
    private struct State {
        var isCancelled = false
        var isRunning = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Makes a request that is not cancelled.
    public init() {}

    /// Whether it was cancelled.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the request with `URLError.cancelled`, unless it has ended.
    public func cancel() {
        cancelled()
    }

    /// Cancels.
    ///
    /// - Returns: whether it is known how.
    @discardableResult
    package func cancelled() -> Bool {
        let (cancel, isRunning) = state.withLock { state in
            state.isCancelled = true
            return (state.cancel.take(), state.isRunning)
        }
        cancel?()
        return isRunning
    }

    /// Forgets how the request is cancelled: it has ended.
    package func letGo() {
        // Released outside of the lock, since it runs somebody else's closure.
        let released = state.withLock { $0.cancel.take() }
        withExtendedLifetime(released) {}
    }

    /// Sets how the request is cancelled; a request that has been cancelled already is cancelled at once.
    public func run(_ cancel: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.isRunning = true
            if !state.isCancelled { state.cancel = cancel }
            return state.isCancelled
        }
        if isCancelled { cancel() }
    }
}

extension CancellableRequest: CustomReflectable {
    /// Shows none of its contents, which other threads change.
    public var customMirror: Mirror { .opaque(self) }
}
