// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Synchronization

/// An object that is made when it is first asked for; if several threads ask first, all get the same.
///
/// A word rather than an `AtomicLazyReference`: a load of that is a call of a generic function (650 instructions, while this takes 20). Public,
/// since only public code is inlined into other modules; the module is part of no product.
public struct LazyObject<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    /// The address of the object, which counts as one reference to it; 0 until there is one.
    @usableFromInline let address: Atomic<UInt>

    @inlinable
    public init(_ object: Object? = nil) {
        address = Atomic(object.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0)
    }

    @inlinable
    static func object(at address: UInt) -> Unmanaged<Object>? {
        UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
    }

    /// The object if there is one already.
    @inlinable public var made: Object? { Self.object(at: address.load(ordering: .acquiring))?.takeUnretainedValue() }

    /// The object, which is made if there is none.
    @inlinable
    @inline(__always)
    public func get(_ make: () -> Object) -> Object { made ?? keep(make()) }

    /// Calls with the object without counting references, since it lives as long as this does.
    @inlinable
    @inline(__always)
    public func with<Result>(_ make: () -> Object, _ body: (Object) -> Result) -> Result {
        guard let object = Self.object(at: address.load(ordering: .acquiring)) else { return body(keep(make())) }
        return object._withUnsafeGuaranteedRef(body)
    }

    @inlinable
    func keep(_ object: Object) -> Object {
        let own = Unmanaged.passRetained(object)
        let (isFirst, found) = address.compareExchange(
            expected: 0, desired: UInt(bitPattern: own.toOpaque()), ordering: .acquiringAndReleasing)
        guard !isFirst, let first = Self.object(at: found) else { return object }
        own.release()
        return first.takeUnretainedValue()
    }

    @inlinable
    deinit {
        Self.object(at: address.load(ordering: .acquiring))?.release()
    }
}
