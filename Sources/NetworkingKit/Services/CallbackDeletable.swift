// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A `Deletable` that is written with a completion handler; its asynchronous form follows from that.
///
/// The first call of the handler counts. A task that is cancelled stops waiting with `URLError.cancelled`; the work goes on, unheard.
public protocol CallbackDeletable<Identifier>: Deletable {
    associatedtype Identifier

    func delete(_ id: Identifier, completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void)
}

extension CallbackDeletable {
    public func delete(_ id: Identifier) async throws {
        try await CompletionHandling.value { delete(id, completionHandler: $0) }
    }
}
