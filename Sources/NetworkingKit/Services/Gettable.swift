// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A service that gets something.
///
///     func getFood<S: Gettable>(from service: S) async throws where S.Value == [Food]
public protocol Gettable<Value>: Sendable {
    /// What the service gets.
    associatedtype Value: Sendable

    func get() async throws -> Value
}

extension Gettable {
    /// Gets, and tells a handler what came.
    ///
    /// The handler is called once, on the actor it was written on: on the main actor where a view controller passes a closure.
    /// - Returns: the work, which `cancel()` cancels; the handler gets the error of the service then.
    @discardableResult
    public func get(
        @_inheritActorContext completionHandler:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) -> Task<Void, Never> {
        CompletionHandling.run({ try await get() }, completionHandler)
    }
}
