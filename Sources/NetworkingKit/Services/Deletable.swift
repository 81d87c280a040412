// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A service that deletes something by what identifies it.
public protocol Deletable<Identifier>: Sendable {
    associatedtype Identifier: Sendable

    func delete(_ id: Identifier) async throws
}

extension Deletable {
    /// Deletes, and tells a handler how it ended, once, on the actor it was written on.
    ///
    /// - Returns: the work, which `cancel()` cancels.
    @discardableResult
    public func delete(
        _ id: Identifier,
        @_inheritActorContext completionHandler:
            @escaping @Sendable @isolated(any) (Result<Void, any Error>) -> Void
    ) -> Task<Void, Never> {
        CompletionHandling.run({ try await delete(id) }, completionHandler)
    }
}
