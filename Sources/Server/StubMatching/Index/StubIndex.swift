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
package final class StubIndex: Sendable {
    /// The stubs and files that were indexed.
    package let set: FixtureSet
    /// The problems with the stubs: broken patterns, stubs that no request reaches, stubs told apart by their order
    /// alone. Sorted.
    package let findings: [Finding]
    /// The ordinals of the stubs that never match, since a pattern of theirs is broken.
    package let unusable: [Int]

    let identity = KnownTargets.Owner()
    let program: Program
    let tables: IndexTables
    let targets: TargetGroups
    let shapes: PathShapes
    /// The ordinals of the stubs that files go before; none if there are no files.
    let behindFiles: Set<Int>

    /// - Parameter clock: the clock that `now` in a matcher reads.
    package init(_ set: FixtureSet, clock: MatchClock = .system) {
        self.set = set
        let order = Rank.order(set)
        var templates: [PathTemplate] = []
        var known = Set<ExactText>()
        for ordinal in order {
            if case .pathTemplate(let text) = set.stubs[ordinal].request.url, known.insert(ExactText(text)).inserted {
                templates.append(PathTemplate(text))
            }
        }
        let (program, patternFindings, unusable) = ProgramBuilder.build(set, order: order, clock: clock)
        self.program = program
        self.unusable = unusable
        (tables, targets) = IndexBuilder.build(program, files: set.files, templates: templates)
        behindFiles = FilesLint.behindFiles(set)
        shapes = PathShapes(set, program: program, targets: targets, tables: tables)
        let lint = Lint(set: set, order: order, program: program, targets: targets, tables: tables)
        let hiding = FilesLint.findings(set, order: order, program: program, behind: behindFiles)
        findings = (patternFindings + lint.findings() + ScenarioLint.findings(set) + hiding).sorted()
    }

    // Nothing reads the tables any more: every call that does holds a reference to the index.
    deinit {
        tables.deallocate()
        shapes.deallocate()
    }

    /// How much matching a request's body can take.
    package func bodyWeight(of request: borrowing RequestHead) -> BodyWeight {
        let path = request.path
        return request.bytes.withUnsafeBufferPointer {
            program.bodyWeight(of: $0.slice(Int(path.start), Int(path.end)))
        }
    }
    /// How much matching the values of a request's head can take.
    package func valueWeight(of request: borrowing RequestHead) -> BodyWeight {
        let path = request.path
        return request.bytes.withUnsafeBufferPointer {
            program.valueWeight(of: $0.slice(Int(path.start), Int(path.end)))
        }
    }

    /// Whether a stub asks for the address that a request comes from (`MatchScratch.clientAddress`).
    package var readsClients: Bool { program.readsClients }

    /// Whether a stub asks for the host of a request, unless that names the server itself.
    package var readsHosts: Bool { program.readsHosts }

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
            let hasTooManyValues = if case .tooManyValues = state.json { true } else { false }
            if !keepsBody || outcome != .none { state.dropBody() }
            if !state.exceeding.isEmpty { state.hasGivenUp = true }
            return MatchResult(outcome: outcome, exceeding: state.exceeding, hasTooManyValues: hasTooManyValues)
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
