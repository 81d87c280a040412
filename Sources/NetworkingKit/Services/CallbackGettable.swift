// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A `Gettable` that is written with a completion handler; its asynchronous form follows from that.
///
/// The first call of the handler counts. A task that is cancelled stops waiting with `URLError.cancelled`; the work goes on, unheard.
public protocol CallbackGettable<Value>: Gettable {
    associatedtype Value

    func get(completionHandler: @escaping @Sendable (Result<Value, any Error>) -> Void)
}

extension CallbackGettable {
    public func get() async throws -> Value {
        try await CompletionHandling.value { get(completionHandler: $0) }
    }
}
