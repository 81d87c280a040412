// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// Tells the first from those who come later.
final class Once: Sendable {
    private let isOver = Atomic(false)

    func isFirst() -> Bool {
        !isOver.exchange(true, ordering: .acquiringAndReleasing)
    }
}
