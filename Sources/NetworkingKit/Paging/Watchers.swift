// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Those who are told of each value.
struct Watchers<Value: Sendable> {
    private var continuations: [UInt64: AsyncStream<Value>.Continuation] = [:]
    private var count: UInt64 = 0

    /// - Parameters:
    ///   - value: what the new one is told first.
    ///   - leave: called when it listens no more.
    mutating func add(_ value: Value, _ leave: @escaping @Sendable (UInt64) -> Void) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
        count += 1
        let watcher = count
        continuations[watcher] = continuation
        continuation.yield(value)
        continuation.onTermination = { _ in leave(watcher) }
        return stream
    }

    mutating func remove(_ watcher: UInt64) {
        continuations[watcher] = nil
    }

    func tell(_ value: Value) {
        for continuation in continuations.values { continuation.yield(value) }
    }

    func finish() {
        for continuation in continuations.values { continuation.finish() }
    }
}
