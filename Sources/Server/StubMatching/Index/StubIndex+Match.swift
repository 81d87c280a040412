// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPSyntax
import MockapiMetering

extension StubIndex {
    /// The match of an earlier request for the same method and target, if nothing else decided it; nil if it is not known.
    ///
    /// - Parameter scratch: the memory that the earlier request was matched in.
    package func known(_ request: borrowing RequestHead, _ scratch: MatchScratch) -> MatchResult.Decision? {
        request.bytes.withUnsafeBufferPointer { bytes in
            guard let target = RequestState.target(of: request, in: bytes),
                let method = methodNumber(of: request, in: bytes)
            else { return nil }
            return scratch.known.match(method, target, in: identity).map {
                $0.isFile ? .file(Int($0.ordinal)) : .stub(Int($0.ordinal))
            }
        }
    }

    /// Keeps for `known` the match of the request that a scratch was used for last: of a stub that was the only one to be asked for, and of a file.
    package func remember(_ result: MatchResult, of request: borrowing RequestHead, _ scratch: MatchScratch) {
        guard scratch.state.isOfTargetAlone, result.exceeding.isEmpty else { return }
        let match: KnownTargets.Match
        switch result.outcome {
        case .stub(let ordinal): match = .init(isFile: false, ordinal: UInt32(ordinal))
        case .file(let ordinal): match = .init(isFile: true, ordinal: UInt32(ordinal))
        case .none: return
        }
        request.bytes.withUnsafeBufferPointer { bytes in
            guard let target = RequestState.target(of: request, in: bytes),
                let method = methodNumber(of: request, in: bytes)
            else { return }
            scratch.known.add(match, method, target, in: identity)
        }
    }

    /// The number of a method, if it is the same for all indexes down to the lowest: of GET and HEAD alone, unless there is only this one.
    @inline(__always)
    private func methodNumber(of request: borrowing RequestHead, in bytes: Bytes) -> UInt16? {
        let number = program.methodNumber(bytes.slice(Int(request.method.start), Int(request.method.end)))
        return below == nil || number <= Program.head ? number : nil
    }

    @inline(__always)
    func outcome(
        _ state: inout RequestState, _ isEligible: (Int) -> Bool
    ) -> MatchResult.Decision {
        let method = program.methodNumber(state.method)
        if !behindFiles.isEmpty, method == Program.get || method == Program.head,
            let file = root.tables.file(state.readFileName())
        {
            let ordinal = find(method, allowsAny: method != Program.head, &state) {
                !behindFiles.contains($0) && isEligible($0)
            }
            if let ordinal { return .stub(ordinal) }
            if method == Program.head {
                let other = find(Program.get, allowsAny: true, &state) {
                    !behindFiles.contains($0) && isEligible($0)
                }
                if let other { return .stub(other) }
            }
            return .file(file)
        }
        let ordinal: Int?
        if method == Program.head {
            ordinal =
                (hasHead ? find(method, allowsAny: false, &state, isEligible) : nil)
                ?? find(Program.get, allowsAny: true, &state, isEligible)
        } else {
            ordinal = find(method, allowsAny: true, &state, isEligible)
        }
        if let ordinal { return .stub(ordinal) }
        guard method == Program.get || method == Program.head else { return .none }
        return root.tables.file(state.readFileName()).map { .file($0) } ?? .none
    }

    /// More lists than these are put in one, rather than merged.
    private static let mergeLimit = 16

    /// The best stub that matches and is eligible.
    ///
    /// - Parameter method: the number of the method here.
    private func find(
        _ method: UInt16, allowsAny: Bool, _ state: inout RequestState, _ isEligible: (Int) -> Bool
    ) -> Int? {
        if below != nil { return findInAll(method, allowsAny, &state, isEligible) }
        tables.collect(program, method: method, &state)
        if state.budget.isCut { return nil }
        if state.cursors.count > Self.mergeLimit { return findInMany(method, allowsAny, &state, isEligible) }
        var last = UInt32.max
        while state.cursors.count > 0, !state.budget.isCut {
            let next = tables.takeNext(&state.cursors)
            // Two values of one parameter can lead to the same stub.
            if next.rank == last { continue }
            last = next.rank
            let asked = tables.asked(next.rank, next.settled)
            if let ordinal = ask(asked, next.rank, method, allowsAny, &state, isEligible) { return ordinal }
        }
        return nil
    }

