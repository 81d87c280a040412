// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContract
import Synchronization

extension Task where Failure == any Error {
    /// The result of the task; nil if it has not ended within the limit, be it cancelled or not.
    ///
    /// The task is cancelled then, and not waited for: a task that hangs may not notice that.
    func result(within limit: Duration) async -> Result<Success, any Error>? {
        let wait = TimedWait<Result<Success, any Error>>()
        let timer = Task<Void, Never> {
            var patience = Patience(limit)
            while await patience.pause() {}
            if !Task<Never, Never>.isCancelled { wait.end(nil) }
        }
        Task<Void, Never> { wait.end(await result) }
        let value = await wait.value()
        timer.cancel()
        if value == nil { cancel() }
        return value
    }
}

/// One waiter, and the first event that ends the wait.
private final class TimedWait<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Value?, Never>)
        case ended(Value?)
    }

    private let state = Mutex(State.open)

    func value() async -> Value? {
        await withCheckedContinuation { continuation in
            let ended: Value?? = state.withLock { state in
                if case .ended(let value) = state { return .some(value) }
                state = .waiting(continuation)
                return .none
            }
            if case .some(let value) = ended { continuation.resume(returning: value) }
        }
    }

    func end(_ value: Value?) {
        let continuation: CheckedContinuation<Value?, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .ended(value)
                return nil
            case .waiting(let continuation):
                state = .ended(value)
                return continuation
            case .ended: return nil
            }
        }
        continuation?.resume(returning: value)
    }
}
