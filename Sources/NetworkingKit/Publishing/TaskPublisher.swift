// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

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
