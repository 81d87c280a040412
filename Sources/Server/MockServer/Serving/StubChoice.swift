// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiStubMatching

/// Chooses the stub that responds among those that match a request in full: a sequence may be at its end, or a scenario in another state.
struct StubChoice {
    /// How often a request is matched while its scenarios change; the last time, each stub is judged by the state at that moment. 32.
    static let attempts = 32

    private let fixtures: ServedFixtures
    private let isConsistent: Bool
    /// Whether the request is HEAD, which changes nothing (RFC 9110 §9.2.1): a client that probes first still gets the response with its GET.
    private let isHead: Bool
    private var seen: [ExactText: UInt64] = [:]
    private var isOutdated = false
    private(set) var claimed: PreparedResponse?
    /// The stub that the request was recorded in, if another matches; nil for the one that matches.
    private(set) var recorded: Int?
    /// The move of the scenario of the chosen stub; nil if the stub takes part in none.
    private(set) var move: ScenarioMove?
    /// The stubs that match but are passed over, each with the state of its scenario; nil if its sequence is used up.
    private(set) var passedOver: [(ordinal: Int, state: String?)] = []
    /// Those that were recorded of requests with other values at some places.
    private(set) var unknown: [(ordinal: Int, places: UnknownPlaces)] = []

    /// - Parameter isConsistent: whether the states for which stubs were passed over must last until a stub is chosen.
    init(_ fixtures: ServedFixtures, isConsistent: Bool, isHead: Bool) {
        self.fixtures = fixtures
        self.isHead = isHead
        self.isConsistent = isConsistent
    }

    /// Whether a stub's scenario is in the state that the stub needs.
    func isInState(_ ordinal: Int) -> Bool {
        guard let part = fixtures.stubs[ordinal].scenario, let required = part.required else { return true }
        return fixtures.scenarios?.state(of: part.name).isExactly(required) == true
    }

    /// Whether a stub ends the search, because it is chosen or because the request has to be matched again.
    mutating func takes(_ ordinal: Int, _ head: borrowing RequestHead, _ body: [UInt8]) -> Bool {
        var stub = fixtures.stubs[ordinal]
        var known: KnownRequests.Found?
        switch stub.extras?.knowsRequests == true ? fixtures.known.find(ordinal, head, body) : nil {
        case .known(let found): known = found
        case .unknown(let places):
            unknown.append((ordinal, places))
            return false
        case nil: break
        }
        recorded = known?.ordinal
        if let recorded { stub = fixtures.stubs[recorded] }
        // A stub that knows requests has no scenario.
        if known == nil, stub.scenario != nil || !seen.isEmpty, let scenarios = fixtures.scenarios {
            return takes(ordinal, stub, of: scenarios)
        }
        if !seen.isEmpty, fixtures.scenarios?.areCurrent(seen) == false {
            isOutdated = true
            return true
        }
        claimed = stub.claim(peeks: isHead && !stub.isOfHead, among: known?.steps)
        if claimed == nil { passedOver.append((recorded ?? ordinal, nil)) }
        return claimed != nil
    }

    private mutating func takes(_ ordinal: Int, _ stub: PreparedStub, of scenarios: Scenarios) -> Bool {
        switch scenarios.claim(stub, peeks: isHead && !stub.isOfHead, seen: &seen) {
        case .response(let response, let move):
            claimed = response
            self.move = move
            return true
        case .outdated:
            isOutdated = true
            return true
        case .exhausted: passedOver.append((ordinal, nil))
        case .inState(let state):
            passedOver.append((ordinal, state))
            if !isConsistent { seen = [:] }
        }
        return false
    }

    /// Whether the request has to be matched again because a scenario has changed.
    func isOutdated(after outcome: MatchResult.Decision) -> Bool {
        if isOutdated { return true }
        // The chosen stub was found and claimed in one step.
        if case .stub = outcome { return false }
        guard !seen.isEmpty, let scenarios = fixtures.scenarios else { return false }
        return !scenarios.areCurrent(seen)
    }
}
