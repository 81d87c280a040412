// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

extension Publisher where Output: Sendable {
    /// The first value that is published.
    ///
    /// No more is demanded then, but the subscription goes on to its completion, so that who watches the publisher is told of that. To
    /// cancel the task cancels the subscription.
    /// - Throws: what the publisher fails with; `URLError.unknown` where it finishes without a value, `URLError.cancelled` where the task is
    ///   cancelled.
    public nonisolated(nonsending) func firstValue() async throws -> Output {
        let waiter = FirstValueWaiter<Output>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiter.wait(with: continuation)
                subscribe(FirstValueSubscriber<Output, Failure>(waiter))
            }
        } onCancel: {
            waiter.cancel()
        }
    }
}
