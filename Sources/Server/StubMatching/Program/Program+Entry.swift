// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiMetering
import MockapiRegularExpressions

extension Program {
    /// Whether a stub that the index leads to matches the request: target, then conditions in their order.
    ///
    /// - Parameter met: the conditions among the first 32 that the way to the stub has compared, a bit each.
    func matches(_ entry: Entry, met: UInt32, _ state: inout RequestState) -> Bool {
        let isExact = entry.urlKind == .path || entry.urlKind == .url
        // The index leads by an exact target.
        guard isExact || matchesURL(entry, &state) else { return false }
        for number in 0..<entry.conditionCount where number >= 32 || met & (1 << number) == 0 {
            if !satisfies(conditions[entry.conditionStart + number], of: entry, &state) { return false }
        }
        return true
    }

    @inline(__always)
    func matchesURL(_ entry: Entry, _ state: inout RequestState) -> Bool {
        switch entry.urlKind {
        case .path: state.path.equals(pool.slice(entry.urlStart, entry.urlEnd))
        case .url: state.full.equals(pool.slice(entry.urlStart, entry.urlEnd))
        case .any: true
        case .template: matchesTemplate(entry.urlStart, &state)
        case .pathPattern: matchesPattern(entry.urlStart, isFull: false, &state)
        case .pattern: matchesPattern(entry.urlStart, isFull: true, &state)
        case .never: false
        }
    }

    /// Puts the path, or path and query, to a pattern; each pattern is run once a request.
    private func matchesPattern(_ number: UInt32, isFull: Bool, _ state: inout RequestState) -> Bool {
        let subject = isFull ? state.full : state.path
        guard subject.hasPrefix(bytes(patternPrefixes[number])) else { return false }
        let slot = Int(number) * 2 + (isFull ? 1 : 0)
        let verdict: RegularExpressionMatcher.Outcome
        if let known = state.verdict(slot) {
            verdict = known
        } else {
            verdict = state.patterns.match(
                patterns[Int(number)], subject, allowance: &state.budget.patterns)
            state.remember(verdict, slot)
        }
        if verdict == .exceedsLimit { state.givenUp.insert(.pattern) }
        return verdict == .matches
    }

    /// Whether the raw path fits a template; leaves in `captures` the values of its variables.
    func matchesTemplate(_ number: UInt32, _ state: inout RequestState) -> Bool {
        let record = templates[number]
        guard state.budget.look(through: Int(record.count)) else {
            state.givenUp.insert(.text)
            return false
        }
        state.captures.removeAll()
        state.dead.removeAll()
        state.dead.resize(Int(record.count), filling: .none)
        state.tries = 0
        return fits(record.first, 0, of: record, at: 0, &state)
    }

    /// Whether the pieces of a template from one on fit the path from a place on.
    ///
    /// A variable takes as much of its segment as it can, a rest as little as it must. If a variable or rest was tried in vain
    /// from a place on, its ends from there need no second trial, so the cost is linear in the path for each piece.
    private func fits(
        _ first: UInt32, _ piece: Int, of record: TemplateRecord, at place: Int, _ state: inout RequestState
    ) -> Bool {
        let path = state.path
        guard piece < Int(record.count) else { return place == path.count }
        let current = templatePieces[Int(first) + piece]
        // One try in 32 pays for all.
        state.tries &+= 1
        if state.tries & 31 == 0, !state.budget.meter.pay(256 + Int(current.end - current.start) * 2) {
            state.givenUp.insert(.text)
            return false
        }
        switch current.kind {
        case .literal:
            let literal = pool.slice(current.start, current.end)
            guard place + literal.count <= path.count, path.slice(place, place + literal.count).equals(literal) else {
                return false
            }
            return fits(first, piece + 1, of: record, at: place + literal.count, &state)
        case .variable, .rest:
            let isRest = current.kind == .rest
            let reach = isRest ? path.count : path.firstPlace(of: ASCII.slash, from: place) ?? path.count
            let shortest = isRest ? place : place + 1
            if shortest > reach { return false }
            // Ends from here on were tried in vain from a later place with the same reach.
            let dead = state.dead[piece]
            let known = dead.end == reach ? dead.start + (isRest ? 0 : 1) : reach + 1
            if known <= shortest { return false }
            let number = state.captures.count
            for step in 0..<(known - shortest) {
                if state.budget.hasRunOut {
                    state.givenUp.insert(.text)
                    break
                }
                let end = isRest ? shortest + step : known - 1 - step
                state.captures.resize(number, filling: .none)
                state.captures.append(RequestState.Reach(start: place, end: end))
                if fits(first, piece + 1, of: record, at: end, &state) { return true }
            }
            state.captures.resize(number, filling: .none)
            state.dead[piece] = RequestState.Reach(start: place, end: reach)
            return false
        }
    }
}
