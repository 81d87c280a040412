// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiStubMatching
import MockapiSystemIO
import Synchronization

/// The fixtures that a server serves, and their changes: one at a time, so that no change is lost.
///
/// Stubs that are added to a large set one by one wait until a request comes, which makes all of them ready at once, beside those that are: that takes
/// longer for many that are there than for few only by the copies of lists. When they have become many themselves, a separate thread indexes all of
/// them, and no request waits for that.
final class CurrentFixtures: Sendable {
    /// Stubs of a set beyond which those that are added wait. 100.
    static let smallSet = 100
    /// Stubs that wait at most; the request that brings one more makes all of them ready. 512.
    private static let mostWaiting = 512
    /// Bytes of the texts of stubs that wait at most. 32 KiB.
    private static let mostBytes = 32 * 1024
    /// Bytes of the text of a stub that does not wait: it may take long to index, which no request waits for. 4 KiB.
    private static let longStub = 4 * 1024
    /// Stubs that are added to an index before all are indexed together: an eighth of all, and no less than so many. 512.
    private static let mostAdded = 512
    /// Indexes on another before all are indexed together: a request is put to each. 12.
    private static let mostIndexes = 12

    /// Stubs that wait.
    private struct Addition {
        /// The fixtures that are served, and those stubs.
        var set: FixtureSet
        var ids: Set<ExactText>
        var countOfAdmin: Int
        /// The length of the texts of those stubs.
        var bytes = 0
        var handlers: [String: StubHandler] = [:]

        init(_ set: FixtureSet) {
            self.set = set
            ids = Set(set.stubs.lazy.map { ExactText($0.id) })
            countOfAdmin = set.stubs.lazy.filter(\.isOfAdmin).count
        }

        /// Appends a stub of the admin API.
        mutating func append(_ stub: Stub, _ length: Int) throws(AdminError) {
            guard !ids.contains(ExactText(stub.id)) else {
                var error = AdminError(422, "Duplicate stub mapping ID", 109)
                error.detail = "ID of the provided stub mapping '\(stub.id)' is already taken by another stub mapping"
                throw error
            }
            guard countOfAdmin < StubAdmin.limit else { throw .tooManyStubs }
            ids.insert(ExactText(stub.id))
            set.stubs.append(stub)
            countOfAdmin += 1
            bytes += max(StubIndex.shortStub, length)
        }
    }

    private struct State {
        var served: ServedFixtures
        var addition: Addition?
    }

    private let state: Mutex<State>
    /// Every change to the fixtures holds it meanwhile.
    private let changes = Mutex<Void>(())
    /// Held while waiting stubs are made ready. A request may wait for it, but never for a whole change.
    private let readying = Mutex<Void>(())
    /// The number of the newest load.
    private let newest: Atomic<UInt64>
    /// Indexes all stubs together.
    private let indexing = BackgroundWorkers(width: 1, limit: 1)
    private let isIndexing = Atomic<Bool>(false)
    /// Which load is served, to be compared before each request without a lock.
    private let currentGeneration: Atomic<UInt64>
    private let hasAddition = Atomic<Bool>(false)
    /// The released holds; one is forgotten with the last stub that waits for it.
    private let holds: Holds

    init(_ fixtures: ServedFixtures, _ holds: Holds) {
        self.holds = holds
        state = Mutex(State(served: fixtures))
        newest = Atomic(fixtures.generation)
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
        isUnready ? makeReady() : ready
    }

    /// A number for a load that may come to be served.
    func nextGeneration() -> UInt64 { newest.wrappingAdd(1, ordering: .relaxed).newValue }

    @discardableResult
    private func makeReady() -> ServedFixtures {
        let fixtures = readying.withLock { _ in
            let (served, addition) = state.withLock { ($0.served, $0.addition) }
            guard let addition else { return served }
            let isSmall = addition.set.stubs.count <= Self.smallSet
            let next = ServedFixtures(
                addition.set, generation: nextGeneration(), previous: served,
                index: isSmall ? nil : StubIndex(addition.set, addedTo: served.index, bytes: addition.bytes),
                handlers: addition.handlers,
                givenStubs: served.givenStubs
                    + addition.set.stubs[served.set.stubs.count...].filter { !$0.isOfAdmin })
            serve(next, with: addition.set.stubs.count)
            return next
        }
        indexTogether(fixtures)
        return fixtures
    }

    /// Indexes all stubs together if many have been added.
    private func indexTogether(_ fixtures: ServedFixtures) {
        let isLong =
            fixtures.index.depth > Self.mostIndexes
            || fixtures.index.addedCount > max(Self.mostAdded, fixtures.set.stubs.count / 8)
        guard isLong, !isIndexing.exchange(true, ordering: .relaxed)
        else { return }
        _ = indexing.add { [weak self] _ in
            let whole = StubIndex(fixtures.set)
            self?.changes.withLock { _ in self?.take(whole, for: fixtures.index) }
            ServedFixtures.giveBackAfterLoad(of: whole.stubCount)
            self?.isIndexing.store(false, ordering: .relaxed)
        }
    }

