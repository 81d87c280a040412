// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import Synchronization

/// A publisher of the result of an asynchronous function: one value, or its error.
///
/// Each subscription calls the function again, when a value is first demanded. To cancel the subscription cancels the task that runs it.
public struct TaskPublisher<Output: Sendable>: Publisher {
    public typealias Failure = any Error

    private let operation: @Sendable () async throws -> Output

    /// Makes a publisher of an operation, which runs once for each subscriber.
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

    private struct State {
        /// Nil from the start of the task on.
        var operation: (@Sendable () async throws -> Value)?
        /// The subscriber to report to; nil if the subscription has ended or is cancelled.
        var receiver: Receiver?
    }

    private let state: Mutex<State>
    private let work = CancellableRequest()

    init<S: Subscriber>(
        _ subscriber: S, _ operation: @escaping @Sendable () async throws -> Value
    ) where S.Input == Value, S.Failure == any Error {
        state = Mutex(State(operation: operation, receiver: Receiver(subscriber)))
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none, let operation = state.withLock({ $0.operation.take() }) else { return }
        let task = Task {
            do {
                let value = try await operation()
                self.state.withLock { $0.receiver }?.receive(value)
                // A receiver that cancels when the value comes gets no more.
                self.state.withLock { $0.receiver.take() }?.complete(.finished)
            } catch {
                self.state.withLock { $0.receiver.take() }?.complete(.failure(error))
            }
        }
        work.run(task.cancel)
    }

    func cancel() {
        let released = state.withLock { state in
            defer { state = State() }
            return state
        }
        // Released outside of the lock, since it runs a subscriber's own code.
        withExtendedLifetime(released) { work.cancel() }
    }
}

extension Publisher where Output: Sendable {
    /// The first value that is published.
    ///
    /// No more is demanded then, but the subscription goes on to its completion, so that a watcher of the publisher sees that. To
    /// cancel the task cancels the subscription.
    /// - Throws: the failure of the publisher; `URLError.unknown` if it finishes without a value,
    ///   `URLError.cancelled` if the task is cancelled.
    public nonisolated(nonsending) func firstValue() async throws -> Output {
        let subscriber = FirstValueSubscriber<Output, Failure>()
        let result = await subscriber.first.value {
            subscribe(subscriber)
        } onCancel: {
            subscriber.cancel()
        }
        return try result.get()
    }
}

/// Takes one value of a publisher to its waiter.
private final class FirstValueSubscriber<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    /// Unchecked: `cancel` of a subscription may be called by any thread at any time, and nothing else of it is called through this.
    private struct Cancellation: @unchecked Sendable {
        let subscription: any Subscription
    }

    let first = OneShot<Result<Input, any Error>>()
    private let work = CancellableRequest()

    func receive(subscription: any Subscription) {
        let cancellation = Cancellation(subscription: subscription)
        work.run { cancellation.subscription.cancel() }
        if !work.isCancelled { subscription.request(.max(1)) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        finish(.success(input))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished:
            // Says something only if no value came before.
            let text = "the publisher finished without a value"
            finish(.failure(URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])))
        case .failure(let error): finish(.failure(error))
        }
    }

    func cancel() {
        if first.finish(.failure(URLError(.cancelled))) { work.cancel() }
    }

    private func finish(_ result: Result<Input, any Error>) {
        first.finish(result)
        work.letGo()
    }
}
