// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// How much of some data has been handed out.
final class Place: Sendable {
    private let offset = Atomic(0)

    /// - Returns: the place before.
    func advance(by count: Int) -> Int {
        offset.add(count, ordering: .relaxed).oldValue
    }
}
