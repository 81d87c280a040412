// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import Synchronization

/// How many steps of a sequence have been given out; two requests never get the same step.
final class StepCounter: Sendable {
    private let given = Atomic<Int>(0)
    /// Those given to requests that are known, by the steps that are theirs.
    private let known = Mutex<[[Int]: Int]>([:])

    /// Begins at the first step again.
    func reset() {
        given.store(0, ordering: .relaxed)
        known.withLock { $0 = [:] }
    }

    /// - Parameter peeks: whether this only looks at the step, and does not use it up.
    func claim(of count: Int, afterLast: Stub.SequenceEnd, peeks: Bool) -> Int? {
        let step = peeks ? given.load(ordering: .relaxed) : given.wrappingAdd(1, ordering: .relaxed).oldValue
        return Self.place(step, of: count, afterLast)
    }

    /// - Parameter steps: those of a request that is known, which are given out for themselves.
    func claim(among steps: [Int], afterLast: Stub.SequenceEnd, peeks: Bool) -> Int? {
        let number = known.withLock { known in
            let number = known[steps, default: 0]
            if !peeks { known[steps] = number + 1 }
            return number
        }
        return Self.place(number, of: steps.count, afterLast).map { steps[$0] }
    }

    private static func place(_ step: Int, of count: Int, _ afterLast: Stub.SequenceEnd) -> Int? {
        switch afterLast {
        case .repeatLast: min(step, count - 1)
        case .restart: step % count
        case .unmatched: step < count ? step : nil
        }
    }
}
