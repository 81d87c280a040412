// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A service that creates something from a draft of it.
public protocol Creatable<Draft, Created>: Sendable {
    /// What is sent.
    associatedtype Draft: Sendable
    /// What the service makes of it.
    associatedtype Created: Sendable

    func create(_ draft: Draft) async throws -> Created
}

extension Creatable {
    /// Creates, and tells a handler what came, once, on the actor it was written on.
    ///
    /// - Returns: the work, which `cancel()` cancels.
    @discardableResult
    public func create(
        _ draft: Draft,
        @_inheritActorContext completionHandler:
            @escaping @Sendable @isolated(any) (Result<Created, any Error>) -> Void
    ) -> Task<Void, Never> {
        CompletionHandling.run({ try await create(draft) }, completionHandler)
    }
}
