// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import Synchronization

/// How many steps of a sequence have been given out; two requests never get the same step.
final class StepCounter: Sendable {
    private let given = Atomic<Int>(0)

    /// Begins at the first step again.
    func reset() {
        given.store(0, ordering: .relaxed)
    }

    /// - Parameter peeks: whether this only looks at the step, and does not use it up.
    func claim(of count: Int, afterLast: Stub.SequenceEnd, peeks: Bool) -> Int? {
        let step = peeks ? given.load(ordering: .relaxed) : given.wrappingAdd(1, ordering: .relaxed).oldValue
        switch afterLast {
        case .repeatLast: return min(step, count - 1)
        case .restart: return step % count
        case .unmatched: return step < count ? step : nil
        }
    }
}
