// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The way from asynchronous functions to completion handlers and back.
enum CompletionHandling {
    /// A handler that knows the actor it belongs to.
    typealias Handler<Value> = @Sendable @isolated(any) (Result<Value, any Error>) -> Void

    /// Runs a function, then calls a handler once, where the handler belongs.
    static func run<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value, _ handler: @escaping Handler<Value>
    ) -> Task<Void, Never> {
        Task {
            let result: Result<Value, any Error>
            do {
                result = .success(try await operation())
            } catch {
                result = .failure(error)
            }
            await handler(result)
        }
    }

    /// What a function that takes a handler gives.
    ///
    /// The first call of the handler counts. Where it is never called this waits until the task is cancelled, and throws
    /// `URLError.cancelled` then.
    static func value<Value: Sendable>(
        _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) async throws -> Value {
        let waiter = FirstValueWaiter<Value>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiter.wait(with: continuation)
                start { waiter.finish($0) }
            }
        } onCancel: {
            waiter.cancel()
        }
    }
}
