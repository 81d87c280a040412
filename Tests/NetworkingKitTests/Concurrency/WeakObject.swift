// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// A weak reference.
struct WeakObject: Sendable {
    private struct Reference {
        weak var object: (any AnyObject & Sendable)?
    }

    private final class Box: Sendable {
        let reference: Mutex<Reference>

        init(_ object: any AnyObject & Sendable) {
            reference = Mutex(Reference(object: object))
        }
    }

    private let box: Box

    init(_ object: any AnyObject & Sendable) {
        box = Box(object)
    }

    var isGone: Bool { box.reference.withLock { $0.object == nil } }
}
