// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch

/// Runs blocking calls on a thread of their own, so that what they wait for can run on those that tasks share.
package func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "mockapi.tests.blocking").async {
            continuation.resume(with: Result { try body() })
        }
    }
}
