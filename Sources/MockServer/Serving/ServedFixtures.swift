// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import StubMatching
import Synchronization

/// One load of a fixture directory, made ready to be served; immutable but for the steps of its sequences.
final class ServedFixtures: Sendable {
    let set: FixtureSet
    let index: StubIndex
    /// Tells this load from others of the same server.
    let generation: UInt64
    /// By the stub's ordinal.
    let stubs: [PreparedStub]
    /// By the file's ordinal.
    let files: [PreparedResponse]

    /// - Parameter previous: the load before; the sequences of stubs that are the same in both go on where they were.
    init(_ set: FixtureSet, generation: UInt64, previous: ServedFixtures? = nil) {
        self.set = set
        self.generation = generation
        index = StubIndex(set)
        let counters = previous?.counters() ?? [:]
        stubs = set.stubs.map { stub in
            PreparedStub(stub, counter: counters[stub.id].flatMap { $0.stub.source == stub.source ? $0.counter : nil })
        }
        files = set.files.map(PreparedResponse.init(file:))
    }

    private func counters() -> [String: (stub: Stub, counter: StepCounter)] {
        var counters: [String: (stub: Stub, counter: StepCounter)] = [:]
        for (stub, prepared) in zip(set.stubs, stubs) {
            if let counter = prepared.counter { counters[stub.id] = (stub, counter) }
        }
        return counters
    }

    /// Claims the next step of a stub for one request.
    ///
    /// - Returns: the step's number; nil where all steps have been given out and the stub answers no more.
    func claimStep(_ ordinal: Int) -> Int? {
        guard let counter = stubs[ordinal].counter else { return 0 }
        return counter.claim(of: stubs[ordinal].steps.count, afterLast: set.stubs[ordinal].afterLast)
    }
}

/// A stub's answers, made ready.
struct PreparedStub: Sendable {
    /// At least one.
    let steps: [PreparedResponse]
    /// Nil where there is only one answer, given any number of times.
    let counter: StepCounter?

    init(_ stub: Stub, counter: StepCounter?) {
        steps = stub.responses.map(PreparedResponse.init(response:))
        self.counter = stub.isSequence ? counter ?? StepCounter() : nil
    }
}

/// How many steps of a sequence have been given out; two requests never get the same one.
final class StepCounter: Sendable {
    private let given = Atomic<Int>(0)

    func claim(of count: Int, afterLast: Stub.AfterLast) -> Int? {
        let step = given.wrappingAdd(1, ordering: .relaxed).oldValue
        switch afterLast {
        case .repeatLast: return min(step, count - 1)
        case .restart: return step % count
        case .unmatched: return step < count ? step : nil
        }
    }
}
