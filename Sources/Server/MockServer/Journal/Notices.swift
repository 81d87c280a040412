// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// Notifies those that wait that something has come; a notification costs nearly nothing while nobody waits.
final class Notices: Sendable {
    private struct State {
        var count: UInt64 = 0
        var waiting: [UInt64: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())
    private let isWaitedFor = Atomic<Bool>(false)

    /// Whether somebody waits.
    var hasListeners: Bool { isWaitedFor.load(ordering: .sequentiallyConsistent) }

    /// Notifies all that wait: a change made under a lock before is seen by those that then look under that lock.
    @inline(__always)
    func notify() {
        if hasListeners { notifyAll() }
    }

    private func notifyAll() {
        for continuation in state.withLock({ Array($0.waiting.values) }) { continuation.yield() }
    }

    /// Looks at once and then after each notice (several may come as one), until the condition holds or the time is over.
    ///
    /// - Returns: whether it was seen.
    /// - Throws: `CancellationError`.
    func wait(_ limit: Duration, for isThere: () -> Bool) async throws -> Bool {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.count += 1
            state.waiting[state.count] = continuation
            isWaitedFor.store(true, ordering: .sequentiallyConsistent)
            return state.count
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            continuation.finish()
        }
        defer {
            timer.cancel()
            state.withLock { state in
                state.waiting[number] = nil
                isWaitedFor.store(!state.waiting.isEmpty, ordering: .sequentiallyConsistent)
            }
        }
        continuation.yield()
        for await _ in stream where isThere() { return true }
        try Task.checkCancellation()
        return isThere()
    }
}
