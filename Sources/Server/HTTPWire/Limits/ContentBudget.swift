// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// The bytes of memory that the content of a server's requests takes, over all its connections.
package final class ContentBudget: Sendable {
    private let held = Atomic<Int>(0)

    package init() {}

    fileprivate func take(_ count: Int, limit: Int) -> Bool {
        if held.wrappingAdd(count, ordering: .relaxed).newValue <= limit { return true }
        giveBack(count)
        return false
    }

    fileprivate func giveBack(_ count: Int) {
        held.wrappingSubtract(count, ordering: .relaxed)
    }
}

/// The share of a server's bound that one request's content takes, until it is released.
///
/// `@unchecked Sendable`: it grows on the loop that reads the content, and is not changed any more once the request has come.
package final class ContentShare: @unchecked Sendable {
    /// Content up to this size is not counted. 16 KiB.
    package static let freeBytes = 16 * 1024
    /// Bytes that are taken at once. 64 KiB.
    private static let step = 64 * 1024

    private let budget: ContentBudget
    private var taken = 0

    package init(_ budget: ContentBudget) {
        self.budget = budget
    }

    deinit {
        budget.giveBack(taken)
    }

    /// Takes the memory that a size needs beyond the share that it has.
    ///
    /// - Returns: false if the requests of the server hold more than they may.
    package func cover(_ count: Int, _ limits: RequestLimits) -> Bool {
        guard count > taken else { return true }
        let more = Self.inSteps(count - taken)
        guard budget.take(more, limit: Self.inSteps(max(limits.maxContent, limits.maxBody))) else { return false }
        taken += more
        return true
    }

    private static func inSteps(_ count: Int) -> Int { (count + step - 1) / step * step }
}
