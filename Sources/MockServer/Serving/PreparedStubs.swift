// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import Synchronization

/// The stubs of one load, made ready to answer: those with a state of their own at once, any other when a request is first led to it.
///
/// A stub that nobody asks for takes a word, and those that are asked for lie close together, however many there are.
// Sendable although it holds a pointer: the memory is initialised in `init`, before anybody else knows of it, holds atomic references alone, and
// lives as long as the object.
final class PreparedStubs: @unchecked Sendable {
    /// Stubs that are asked in turn and do not stay in the processor's caches. 512.
    private static let many = 512

    private let stubs: [Stub]
    private let slots: UnsafeMutablePointer<AtomicLazyReference<PreparedStub>>
    /// Whether what answers is to be fetched into the caches as a whole.
    let areMany: Bool

    /// - Parameter ready: a stub that is made ready now; nil for one that can wait.
    init(_ stubs: [Stub], ready: (Stub) -> PreparedStub?) {
        self.stubs = stubs
        areMany = stubs.count >= Self.many
        slots = .allocate(capacity: max(1, stubs.count))
        for (ordinal, stub) in stubs.enumerated() {
            (slots + ordinal).initialize(to: AtomicLazyReference())
            if let prepared = ready(stub) { _ = slots[ordinal].storeIfNil(prepared) }
        }
    }

    deinit {
        slots.deinitialize(count: stubs.count)
        slots.deallocate()
    }

    /// By the stub's ordinal; of several threads that ask first, all get the same.
    @inline(__always)
    subscript(ordinal: Int) -> PreparedStub {
        precondition(stubs.indices.contains(ordinal))
        return slots[ordinal].load() ?? prepare(ordinal)
    }

    private func prepare(_ ordinal: Int) -> PreparedStub {
        slots[ordinal].storeIfNil(PreparedStub(stubs[ordinal]))
    }

    /// A stub where it is ready already.
    func ready(_ ordinal: Int) -> PreparedStub? { slots[ordinal].load() }

    /// Those that are ready already, with their ordinals: all that have a state are among them.
    var ready: [(ordinal: Int, stub: PreparedStub)] {
        stubs.indices.compactMap { ordinal in slots[ordinal].load().map { (ordinal, $0) } }
    }
}
