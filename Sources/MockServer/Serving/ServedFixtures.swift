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
    /// What the journal calls the files by.
    let fileNames: [AnswerNames]
    /// The hosts that stubs name, for certificates.
    let hosts: Set<String>
    /// The ordinals of the stubs that answer those only that they turn away.
    let guards: Set<Int>
    /// What issues tokens, by the names of the stubs.
    let issuers: [String: TokenIssuer]
    /// What computes answers, by the ids of the stubs.
    private let handlers: [String: StubHandler]

    /// - Parameters:
    ///   - previous: the load before; the sequences of stubs that are the same in both go on where they were.
    ///   - handlers: those of stubs that the load before does not have.
    init(
        _ set: FixtureSet, generation: UInt64, previous: ServedFixtures? = nil, handlers: [String: StubHandler] = [:]
    ) {
        let handlers = (previous?.handlers ?? [:]).merging(handlers) { $1 }
        self.handlers = handlers
        self.set = set
        self.generation = generation
        index = StubIndex(set)
        let counters = previous?.counters() ?? [:]
        let gates = previous?.gates() ?? [:]
        let prepared = set.stubs.map { stub in
            PreparedStub(
                stub, counter: counters[stub.id].flatMap { $0.stub.source == stub.source ? $0.counter : nil },
                handler: stub.isAdded ? handlers[stub.id] : nil,
                gate: gates[stub.id].flatMap { $0.stub.source == stub.source ? $0.gate : nil })
        }
        stubs = prepared
        guards = Set(prepared.indices.filter { prepared[$0].gate?.isGuard == true })
        issuers = Dictionary(
            zip(set.stubs, prepared).compactMap { stub, prepared in
                prepared.gate?.issuer.flatMap { issuer in stub.name.map { ($0, issuer) } }
            }, uniquingKeysWith: { first, _ in first })
        files = set.files.map(PreparedResponse.init(file:))
        fileNames = set.files.map { AnswerNames($0) }
        hosts = FixtureHosts.names(set)
    }

    private func counters() -> [String: (stub: Stub, counter: StepCounter)] {
        var counters: [String: (stub: Stub, counter: StepCounter)] = [:]
        for (stub, prepared) in zip(set.stubs, stubs) {
            if let sequence = prepared.sequence { counters[stub.id] = (stub, sequence.counter) }
        }
        return counters
    }

    private func gates() -> [String: (stub: Stub, gate: StubGate)] {
        var gates: [String: (stub: Stub, gate: StubGate)] = [:]
        for (stub, prepared) in zip(set.stubs, stubs) {
            if let gate = prepared.gate { gates[stub.id] = (stub, gate) }
        }
        return gates
    }

    /// Has tokens, nonces, rates and what is drawn begin again.
    func resetEffects() {
        for stub in stubs { stub.resetEffects() }
    }

    /// Has all sequences begin again.
    func resetSequences() {
        for stub in stubs { stub.sequence?.counter.reset() }
    }

    /// Claims the next answer of a stub for one request; nil where all have been given out and the stub answers no more.
    func claim(_ ordinal: Int) -> PreparedResponse? {
        let stub = stubs[ordinal]
        guard let sequence = stub.sequence else { return stub.first }
        return sequence.claim()
    }
}
