// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures

/// Runs the patterns that stand in expected JSON, during one request.
final class JSONPatterns {
    private let program: Program
    private let context: PatternContext
    /// Whether a pattern was given up; it counts as not matching.
    private(set) var exceedsLimit = false

    /// Nil where there is no such pattern.
    init?(_ program: Program, _ context: PatternContext) {
        if program.jsonPatterns.isEmpty { return nil }
        self.program = program
        self.context = context
    }

    func matches(_ text: String, _ pattern: String) -> Bool {
        guard let number = program.jsonPatterns[pattern] else { return false }
        var text = text
        return text.withUTF8 { text in
            guard text.hasPrefix(program.bytes(program.patternPrefixes[number])) else { return false }
            let outcome = context.match(program.patterns[number], text)
            if outcome == .exceedsLimit { exceedsLimit = true }
            return outcome == .matches
        }
    }
}