    /// Serves an index of all stubs in the place of one that was added to, unless the stubs have been changed meanwhile.
    private func take(_ whole: StubIndex, for index: StubIndex) {
        let current = makeReady()
        guard current.index.root === index.root else { return }
        let isLate = current.set.stubs.count > whole.stubCount
        let next = ServedFixtures(
            current.set, generation: nextGeneration(), previous: current,
            index: isLate ? StubIndex(current.set, addedTo: whole) : whole, givenStubs: current.givenStubs)
        serve(next, with: current.set.stubs.count)
    }

    /// - Parameter count: how many stubs were made ready; those that have come since still wait. Without it, none can have come.
    private func serve(_ fixtures: ServedFixtures, with count: Int = .max) {
        // The replaced fixtures are released after the lock, which event loops wait for.
        let gone = state.withLock { state -> State in
            let gone = state
            state.served = fixtures
            // Before no stub waits: who sees that serves the new load.
            currentGeneration.store(fixtures.generation, ordering: .releasing)
            if let addition = state.addition, addition.set.stubs.count > count { return gone }
            state.addition = nil
            hasAddition.store(false, ordering: .releasing)
            return gone
        }
        withExtendedLifetime(gone) {}
    }

    /// Serves fixtures derived from the present ones; a request that comes when this has returned meets them.
    ///
    /// - Parameter next: makes them, given the present fixtures and a number for the load.
    func change<Result, Failure>(
        _ next: (ServedFixtures, _ generation: UInt64) throws(Failure) -> (ServedFixtures, Result)
    ) throws(Failure) -> Result {
        try changes.withLock { (_) throws(Failure) -> Result in
            let (fixtures, result) = try next(makeReady(), nextGeneration())
            serve(fixtures)
            // Stubs may be gone: no other way takes any, and none is added meanwhile.
            fixtures.scenarios?.keep(Set(fixtures.set.stubs.compactMap { $0.scenario.map { ExactText($0.name) } }))
            holds.keep { fixtures.set.holds }
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
                current.set, generation: generation, previous: current, index: current.index,
                givenStubs: change(current.givenStubs))
            return (served, ())
        }
    }

    /// Adds stubs written in code, each judged by itself.
    func add(_ stubs: [MockStub]) throws(MockServerError) {
        try changes.withLock { (_) throws(MockServerError) in
            let set = set
            var added = FixtureSet(root: set.root)
            added.templatesAll = set.templatesAll
            let handlers = try added.add(stubs, from: set.stubs.count)
            let errors = StubIndex(added).findings.filter { $0.severity == .error }
            guard errors.isEmpty else {
                throw MockServerError(.fixturesUnusable(findings: errors.map(\.description)))
            }
            append(added, handlers)
            makeReadyInTime()
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
            for _ in added.stubs { addition.bytes += StubIndex.shortStub }
            addition.handlers.merge(handlers) { $1 }
            state.addition = addition
            hasAddition.store(true, ordering: .releasing)
        }
    }

    /// Adds a stub by the admin API that has been found sound by itself.
    ///
    /// - Parameter bytes: the length of its text.
    func add(_ stub: Stub, bytes: Int) throws(AdminError) {
        if bytes > Self.longStub { return try addReady(stub, bytes) }
        try changes.withLock { (_) throws(AdminError) in
            try append(stub, bytes)
            makeReadyInTime()
        }
    }

    /// Adds a stub that is indexed while requests are served without it.
    private func addReady(_ stub: Stub, _ bytes: Int) throws(AdminError) {
        try change { (current, generation) throws(AdminError) in
            var addition = Addition(current.set)
            try addition.append(stub, bytes)
            let isSmall = addition.set.stubs.count <= Self.smallSet
            let served = ServedFixtures(
                addition.set, generation: generation, previous: current,
                index: isSmall ? nil : StubIndex(addition.set, addedTo: current.index, bytes: bytes),
                givenStubs: current.givenStubs)
            return (served, ())
        }
    }

    /// Makes stubs ready that were added to few, or that are many.
    private func makeReadyInTime() {
        let (served, all, bytes) = state.withLock { state in
            (state.served.set.stubs.count, state.addition?.set.stubs.count ?? 0, state.addition?.bytes ?? 0)
        }
        if all <= Self.smallSet || all > served + Self.mostWaiting || bytes > Self.mostBytes { makeReady() }
    }

    private func append(_ stub: Stub, _ bytes: Int) throws(AdminError) {
        // Made in front of the lock, which event loops wait for.
        let set = state.withLock { $0.addition == nil ? $0.served.set : nil }
        let new = set.map { Addition($0) }
        try state.withLock { (state) throws(AdminError) in
            // A request may have made those ready meanwhile that waited.
            var addition = state.addition ?? new ?? Addition(state.served.set)
            // So that the lists grow in place.
            state.addition = nil
            defer { state.addition = addition }
            try addition.append(stub, bytes)
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
