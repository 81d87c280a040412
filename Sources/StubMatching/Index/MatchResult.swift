// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The stub or plain file that answers a request, if any, and the stubs whose matching was given up.
package struct MatchResult: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// The stub at a place in the set.
        case stub(Int)
        /// The plain file at a place in the set.
        case file(Int)
        case none
    }

    package var outcome: Outcome
    /// The stubs, by their places in the set, that did not match because a pattern of theirs was given up
    /// (`PatternLimits`).
    package var exceedingPatterns: [Int]
    /// The stubs, by their places in the set, that did not match because comparing JSON was given up (`JSONLimits`).
    package var exceedingComparisons: [Int]
    /// The stubs, by their places in the set, that did not match because what they ask of a path, a schema or XML was given up.
    package var exceedingEngines: [Int]
    /// Whether the body was not read as JSON for its many values (`JSONLimits.values`).
    package var hasTooManyValues: Bool

    package init(
        outcome: Outcome, exceedingPatterns: [Int], exceedingComparisons: [Int], exceedingEngines: [Int] = [],
        hasTooManyValues: Bool = false
    ) {
        self.outcome = outcome
        self.exceedingEngines = exceedingEngines
        self.hasTooManyValues = hasTooManyValues
        self.exceedingPatterns = exceedingPatterns
        self.exceedingComparisons = exceedingComparisons
    }

    /// How many stubs of each kind are reported.
    static let exceedingLimit = 16
}
