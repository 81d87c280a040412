// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What was seen last where something else was waited for.
package struct NotSeen: Error, CustomStringConvertible {
    package let description: String
}

/// Waits until what is read is as it should be, reading every 5 milliseconds.
///
/// - Returns: true, so that it can stand in an expectation.
/// - Throws: `NotSeen`, which says what was read last, where it is not so in time.
@discardableResult
package nonisolated(nonsending) func until<Value>(
    within seconds: Int = 120, _ read: () throws -> Value, _ isExpected: (Value) throws -> Bool
) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
        let value = try read()
        if try isExpected(value) { return true }
        if ContinuousClock.now > deadline {
            throw NotSeen(
                description: "waited \(seconds) seconds, and last saw \(String(reflecting: value).prefix(2_000))")
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Waits until what is read equals a value.
///
/// - Throws: `NotSeen` where it does not within 120 seconds.
@discardableResult
package nonisolated(nonsending) func until<Value: Equatable>(
    _ read: () throws -> Value, is expected: Value
) async throws -> Bool {
    try await until(read) { $0 == expected }
}
