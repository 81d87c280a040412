// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// A publisher of what an asynchronous function gives: one value, or its error.
///
/// Each subscription calls the function anew, when a value is first demanded. To cancel the subscription cancels the task that runs it.
public struct TaskPublisher<Output: Sendable>: Publisher {
    public typealias Failure = any Error

    private let operation: @Sendable () async throws -> Output

    public init(_ operation: @escaping @Sendable () async throws -> Output) {
        self.operation = operation
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
        subscriber.receive(subscription: TaskSubscription(subscriber, operation))
    }
}

/// Runs an asynchronous function for one subscriber.
final class TaskSubscription<Value: Sendable>: Subscription, Sendable {
    /// A subscriber, to be taken to the task.
    ///
    /// Unchecked: publishers call a subscriber from one place at a time, and here that is first `receive(subscription:)`, which is over or
    /// under way in the demand that starts the task, then that task alone.
    private struct Receiver: @unchecked Sendable {
        let receive: (Value) -> Void
        let complete: (Subscribers.Completion<any Error>) -> Void

        init<S: Subscriber>(_ subscriber: S) where S.Input == Value, S.Failure == any Error {
            receive = { _ = subscriber.receive($0) }
            complete = { subscriber.receive(completion: $0) }
        }
    }

    private enum State {
        case waiting(Receiver, @Sendable () async throws -> Value)
        case running(Task<Void, Never>?, Receiver)
        case ended
    }

    private let state: Mutex<State>

    init<S: Subscriber>(
        _ subscriber: S, _ operation: @escaping @Sendable () async throws -> Value
    ) where S.Input == Value, S.Failure == any Error {
        state = Mutex(.waiting(Receiver(subscriber), operation))
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let operation: (@Sendable () async throws -> Value)? = state.withLock { state in
            guard case .waiting(let receiver, let operation) = state else { return nil }
            state = .running(nil, receiver)
            return operation
        }
        guard let operation else { return }
        let task = Task {
            do {
                let value = try await operation()
                self.receiver?.receive(value)
                // Who cancels when the value comes is told no more.
                self.end()?.complete(.finished)
            } catch {
                self.end()?.complete(.failure(error))
            }
        }
        let isCancelled = state.withLock { state in
            switch state {
            case .running(_, let receiver):
                state = .running(task, receiver)
                return false
            case .ended: return true
            case .waiting: return false
            }
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task: Task<Void, Never>? = state.withLock { state in
            defer { state = .ended }
            guard case .running(let task, _) = state else { return nil }
            return task
        }
        task?.cancel()
    }

    /// Who is to be told; nil where the subscription is cancelled.
    private var receiver: Receiver? {
        state.withLock { state in
            guard case .running(_, let receiver) = state else { return nil }
            return receiver
        }
    }

    /// Goes to the last state; gives back who is to be told, nil where the subscription is cancelled.
    private func end() -> Receiver? {
        state.withLock { state in
            defer { state = .ended }
            guard case .running(_, let receiver) = state else { return nil }
            return receiver
        }
    }
}
