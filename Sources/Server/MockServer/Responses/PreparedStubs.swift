// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import Synchronization

/// The stubs of one load, made ready to respond: those with a state of their own at once, any other when a request is first led to it.
///
/// A stub that nobody asks for takes a word, and those that are asked for lie close together, however many there are.
// Sendable although it holds a pointer: the memory is initialised in `init`, before anybody else knows of it, holds atomic words alone, and lives as
// long as the object.
final class PreparedStubs: @unchecked Sendable {
    /// Stubs that are asked in turn and do not stay in the processor's caches. 512.
    private static let many = 512

    private let stubs: [Stub]
    private let now: Int?
    /// The address of each stub that is ready, which counts as one reference to it; 0 for a stub that is not.
    ///
    /// A word rather than an `AtomicLazyReference`: reading one of those is a call of a generic function, and a request makes three
    /// (1,300 instructions, while this takes 60).
    private let slots: UnsafeMutablePointer<Atomic<UInt>>
    /// Whether a stub that is asked for is to be fetched into the caches as a whole.
    private let areMany: Bool

    /// - Parameters:
    ///   - now: the time of the server's clock; nil for the time of the clock.
    ///   - previous: the first of the stubs, as they are; nil if there are none yet.
    ///   - ready: a stub that is made ready now; nil for a stub that can wait.
    init(_ stubs: [Stub], beside previous: PreparedStubs? = nil, now: Int? = nil, ready: (Stub) -> PreparedStub?) {
        self.stubs = stubs
        self.now = now
        areMany = stubs.count >= Self.many
        slots = .allocate(capacity: max(1, stubs.count))
        let known = previous?.stubs.count ?? 0
        for (ordinal, stub) in stubs.enumerated() {
            let made = ordinal < known ? previous?.ready(ordinal) : ready(stub)
            (slots + ordinal).initialize(to: Atomic(made.map(Self.retained) ?? 0))
        }
    }

    deinit {
        for ordinal in stubs.indices {
            if let stub = Self.stub(at: slots[ordinal].load(ordering: .acquiring)) { stub.release() }
        }
        slots.deinitialize(count: stubs.count)
        slots.deallocate()
    }

    private static func retained(_ stub: PreparedStub) -> UInt {
        UInt(bitPattern: Unmanaged.passRetained(stub).toOpaque())
    }

    @inline(__always)
    private static func stub(at address: UInt) -> Unmanaged<PreparedStub>? {
        UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
    }

    /// The stub of an ordinal; if several threads ask first, all get the same.
    @inline(__always)
    subscript(ordinal: Int) -> PreparedStub {
        precondition(stubs.indices.contains(ordinal))
        return ready(ordinal) ?? prepare(ordinal)
    }

    /// Calls with a stub, without counting references: this object keeps it for as long as it lives itself.
    @inline(__always)
    private func with<Result>(_ ordinal: Int, _ body: (PreparedStub) -> Result) -> Result {
        precondition(stubs.indices.contains(ordinal))
        guard let stub = Self.stub(at: slots[ordinal].load(ordering: .acquiring)) else { return body(prepare(ordinal)) }
        return stub._withUnsafeGuaranteedRef(body)
    }

    /// The response of a stub that is no more than it; nil for any other.
    @inline(__always)
    func plainResponse(_ ordinal: Int) -> PreparedResponse? {
        with(ordinal) { stub in
            if areMany { stub.addresses.fetch() }
            return stub.isPlain ? stub.first : nil
        }
    }

    /// The names that the journal calls a stub by.
    @inline(__always)
    func names(_ ordinal: Int) -> JournalNames { with(ordinal) { $0.names } }

    private func prepare(_ ordinal: Int) -> PreparedStub {
        let made = PreparedStub(stubs[ordinal], now: now)
        let address = Self.retained(made)
        let (isFirst, other) = slots[ordinal].compareExchange(
            expected: 0, desired: address, ordering: .acquiringAndReleasing)
        if isFirst { return made }
        Self.stub(at: address)?.release()
        return Self.stub(at: other)?.takeUnretainedValue() ?? made
    }

    /// A stub if it is ready already.
    @inline(__always)
    func ready(_ ordinal: Int) -> PreparedStub? {
        Self.stub(at: slots[ordinal].load(ordering: .acquiring))?.takeUnretainedValue()
    }

    /// Those that are ready already, with their ordinals: all that have a state are among them.
    var ready: [(ordinal: Int, stub: PreparedStub)] {
        stubs.indices.compactMap { ordinal in ready(ordinal).map { (ordinal, $0) } }
    }
}
