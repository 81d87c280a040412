// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures
package import MockapiHTTPSyntax
import MockapiMetering

/// Finds the fixture that matches a request, at a cost that does not grow with the number of stubs.
///
/// Exact targets stand in one hash table, templates in a trie, patterns in a list with their literal prefixes. A set of stubs that is
/// still large is split by the value that tells most of them apart: a method, a query parameter, a header, a cookie. The lists
/// that a request leads to are merged in the order of rank, so that the first stub that matches in full is the result.
///
/// An index may go on another one: it then holds the stubs that were added since, and a request is put to both. So a stub that is added to
/// many costs no more than one that is added to few.
package final class StubIndex: Sendable {
    /// The stubs and files that were indexed here, without the stubs of indexes below.
    package let set: FixtureSet
    /// How many stubs the indexes below have, which come before those of `set`.
    private let earlier: Int
    /// The problems with the stubs: broken patterns, stubs that no request reaches, stubs told apart by their order
    /// alone. Sorted. Of the stubs in an index that goes on another, only broken patterns.
    package let findings: [Finding]
    /// The ordinals of the stubs that never match, since a pattern of theirs is broken.
    package let unusable: [Int]

    /// The index of the stubs that were there before; nil if this one has all of them.
    package let below: StubIndex?
    /// How many indexes are below.
    package let depth: Int
    /// The length of the texts of the stubs here, if this index goes on another one.
    private let bytes: Int
    let identity = KnownTargets.Owner()
    let program: Program
    let tables: IndexTables
    let targets: TargetGroups
    let shapes: PathShapes
    /// The ordinals of the stubs that files go before; none if there are no files.
    let behindFiles: Set<Int>
    /// The first rank of each priority that stubs have here.
    let priorities: [(priority: Int, first: UInt32)]
    /// Whether some stub names HEAD, here or below.
    let hasHead: Bool
    /// Whether a condition on the values of heads takes anything (`valueWeight`).
    package let weighsHeads: Bool
    /// Whether a stub asks for the address that a request comes from (`MatchScratch.clientAddress`).
    package let readsClients: Bool
    /// Whether a stub asks for the host of a request, unless that names the server itself.
    package let readsHosts: Bool

    /// - Parameter clock: the clock that `now` in a matcher reads.
    package convenience init(_ set: FixtureSet, clock: MatchClock = .system) {
        self.init(set, on: nil, clock)
    }

    /// The index of a set whose last stubs were added at run time to the set of another index, which this one goes on.
    ///
    /// The newest of the indexes below are put into this one unless they have more, so that a stub is indexed again no more often than their bytes
    /// double, up to 16 KiB. An index of more bytes stays as it is until there are 24: then all that were added are put into one.
    ///
    /// - Parameter bytes: the length of the added stubs' texts; nil for short ones.
    package convenience init(_ set: FixtureSet, addedTo other: StubIndex, bytes: Int? = nil) {
        var below = other
        var bytes = bytes ?? (set.stubs.count - other.stubCount) * Self.shortStub
        let isDeep = other.depth >= Self.mostDeep
        while let next = below.below, isDeep || below.bytes <= bytes && bytes + below.bytes <= Self.mostMerged {
            bytes += below.bytes
            below = next
        }
        self.init(set, on: below, below.program.clock, bytes: bytes)
    }

    /// Bytes of a short stub. 64.
    package static let shortStub = 64
    /// Bytes of stubs that are put into one index while a request may wait for it. 16 KiB.
    private static let mostMerged = 16 * 1024
    /// Indexes on another, at most: a request is put to each. 24.
    private static let mostDeep = 24

    private init(_ set: FixtureSet, on below: StubIndex?, _ clock: MatchClock, bytes: Int = 0) {
        let earlier = below?.stubCount ?? 0
        var own = set
        if below != nil { own.stubs = Array(set.stubs[earlier...]) }
        self.set = own
        self.earlier = earlier
        self.below = below
        self.bytes = bytes
        depth = below.map { $0.depth + 1 } ?? 0
        let order = Rank.order(set, from: earlier)
        var templates: [PathTemplate] = []
        var known = Set<ExactText>()
        for ordinal in order {
            if case .pathTemplate(let text) = set.stubs[ordinal].request.url, known.insert(ExactText(text)).inserted {
                templates.append(PathTemplate(text))
            }
        }
        let (program, patternFindings, unusable) = ProgramBuilder.build(set, order: order, clock: clock)
        self.program = program
        self.unusable = (below?.unusable ?? []) + unusable
        // Files are below all stubs, in the index that goes on no other.
        (tables, targets) = IndexBuilder.build(program, files: below == nil ? set.files : [], templates: templates)
        priorities = Self.priorities(order, set)
        hasHead = tables.hasHead || below?.hasHead == true
        weighsHeads = program.valueWeight != .nothing || below?.weighsHeads == true
        readsClients = program.readsClients || below?.readsClients == true
        readsHosts = program.readsHosts || below?.readsHosts == true
        shapes = PathShapes(set, program: program, targets: targets, tables: tables)
        if let below {
            behindFiles = below.behindFiles
            findings = patternFindings.isEmpty ? below.findings : (below.findings + patternFindings).sorted()
            return
        }
        let leftOut = set.leftOut.flatMap { $0.patterns.compactMap(PatternLibrary.finding) }
        behindFiles = FilesLint.behindFiles(set)
        let lint = Lint(set: set, order: order, program: program, targets: targets, tables: tables)
        let hiding = FilesLint.findings(set, order: order, program: program, behind: behindFiles)
        findings = (patternFindings + leftOut + lint.findings() + ScenarioLint.findings(set) + hiding).sorted()
    }

    // Nothing reads the tables any more: every call that does holds a reference to the index.
    deinit {
        tables.deallocate()
        shapes.deallocate()
    }

    /// How many stubs are indexed here, without those below.
    package var count: Int { program.entries.count }

    /// How many stubs were added to the lowest index.
    package var addedCount: Int { stubCount - root.stubCount }

    /// How many stubs are indexed here and below.
    package var stubCount: Int { earlier + self.set.stubs.count }

    /// A stub that is indexed here, by its place among all.
    func stub(_ ordinal: Int) -> Stub { self.set.stubs[ordinal - earlier] }

    /// The index that goes on no other.
    package var root: StubIndex {
        var index = self
        while let below = index.below { index = below }
        return index
    }

    private static func priorities(_ order: [Int], _ set: FixtureSet) -> [(priority: Int, first: UInt32)] {
        var priorities: [(priority: Int, first: UInt32)] = []
        for (rank, ordinal) in order.enumerated() where set.stubs[ordinal].priority != priorities.last?.priority {
            priorities.append((set.stubs[ordinal].priority, UInt32(rank)))
        }
        return priorities
    }

    /// How much matching a request's body can take.
    package func bodyWeight(of request: borrowing RequestHead) -> BodyWeight {
        weight(of: request) { $0.bodyWeight(of: $1) }
    }

    /// How much matching the values of a request's head can take.
    package func valueWeight(of request: borrowing RequestHead) -> BodyWeight {
        weight(of: request) { $0.valueWeight(of: $1) }
    }

    /// The most of all indexes down to the lowest.
    @inline(__always)
    private func weight(of request: borrowing RequestHead, _ weight: (Program, Bytes) -> BodyWeight) -> BodyWeight {
        let path = request.path
        return request.bytes.withUnsafeBufferPointer { bytes in
            let path = bytes.slice(Int(path.start), Int(path.end))
            var most = weight(program, path)
            var next = below
            while let index = next {
                most = max(most, weight(index.program, path))
                next = index.below
            }
            return most
        }
    }

    /// Finds the fixture that matches a request.
    ///
    /// HEAD matches stubs of the method HEAD, else exactly those that GET would; plain files come
    /// after all stubs and are served to GET and HEAD.
    ///
    /// - Parameters:
    ///   - body: the request's body, decoded.
    ///   - matchesAnyHost: whether the request names the server itself, so that no stub is asked for its host.
    ///   - scratch: the memory to work in; `isEligible` must not use it.
    ///   - keepsBody: whether the JSON of an unmatched request is kept for `nearMisses`, until `dropBody`.
    ///   - isEligible: asked once for each stub that matches in full, best rank first, with its place in the set, until it
    ///     returns true; a sequence claims its step here.
    package func match(
        _ request: RequestHead, body: UnsafeBufferPointer<UInt8>, matchesAnyHost: Bool, scratch: MatchScratch,
        keepsBody: Bool = false, isEligible: (Int) -> Bool
    ) -> MatchResult {
        withState(request, body: body, matchesAnyHost: matchesAnyHost, scratch) { state in
            state.dropBody()
            let found = outcome(&state, isEligible)
            // Nobody waits for a response.
            let outcome = state.budget.isStopped || state.budget.isCut ? .none : found
            let isTooLarge = if case .tooLarge = state.json { true } else { false }
            if !keepsBody || outcome != .none { state.dropBody() }
            if !state.exceeding.isEmpty { state.hasGivenUp = true }
            return MatchResult(outcome: outcome, exceeding: state.exceeding, isTooLarge: isTooLarge)
        }
    }

    /// Finds the fixture that matches a request.
    package func match(
        _ request: RequestHead, body: [UInt8] = [], matchesAnyHost: Bool = true, scratch: MatchScratch,
        keepsBody: Bool = false, isEligible: (Int) -> Bool = { _ in true }
    ) -> MatchResult {
        body.withUnsafeBufferPointer {
            match(
                request, body: $0, matchesAnyHost: matchesAnyHost, scratch: scratch, keepsBody: keepsBody,
                isEligible: isEligible)
        }
    }

    /// Lends a request's bytes to the scratch for one call.
    ///
    /// - Parameter goesOn: whether it is the scratch's last request again, which goes on with the work that it has left.
    @inline(__always)
    func withState<Result>(
        _ request: RequestHead, body: UnsafeBufferPointer<UInt8>, matchesAnyHost: Bool, _ scratch: MatchScratch,
        goesOn: Bool = false, _ use: (inout RequestState) -> Result
    ) -> Result {
        request.bytes.withUnsafeBufferPointer { bytes in
            request.fields.withUnsafeBufferPointer { fields in
                scratch.state.begin(
                    request, bytes: bytes, fields: fields, body: body, matchesAnyHost: matchesAnyHost,
                    goesOn: goesOn)
                return use(&scratch.state)
            }
        }
    }
}
