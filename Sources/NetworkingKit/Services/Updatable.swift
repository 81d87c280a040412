// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A service that changes something that is there.
public protocol Updatable<Change, Updated>: Sendable {
    /// What is to be changed, and to what: the whole value with its id, or a part of it.
    associatedtype Change: Sendable
    /// What is there then.
    associatedtype Updated: Sendable

    func update(_ change: Change) async throws -> Updated
}

extension Updatable {
    /// Updates, and tells a handler what came, once, on the actor it was written on.
    ///
    /// - Returns: the work, which `cancel()` cancels.
    @discardableResult
    public func update(
        _ change: Change,
        @_inheritActorContext completionHandler:
            @escaping @Sendable @isolated(any) (Result<Updated, any Error>) -> Void
    ) -> Task<Void, Never> {
        CompletionHandling.run({ try await update(change) }, completionHandler)
    }
}
