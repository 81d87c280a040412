// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A `Creatable` that is written with a completion handler; its asynchronous form follows from that.
///
/// The first call of the handler counts. A task that is cancelled stops waiting with `URLError.cancelled`; the work goes on, unheard.
public protocol CallbackCreatable<Draft, Created>: Creatable {
    associatedtype Draft
    associatedtype Created

    func create(_ draft: Draft, completionHandler: @escaping @Sendable (Result<Created, any Error>) -> Void)
}

extension CallbackCreatable {
    public func create(_ draft: Draft) async throws -> Created {
        try await CompletionHandling.value { create(draft, completionHandler: $0) }
    }
}
