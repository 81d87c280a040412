// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// The first answer of several, to one who waits for it.
final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case given(Value)
        case taken
    }

    private let state = Mutex(State.open)

    /// Gives an answer; one that was given before stays.
    func give(_ value: Value) {
        let waiter: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .given(value)
                return nil
            case .awaited(let waiter):
                state = .taken
                return waiter
            case .given, .taken: return nil
            }
        }
        waiter?.resume(returning: value)
    }

    /// Waits; one waiter is all there may be.
    func wait(_ waiter: CheckedContinuation<Value, Never>) {
        let value: Value? = state.withLock { state in
            guard case .given(let value) = state else {
                state = .awaited(waiter)
                return nil
            }
            state = .taken
            return value
        }
        if let value { waiter.resume(returning: value) }
    }
}
