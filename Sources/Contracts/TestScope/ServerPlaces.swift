// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO
import Synchronization

/// How many tests may run a server at once: as many as the descriptors of the process allow, the others wait.
///
/// A test that begins opens a server, a session and their connections; a runner begins hundreds of tests at once.
package final class ServerPlaces: Sendable {
    /// Descriptors that a test takes: a server that listens, a client with those that it waits by, and some connections of the two. 10.
    package static let descriptorsPerTest = 10
    /// Descriptors for all else: the loops, the runner, files. 60.
    package static let reserve = 60

    /// The places of this process.
    static let shared = ServerPlaces(count: count(under: DescriptorLimit.current))

    /// - Parameter limit: how many descriptors the process may have.
    package static func count(under limit: Int) -> Int {
        max(4, (limit - reserve) / descriptorsPerTest)
    }

    private struct State {
        var free: Int
        var number: UInt64 = 0
        /// In the order in which they came.
        var waiting: [(number: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Mutex<State>

    package init(count: Int) {
        state = Mutex(State(free: count))
    }

    /// Returns when there is a place, which `leave` gives back.
    ///
    /// - Throws: `CancellationError`.
    package func enter() async throws {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isIn = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    guard state.free == 0 else {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let isIn { continuation.resume(returning: isIn) }
            }
        } onCancel: {
            let gone = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
            }
            gone?.resume(returning: false)
        }
        guard isIn else { throw CancellationError() }
    }

    package func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
