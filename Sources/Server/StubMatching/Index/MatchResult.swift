// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The stub or plain file that matches a request, if any, and the stubs whose matching was given up.
package struct MatchResult: Hashable, Sendable {
    package enum Decision: Hashable, Sendable {
        /// The stub at a place in the set.
        case stub(Int)
        /// The plain file at a place in the set.
        case file(Int)
        case none
    }

    package let outcome: Decision
    /// In the order in which they were asked; empty for nearly every request.
    package let exceeding: [ExceedingStub]
    /// Whether the body was not read as JSON for the memory that would take (`JSONLimits.memory`).
    package let isTooLarge: Bool

    package init(outcome: Decision, exceeding: [ExceedingStub] = [], isTooLarge: Bool = false) {
        self.outcome = outcome
        self.exceeding = exceeding
        self.isTooLarge = isTooLarge
    }

    /// How many stubs are reported whose tests were given up.
    static let exceedingLimit = 16
}
