// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiStubMatching
import Synchronization

/// The fixtures that a server serves, and their changes: one at a time, so that no change is lost.
///
/// Stubs that are added to a large set one by one wait until a request comes, which makes all of them ready at once: a set is made
/// ready as a whole, and to do so for each would take a time that grows with the square of their number.
final class CurrentFixtures: Sendable {
    /// Stubs of a set beyond which those that are added wait. 100.
    static let smallSet = 100

    /// Stubs that wait.
    private struct Addition {
        /// The fixtures that are served, and those stubs.
        var set: FixtureSet
        var ids: Set<ExactText>
        var countOfAdmin: Int
        /// Those of them that are written in code.
        var given: [Stub] = []
        var handlers: [String: StubHandler] = [:]

        init(_ set: FixtureSet) {
            self.set = set
            ids = Set(set.stubs.lazy.map { ExactText($0.id) })
            countOfAdmin = set.stubs.lazy.filter(\.isOfAdmin).count
        }
    }

    private struct State {
        var served: ServedFixtures
        var addition: Addition?
    }

    private let state: Mutex<State>
    /// The number of the newest load; every change to the fixtures holds it meanwhile.
    private let changes: Mutex<UInt64>
    /// Which load is served, to be compared before each request without a lock.
    private let currentGeneration: Atomic<UInt64>
    private let hasAddition = Atomic<Bool>(false)
    /// The released holds; one is forgotten with the last stub that waits for it.
    private let holds: Holds

    init(_ fixtures: ServedFixtures, _ holds: Holds) {
        self.holds = holds
        state = Mutex(State(served: fixtures))
        changes = Mutex(fixtures.generation)
        currentGeneration = Atomic(fixtures.generation)
    }

    var generation: UInt64 { currentGeneration.load(ordering: .acquiring) }

    /// Whether stubs wait, so that the next request makes the set ready.
    var isUnready: Bool { hasAddition.load(ordering: .acquiring) }

    /// The fixtures that were made ready last, without the stubs that wait.
    var ready: ServedFixtures { state.withLock { $0.served } }

    /// All that is served, the stubs that wait among it.
    var set: FixtureSet { state.withLock { $0.addition?.set ?? $0.served.set } }

    /// The fixtures that are served now, made ready first if stubs wait: not on an event loop then.
    var fixtures: ServedFixtures {
        isUnready ? changes.withLock { makeReady(&$0) } : ready
    }

    /// A number for a load that may come to be served.
    func nextGeneration() -> UInt64 {
        changes.withLock { generation in
            generation += 1
            return generation
        }
    }

    private func makeReady(_ generation: inout UInt64) -> ServedFixtures {
        let (served, addition) = state.withLock { ($0.served, $0.addition) }
        guard let addition else { return served }
        generation += 1
        let next = ServedFixtures(
            addition.set, generation: generation, previous: served, handlers: addition.handlers,
            givenStubs: served.givenStubs + addition.given)
        serve(next)
        return next
    }

    private func serve(_ fixtures: ServedFixtures) {
        state.withLock { $0 = State(served: fixtures) }
        fixtures.scenarios?.keep(Set(fixtures.set.stubs.compactMap { $0.scenario.map { ExactText($0.name) } }))
        holds.keep { fixtures.set.holds }
        currentGeneration.store(fixtures.generation, ordering: .releasing)
        hasAddition.store(false, ordering: .releasing)
    }

    /// Serves fixtures derived from the present ones; a request that comes when this has returned meets them.
    ///
    /// - Parameter next: makes them, given the present fixtures and a number for the load.
    func change<Result, Failure>(
        _ next: (ServedFixtures, _ generation: UInt64) throws(Failure) -> (ServedFixtures, Result)
    ) throws(Failure) -> Result {
        try changes.withLock { (generation) throws(Failure) -> Result in
            let current = makeReady(&generation)
            let (fixtures, result) = try next(current, generation + 1)
            generation += 1
            serve(fixtures)
            return result
        }
    }

