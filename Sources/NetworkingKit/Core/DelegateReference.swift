// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// A weak reference to a delegate that any thread may read and write.
///
///     private let reference = DelegateReference()
///     var delegate: (any NetworkingDelegate)? {
///         get { reference.delegate }
///         set { reference.delegate = newValue }
///     }
public final class DelegateReference: Sendable {
    private struct Weak {
        weak var delegate: (any NetworkingDelegate)?
    }

    private let reference: Mutex<Weak>

    public init(_ delegate: (any NetworkingDelegate)? = nil) {
        reference = Mutex(Weak(delegate: delegate))
    }

    public var delegate: (any NetworkingDelegate)? {
        get { reference.withLock { $0.delegate } }
        set { reference.withLock { $0.delegate = newValue } }
    }
}
