// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A service that gets something.
///
///     func getFood<S: Gettable>(from service: S) async throws where S.Value == [Food]
///
/// Either function is enough: the other follows from it. A fake that answers with a handler, or without waiting, answers at once.
public protocol Gettable<Value>: Sendable {
    /// What the service gets.
    associatedtype Value: Sendable

    func get() async throws -> Value

    /// The same with a handler, whose first call counts. A task that waits for it and is cancelled stops waiting; the work goes on, unheard.
    @_disfavoredOverload
    func get(completionHandler: @escaping @Sendable (Result<Value, any Error>) -> Void)
}

extension Gettable {
    public func get() async throws -> Value {
        try await CompletionHandling.value(of: Self.self) { handler in
            let get: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void = self.get(completionHandler:)
            get(handler)
        }
    }

    @_disfavoredOverload
    public func get(completionHandler: @escaping @Sendable (Result<Value, any Error>) -> Void) {
        CompletionHandling.start(of: Self.self, { try await get() }, completionHandler)
    }

    /// Gets, and tells a handler what came, once, on the actor it was written on: on the main actor where a view controller passes a closure.
    ///
    /// - Returns: the work, which `cancel()` cancels; the handler gets the error of the service then.
    @discardableResult
    public func get(
        isolation: isolated (any Actor)? = #isolation,
        @_inheritActorContext completionHandler:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) -> Task<Void, Never> {
        CompletionHandling.run(
            isolation: isolation,
            { handler in
                let get: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void = self.get(completionHandler:)
                get(handler)
            }, completionHandler)
    }
}

/// The name that services written with a handler had.
public typealias CallbackGettable = Gettable