    /// Serves fixtures that were loaded meanwhile, with the stubs that have been added and changed since.
    func replace(with loaded: ServedFixtures) {
        change { current, generation in
            let added = Self.added(current.set.stubs, beside: loaded.set.stubs)
            if added.elementsEqual(loaded.set.stubs.lazy.filter(\.isAdded), by: ===) { return (loaded, ()) }
            var set = loaded.set
            set.stubs = set.stubs.filter { !$0.isAdded } + added
            return (ServedFixtures(reloaded: set, generation: generation, previous: current), ())
        }
    }

    /// The stubs that were added, except those that the admin API has written to files and that are loaded from there by now.
    static func added(_ served: [Stub], beside loaded: [Stub]) -> [Stub] {
        let added = served.filter(\.isAdded)
        guard added.contains(where: \.isOfAdmin) else { return added }
        let ids = Set(loaded.lazy.filter { !$0.isAdded }.map(\.uuid))
        return added.filter { !$0.isOfAdmin || !ids.contains($0.uuid) }
    }

    /// Changes which stubs a reset brings back.
    func changeGiven(_ change: ([Stub]) -> [Stub]) {
        self.change { current, generation in
            let served = ServedFixtures(
                current.set, generation: generation, previous: current, givenStubs: change(current.givenStubs))
            return (served, ())
        }
    }

    /// Adds stubs written in code, each judged by itself.
    func add(_ stubs: [MockStub]) throws(MockServerError) {
        try changes.withLock { (generation) throws(MockServerError) in
            let set = set
            var added = FixtureSet(root: set.root)
            added.templatesAll = set.templatesAll
            let handlers = try added.add(stubs, from: set.stubs.count)
            let errors = StubIndex(added).findings.filter { $0.severity == .error }
            guard errors.isEmpty else {
                throw MockServerError(.fixturesUnusable(findings: errors.map(\.description)))
            }
            append(added, handlers)
            if set.stubs.count + stubs.count <= Self.smallSet { _ = makeReady(&generation) }
        }
    }

    private func append(_ added: FixtureSet, _ handlers: [String: StubHandler]) {
        state.withLock { state in
            var addition = state.addition ?? Addition(state.served.set)
            // So that the lists grow in place.
            state.addition = nil
            addition.set.stubs += added.stubs
            addition.set.findings += added.findings
            addition.ids.formUnion(added.stubs.lazy.map { ExactText($0.id) })
            addition.given += added.stubs
            addition.handlers.merge(handlers) { $1 }
            state.addition = addition
            hasAddition.store(true, ordering: .releasing)
        }
    }

    /// Adds a stub by the admin API that has been found sound by itself.
    func add(_ stub: Stub) throws(AdminError) {
        try changes.withLock { (generation) throws(AdminError) in
            try append(stub)
            if set.stubs.count <= Self.smallSet { _ = makeReady(&generation) }
        }
    }

    private func append(_ stub: Stub) throws(AdminError) {
        try state.withLock { (state) throws(AdminError) in
            if state.addition == nil { state.addition = Addition(state.served.set) }
            if state.addition?.ids.contains(ExactText(stub.id)) == true {
                var error = AdminError(422, "Duplicate stub mapping ID", 109)
                error.detail = stub.id
                throw error
            }
            guard state.addition.map({ $0.countOfAdmin < StubAdmin.limit }) == true else { throw .tooManyStubs }
            state.addition?.ids.insert(ExactText(stub.id))
            state.addition?.set.stubs.append(stub)
            state.addition?.countOfAdmin += 1
            hasAddition.store(true, ordering: .releasing)
        }
    }

    /// Changes the stubs for the admin API.
    func edit<Result>(
        _ change: (inout [Stub], ServedFixtures) throws(AdminError) -> Result
    ) throws(AdminError) -> Result {
        try self.change { (current, generation) throws(AdminError) in
            var set = current.set
            let result = try change(&set.stubs, current)
            guard set.stubs.lazy.filter(\.isOfAdmin).count <= StubAdmin.limit else { throw .tooManyStubs }
            let served = ServedFixtures(
                set, generation: generation, previous: current, givenStubs: current.givenStubs)
            let errors = served.index.findings.filter { $0.severity == .error && $0.place.path == StubAdmin.label }
            guard errors.isEmpty else { throw AdminError(errors) }
            return (served, result)
        }
    }
}

extension AdminError {
    fileprivate static var tooManyStubs: AdminError {
        AdminError(422, "the admin API adds at most \(StubAdmin.limit) stubs")
    }
}
