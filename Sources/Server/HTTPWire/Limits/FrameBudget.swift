// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A number of frames that may come at once, and how fast it fills up again.
package struct FrameBudget: Sendable {
    package let size: Int
    package let perSecond: Int
    private var left: Int
    private var filledAt: UInt64 = 0

    init(size: Int, perSecond: Int) {
        self.size = size
        self.perSecond = perSecond
        left = size
    }

    /// Allows more, as far as the size.
    mutating func refill(_ count: Int) {
        left = min(size, left + count)
    }

    /// Takes one frame.
    ///
    /// - Parameter now: nanoseconds.
    /// - Returns: false if none is left.
    mutating func take(now: UInt64) -> Bool {
        if left == 0 || filledAt == 0 {
            let elapsed = filledAt == 0 ? 0 : now &- filledAt
            let gained = Int(min(elapsed, 3_600_000_000_000) / 1_000) * perSecond / 1_000_000
            if gained > 0 || filledAt == 0 {
                refill(gained)
                filledAt = now
            }
        }
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
