// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiStubMatching
import MockapiSystemIO
import Synchronization

/// One load of a fixture directory, made ready to be served; immutable but for the steps of its sequences, the states of its scenarios and the items of its resources.
final class ServedFixtures: Sendable {
    /// Stubs from which on a load leaves megabytes free behind it. 5,000.
    private static let largeSet = 5_000

    /// Origins that are looked for in a request that matches no stub as it is. 8.
    private static let originLimit = 8

    let set: FixtureSet
    let index: StubIndex
    /// Tells this load from others of the same server.
    let generation: UInt64
    /// The states of the scenarios; nil if no stub has a part in any.
    let scenarios: Scenarios?
    /// Indexed by the stub's ordinal.
    let stubs: PreparedStubs
    /// The recorded requests that no matcher distinguishes.
    let known: KnownRequests
    /// Indexed by the file's ordinal.
    let files: [PreparedFile]
    /// Whether a response is rendered for each request.
    let hasTemplates: Bool
    /// Whether a stub sends requests of its own.
    let hasWebhooks: Bool
    /// The names that the journal calls the files by.
    let fileNames: [JournalNames]
    /// The origins that responses rewrite, sorted; only the first few.
    let origins: [String]
    /// The hosts that stubs name, for certificates.
    let hosts: Set<String>
    let repeatedMisses = RepeatedMisses()
    /// The ordinals of the stubs that respond only to requests that they turn away.
    let guards: Set<Int>
    /// The stubs that a reset goes back to: those of files and of code, whatever the admin API has made of them.
    let givenStubs: [Stub]
    /// The token issuers, by the names of the stubs.
    let issuers: [String: TokenIssuer]
    /// The handlers that compute responses, by the ids of the stubs.
    private let handlers: [String: StubHandler]

    /// The time that the server's clock stands at, in seconds since 1970; nil if it goes.
    private let now: Int?

    /// - Parameters:
    ///   - previous: the load before; the sequences and resources of stubs that are the same in both go on where they were, as do the scenarios.
    ///   - handlers: those of stubs that the load before does not have.
    ///   - index: the index of the set, if it has the stubs of the load before and, behind them, further ones; nil if anything else may differ.
    ///   - givenStubs: the stubs of files and of code; nil if they are those of the set.
    init(
        _ set: FixtureSet, generation: UInt64, previous: ServedFixtures? = nil, index: StubIndex? = nil,
        handlers: [String: StubHandler] = [:], givenStubs: [Stub]? = nil, now: Int? = nil
    ) {
        let now = now ?? previous?.now
        self.now = now
        self.givenStubs =
            givenStubs ?? (set.stubs.contains(where: \.isOfAdmin) ? set.stubs.filter { !$0.isOfAdmin } : set.stubs)
        let handlers = (previous?.handlers ?? [:]).merging(handlers) { $1 }
        self.handlers = handlers
        self.set = set
        self.generation = generation
        self.index = index ?? StubIndex(set)
        // The results for the stubs of the load before hold.
        let extended = index == nil ? nil : previous
        let added = set.stubs[(extended?.set.stubs.count ?? 0)...]
        var origins = Set(extended?.origins ?? [])
        for stub in added { for response in stub.responses { origins.formUnion(response.rewriteOrigins) } }
        self.origins = Array(origins.sorted().prefix(Self.originLimit))
        let hasScenarios = extended?.scenarios != nil || added.contains { $0.scenario != nil }
        scenarios = hasScenarios ? previous?.scenarios ?? Scenarios() : nil
        let replaced = extended == nil ? previous : nil
        let same = replaced?.now == now ? replaced?.readyStubs() ?? [:] : [:]
        let before = replaced?.statefulStubs() ?? [:]
        let stubs = PreparedStubs(set.stubs, beside: extended?.stubs, now: now) { stub in
            if let prepared = same[ObjectIdentifier(stub)] { return prepared }
            let handler = stub.isAdded && !stub.isOfAdmin ? handlers[stub.id] : nil
            if handler == nil, stub.isPlain { return nil }
            let before = before[stub.uuid].flatMap { $0.stub.source == stub.source ? $0 : nil }
            return PreparedStub(
                stub, counter: before?.prepared.sequence?.counter, handler: handler,
                resource: before?.prepared.resource.flatMap { resource in
                    stub.resource.map { resource.isOf($0.hash) } == true ? resource : nil
                },
                gate: before?.prepared.gate, now: now)
        }
        self.stubs = stubs
        known = extended?.known.adding(set.stubs) ?? KnownRequests(set.stubs)
        let ready = stubs.ready
        hasTemplates = ready.contains { $0.stub.hasTemplates }
        hasWebhooks = ready.contains { $0.stub.webhooks != nil }
        guards = Set(ready.lazy.filter { $0.stub.gate?.isGuard == true }.map(\.ordinal))
        issuers = Dictionary(
            ready.compactMap { ordinal, stub in
                stub.gate?.issuer.flatMap { issuer in set.stubs[ordinal].name.map { ($0, issuer) } }
            }, uniquingKeysWith: { first, _ in first })
        files = extended?.files ?? set.files.map(PreparedFile.init)
        fileNames = extended?.fileNames ?? set.files.map { JournalNames($0) }
        hosts = (extended?.hosts ?? []).union(FixtureHosts.names(of: added))
        // The trees that the stubs were read from, and the data that built the index: a quarter of the heap.
        if extended == nil { Self.giveBackAfterLoad(of: set.stubs.count) }
    }