    /// The best stub of all indexes down to the lowest: each is asked once which stubs the request leads to, and these are merged by priority.
    private func findInAll(
        _ method: UInt16, _ allowsAny: Bool, _ state: inout RequestState, _ isEligible: (Int) -> Bool
    ) -> Int? {
        var lists: [CandidateList] = []
        for index in sequence(first: self, next: { $0.below }) {
            guard state.budget.look(through: state.full.count) else { break }
            state.turn(to: index.identity)
            let number = method <= Program.head ? method : index.program.methodNumber(state.method)
            index.tables.collect(index.program, method: number, &state)
            if state.budget.isCut { return nil }
            if state.cursors.count == 0 { continue }
            let ranks = state.cursors.count > Self.mergeLimit ? index.ranksOfCursors(&state) : []
            lists.append(CandidateList(of: index, method: number, state.cursors, ranks))
        }
        // A stub that was added goes before all of its priority that were there before.
        while !state.budget.isCut, let best = lists.indices.min(by: { lists[$0].priority < lists[$1].priority }) {
            let (index, number) = (lists[best].index, lists[best].method)
            guard let next = lists[best].takeNext() else {
                lists.remove(at: best)
                continue
            }
            state.turn(to: index.identity)
            let asked = index.tables.asked(next.rank, next.settled)
            if let ordinal = index.ask(asked, next.rank, number, allowsAny, &state, isEligible) { return ordinal }
        }
        return nil
    }

    /// The priority of the stub of a rank here.
    func priority(of rank: UInt32) -> Int {
        var (low, high) = (0, priorities.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if priorities[middle].first <= rank { low = middle } else { high = middle }
        }
        return priorities[low].priority
    }

    /// Tests one stub; its ordinal if it matches.
    @inline(__always)
    private func ask(
        _ asked: IndexTables.AskedStub, _ rank: UInt32, _ method: UInt16, _ allowsAny: Bool,
        _ state: inout RequestState, _ isEligible: (Int) -> Bool
    ) -> Int? {
        guard asked.method == method || asked.method == 0 && allowsAny else { return nil }
        let budget = state.budget
        let refusals = budget.refusals
        let matches = asked.isSettled || program.matches(program.entries[rank], met: asked.met, &state)
        let ordinal = Int(asked.ordinal)
        // Whatever a test makes of it that it was not paid for, it was not made.
        let isUnpaid = budget.refusals != refusals
        if isUnpaid, budget.isCut { return nil }
        if isUnpaid, state.givenUp.isEmpty { state.givenUp = .text }
        if !state.givenUp.isEmpty {
            let isUnknown = isUnpaid || state.givenUp.contains(.pattern)
            noteGivenUp(ordinal, matches && !isUnknown, &state)
            // A pattern that was given up says nothing; in a `not` that would count as a match.
            if isUnknown { return nil }
        }
        // A stub that responds may use up a step of a sequence, which must go to a request that still waits, and only once.
        return matches && !budget.isStopped && !budget.isCut && isEligible(ordinal) ? ordinal : nil
    }

    private func noteGivenUp(_ ordinal: Int, _ matches: Bool, _ state: inout RequestState) {
        let givenUp = state.givenUp
        state.givenUp = []
        // A comparison in an `or` may be given up and the stub match all the same.
        if matches { return }
        if let known = state.exceeding.firstIndex(where: { $0.stub == ordinal }) {
            state.exceeding[known].tests.formUnion(givenUp)
        } else if state.exceeding.count < MatchResult.exceedingLimit {
            state.exceeding.append(ExceedingStub(stub: ordinal, givenUp))
        }
    }

    private func findInMany(
        _ method: UInt16, _ allowsAny: Bool, _ state: inout RequestState, _ isEligible: (Int) -> Bool
    ) -> Int? {
        var last = UInt32.max
        for rank in ranksOfCursors(&state) where rank != last {
            if state.budget.isCut { return nil }
            last = rank
            let asked = tables.asked(rank, .none)
            if let ordinal = ask(asked, rank, method, allowsAny, &state, isEligible) { return ordinal }
        }
        return nil
    }
}

extension StubIndex {
    /// The ranks of all lists, in their order; a list that several values of a request lead to counts once.
    private func ranksOfCursors(_ state: inout RequestState) -> [UInt32] {
        let cursors = (0..<state.cursors.count).map { state.cursors[$0] }.sorted {
            ($0.rank, $0.next) < ($1.rank, $1.next)
        }
        var ranks: [UInt32] = []
        var last = Cursor(rank: .max, next: 0, end: 0)
        for cursor in cursors where cursor.rank != last.rank || cursor.next != last.next {
            last = cursor
            ranks.append(cursor.rank)
            for place in cursor.next..<max(cursor.next, cursor.end) { ranks.append(tables.ranks[place]) }
        }
        return ranks.sorted()
    }

    /// How many stubs a request is put to at most: those that the index leads to.
    package func candidateCount(for request: RequestHead, body: [UInt8] = []) -> Int {
        let scratch = MatchScratch()
        let others = below?.candidateCount(for: request, body: body) ?? 0
        return others
            + body.withUnsafeBufferPointer { body in
                withState(request, body: body, matchesAnyHost: false, scratch) { state in
                    state.dropBody()
                    tables.collect(program, method: program.methodNumber(state.method), &state)
                    state.dropBody()
                    return Swift.Set(ranksOfCursors(&state)).count
                }
            }
    }
}
