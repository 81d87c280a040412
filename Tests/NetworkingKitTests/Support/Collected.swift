// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// What comes from any thread, in the order it comes.
final class Collected<Element: Sendable>: Sendable {
    private let list = Mutex<[Element]>([])

    func append(_ element: Element) {
        list.withLock { $0.append(element) }
    }

    var elements: [Element] { list.withLock { $0 } }
    var count: Int { elements.count }
}
