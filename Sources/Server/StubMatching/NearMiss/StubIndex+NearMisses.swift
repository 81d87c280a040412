// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPSyntax

extension StubIndex {
    /// The stubs and plain files that nearly match a request, the nearest first.
    ///
    /// It measures stubs whose target matches and those with the most similar paths, templates and patterns, within
    /// `NearMissLimits`. Among equals stubs go before files, and a better rank before another. The result depends on set and
    /// request alone.
    ///
    /// - Parameters:
    ///   - reusesBody: whether the scratch has kept the JSON of this very request from `match`; the search then takes some work
    ///     beside the rest of that budget, and none if it was stopped.
    ///   - limit: how many at most.
    package func nearMisses(
        for request: RequestHead, body: UnsafeBufferPointer<UInt8>, matchesAnyHost: Bool, scratch: MatchScratch,
        reusesBody: Bool = false, limit: Int = 3
    ) -> [NearMiss] {
        withState(request, body: body, matchesAnyHost: matchesAnyHost, scratch, goesOn: reusesBody) { state in
            if !reusesBody { state.dropBody() }
            defer { state.dropBody() }
            state.isExplaining = true
            var search = NearMissSearch(index: self)
            if below != nil { state.turn(to: identity) }
            repeat {
                search.addMatchingTargets(&state)
                search.addSimilarTargets(&state)
            } while search.turnToNext(&state)
            return search.nearest(limit, &state)
        }
    }

    /// The stubs and plain files that nearly match a request, the nearest first.
    package func nearMisses(
        for request: RequestHead, body: [UInt8] = [], matchesAnyHost: Bool = true, scratch: MatchScratch,
        reusesBody: Bool = false, limit: Int = 3
    ) -> [NearMiss] {
        body.withUnsafeBufferPointer {
            nearMisses(
                for: request, body: $0, matchesAnyHost: matchesAnyHost, scratch: scratch, reusesBody: reusesBody,
                limit: limit)
        }
    }
}
