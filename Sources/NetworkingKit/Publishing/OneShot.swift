// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// The first of several results, to one who waits for it; what comes later is not heard.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case given(Value)
        case taken
    }

    private let state = Mutex(State.open)

    /// Gives a result; one that was given before stays.
    ///
    /// - Returns: whether this one was the first.
    @discardableResult
    func finish(_ value: Value) -> Bool {
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
    nonisolated(nonsending) func value(
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