    /// Gives back the memory that a load, or an index, of so many stubs has left free.
    static func giveBackAfterLoad(of count: Int) {
        if count >= largeSet { ProcessMemory.giveBackAfterLoad() }
    }

    /// The files read once more, beside the stubs that were added.
    ///
    /// - Parameter written: the stubs that the admin API has written to the files, and that come from there alone.
    convenience init(
        reloaded set: FixtureSet, generation: UInt64, previous: ServedFixtures, written: Set<StubID> = []
    ) {
        self.init(
            set, generation: generation, previous: previous,
            givenStubs: set.stubs.filter { !$0.isAdded }
                + previous.givenStubs.filter { $0.isAdded && !written.contains($0.uuid) })
    }

    /// The same for a server whose clock stands.
    func at(_ now: Int?) -> ServedFixtures {
        guard let now else { return self }
        return ServedFixtures(set, generation: generation, previous: self, givenStubs: givenStubs, now: now)
    }

    /// The stubs that have been made ready, by the identity of the stubs that they were made from.
    private func readyStubs() -> [ObjectIdentifier: PreparedStub] {
        Dictionary(stubs.ready.lazy.map { (ObjectIdentifier(self.set.stubs[$0.ordinal]), $0.stub) }) { first, _ in first
        }
    }

    /// The stubs that have more than their fixtures, by their ids.
    private func statefulStubs() -> [StubID: (stub: Stub, prepared: PreparedStub)] {
        var stateful: [StubID: (stub: Stub, prepared: PreparedStub)] = [:]
        for (ordinal, prepared) in stubs.ready
        where prepared.sequence != nil || prepared.resource != nil || prepared.gate != nil {
            stateful[set.stubs[ordinal].uuid] = (set.stubs[ordinal], prepared)
        }
        return stateful
    }

    /// Resets all resources to the content of their files when they were read.
    ///
    /// - Parameter tell: called with the file that cannot be brought back.
    func resetResources(tell: @escaping @Sendable (String) -> Void) {
        for (_, stub) in stubs.ready { stub.resource?.reset(tell: tell) }
    }

    /// Resets tokens, nonces, rates and random draws.
    func resetEffects() {
        for (_, stub) in stubs.ready { stub.resetEffects() }
    }

    /// Starts all sequences and scenarios again.
    func resetStates() {
        for (_, stub) in stubs.ready { stub.sequence?.counter.reset() }
        scenarios?.reset()
    }
}
