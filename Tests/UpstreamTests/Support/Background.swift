// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch

/// Blocking work that has begun when the initialiser returns, whatever the threads do that tasks share.
struct Background<Value: Sendable> {
    private struct Lost: Error {}

    private let values: AsyncThrowingStream<Value, any Error>

    init(_ body: @escaping @Sendable () throws -> Value) {
        let (values, continuation) = AsyncThrowingStream<Value, any Error>.makeStream()
        self.values = values
        DispatchQueue(label: "background").async {
            do {
                continuation.yield(try body())
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    /// What the work came to.
    var value: Value {
        get async throws {
            for try await value in values { return value }
            throw Lost()
        }
    }
}
