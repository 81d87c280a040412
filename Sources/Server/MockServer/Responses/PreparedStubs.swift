// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiSystemIO

/// The stubs of one load, made ready to respond: those with a state of their own at once, any other when a request is first led to it.
///
/// A stub that nobody asks for takes a word, and those that are asked for lie close together, however many there are.
// Sendable although it holds a pointer: the memory is initialised in `init`, before anybody else knows of it, holds only atomic words, and lives as
// long as the object.
final class PreparedStubs: @unchecked Sendable {
    /// Stubs that are asked in turn and do not stay in the processor's caches. 512.
    private static let many = 512

    private let stubs: [Stub]
    private let now: Int?
    private let slots: UnsafeMutablePointer<LazyObject<PreparedStub>>
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
            (slots + ordinal).initialize(to: LazyObject(made))
        }
    }

    deinit {
        slots.deinitialize(count: stubs.count)
        slots.deallocate()
    }

    /// The stub of an ordinal; if several threads ask first, all get the same.
    @inline(__always)
    subscript(ordinal: Int) -> PreparedStub {
        precondition(stubs.indices.contains(ordinal))
        return slots[ordinal].get { prepared(ordinal) }
    }

    /// Calls with a stub, without counting references: this object keeps it for as long as it lives itself.
    @inline(__always)
    private func with<Result>(_ ordinal: Int, _ body: (PreparedStub) -> Result) -> Result {
        precondition(stubs.indices.contains(ordinal))
        return slots[ordinal].with({ prepared(ordinal) }, body)
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

    private func prepared(_ ordinal: Int) -> PreparedStub { PreparedStub(stubs[ordinal], now: now) }

    /// A stub if it is ready already.
    @inline(__always)
    func ready(_ ordinal: Int) -> PreparedStub? { slots[ordinal].made }

    /// Those that are ready already, with their ordinals: all that have a state are among them.
    var ready: [(ordinal: Int, stub: PreparedStub)] {
        stubs.indices.compactMap { ordinal in ready(ordinal).map { (ordinal, $0) } }
    }
}
