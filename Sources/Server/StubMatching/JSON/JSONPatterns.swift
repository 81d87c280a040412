// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiRegularExpressions

/// Runs the patterns that stand in expected JSON, during one request.
final class JSONPatterns {
    private let program: Program
    private let context: RegularExpressionMatcher
    /// Whether a pattern was given up; it counts as not matching.
    private(set) var exceedsLimit = false

    /// Nil if there is no such pattern.
    init?(_ program: Program, _ context: RegularExpressionMatcher) {
        if program.jsonPatterns.isEmpty { return nil }
        self.program = program
        self.context = context
    }

    /// Puts a text to a pattern. It costs a step for every 64 bytes, and a tenth of all if the pattern is given up.
    func matches(_ text: Bytes, _ pattern: String, _ budget: MatchBudget) -> Bool {
        guard let number = program.jsonPatterns[ExactText(pattern)], budget.spend(1 + text.count / 64),
            text.hasPrefix(program.bytes(program.patternPrefixes[number]))
        else { return false }
        let outcome = context.match(program.patterns[Int(number)], text, allowance: &budget.patterns)
        if outcome == .exceedsLimit {
            exceedsLimit = true
            _ = budget.spend(JSONLimits.steps / 10)
        }
        return outcome == .matches
    }
}
