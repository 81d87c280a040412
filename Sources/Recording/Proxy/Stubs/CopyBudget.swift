// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// The bytes of responses under way that are copied to be kept.
final class CopyBudget: Sendable {
    private let limit: Int
    private let used = Atomic(0)

    /// - Parameter limit: for all responses together; content that finds no room is not kept. 64 MiB.
    init(limit: Int = 64 * 1024 * 1024) {
        self.limit = limit
    }

    /// - Returns: whether there is room.
    func take(_ count: Int) -> Bool {
        if used.add(count, ordering: .relaxed).newValue <= limit { return true }
        giveBack(count)
        return false
    }

    func giveBack(_ count: Int) { used.subtract(count, ordering: .relaxed) }
}
