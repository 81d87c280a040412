// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A `Updatable` that is written with a completion handler; its asynchronous form follows from that.
///
/// The first call of the handler counts. A task that is cancelled stops waiting with `URLError.cancelled`; the work goes on, unheard.
public protocol CallbackUpdatable<Change, Updated>: Updatable {
    associatedtype Change
    associatedtype Updated

    func update(_ change: Change, completionHandler: @escaping @Sendable (Result<Updated, any Error>) -> Void)
}

extension CallbackUpdatable {
    public func update(_ change: Change) async throws -> Updated {
        try await CompletionHandling.value { update(change, completionHandler: $0) }
    }
}
