// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Waits until a condition holds, asking every 5 milliseconds.
///
/// - Returns: false where it does not hold within 120 seconds.
package nonisolated(nonsending) func until(_ condition: () throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(120)
    while try !condition() {
        if ContinuousClock.now > deadline { return false }
        try await Task.sleep(for: .milliseconds(5))
    }
    return true
}
