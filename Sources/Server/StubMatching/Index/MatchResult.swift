// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The stub or plain file that answers a request, if any, and the stubs whose matching was given up.
package struct MatchResult: Hashable, Sendable {
    package enum Decision: Hashable, Sendable {
        /// The stub at a place in the set.
        case stub(Int)
        /// The plain file at a place in the set.
        case file(Int)
        case none
    }

    /// The stubs whose tests were given up: indirect, since for nearly every request none are.
    private indirect enum GivenUp: Hashable, Sendable {
        case nothing
        case tests(patterns: [Int], comparisons: [Int], engines: [Int], hasTooManyValues: Bool)
    }

    package let outcome: Decision
    private let givenUp: GivenUp

    package init(
        outcome: Decision, exceedingPatterns: [Int], exceedingComparisons: [Int], exceedingEngines: [Int] = [],
        hasTooManyValues: Bool = false
    ) {
        self.outcome = outcome
        let isNothing = exceedingPatterns.isEmpty && exceedingComparisons.isEmpty && exceedingEngines.isEmpty
        givenUp =
            isNothing && !hasTooManyValues
            ? .nothing
            : .tests(
                patterns: exceedingPatterns, comparisons: exceedingComparisons, engines: exceedingEngines,
                hasTooManyValues: hasTooManyValues)
    }

    /// The first stub, by its place in the set, that was passed over since a test of its was given up, and what that was; nil for nearly every
    /// request.
    package var passedOver: (stub: Int, text: String)? {
        guard case .tests(let patterns, let comparisons, let engines, _) = givenUp else { return nil }
        let found = [
            (patterns.first, "a pattern"), (comparisons.first, "a comparison of JSON"),
            (engines.first, "a path, a schema or XML"),
        ]
        return found.lazy.compactMap { stub, text in stub.map { ($0, text) } }.first
    }

    /// The stubs, by their places in the set, that did not match because a pattern of theirs was given up
    /// (`PatternLimits`).
    package var exceedingPatterns: [Int] { if case .tests(let stubs, _, _, _) = givenUp { stubs } else { [] } }

    /// The stubs, by their places in the set, that did not match because comparing JSON was given up (`JSONLimits`).
    package var exceedingComparisons: [Int] { if case .tests(_, let stubs, _, _) = givenUp { stubs } else { [] } }

    /// The stubs, by their places in the set, that did not match because what they ask of a path, a schema or XML was given up.
    package var exceedingEngines: [Int] { if case .tests(_, _, let stubs, _) = givenUp { stubs } else { [] } }

    /// Whether the body was not read as JSON for its many values (`JSONLimits.values`).
    package var hasTooManyValues: Bool {
        if case .tests(_, _, _, let hasTooMany) = givenUp { hasTooMany } else { false }
    }

    /// How many stubs of each kind are reported.
    static let exceedingLimit = 16
}
