// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRegularExpressions

/// A regular expression of a path, whose matches are paid for by steps.
struct CompiledPattern: Sendable {
    private let expression: RegularExpression

    /// How many bytes a pattern may have. 4,096.
    static let maximumBytes = 4096

    private init?(_ text: String, _ dialect: RegularExpression.Dialect, _ scope: RegularExpression.Scope) {
        guard text.utf8.count <= RegularExpression.Dialect.maximumBytes else { return nil }
        guard let expression = try? RegularExpression(text, dialect, scope) else { return nil }
        self.expression = expression
    }

    /// Compiles Jayway's `/…/flags`, which a whole text has to match; nil where it is broken or has an unknown flag.
    static func jayway(_ pattern: String, flags: String) -> CompiledPattern? {
        RegularExpression.Dialect.jayway(flags: flags).flatMap { CompiledPattern(pattern, $0, .whole) }
    }

    /// Compiles a pattern of RFC 9485 (I-Regexp); nil for one that is broken or goes beyond it by groups or references.
    static func iRegexp(_ pattern: String, scope: RegularExpression.Scope) -> CompiledPattern? {
        guard pattern.utf8.count <= maximumBytes else { return nil }
        return CompiledPattern(
            pattern, scope == .whole ? .iRegexp : .iRegexpAnywhere, scope == .whole ? .whole : .start)
    }

    /// Steps of a pattern that count as one of a path.
    private static let stepsPerStep = 4

    /// Puts a text to the pattern.
    ///
    /// - Returns: nil where the steps do not suffice.
    func matches(_ text: String, steps: inout Int) -> Bool? {
        let all = PatternWork(steps: max(0, steps) * Self.stepsPerStep)
        var work = all
        let outcome = RegularExpressionMatcher().match(expression, text, work: &work)
        steps -= 1 + work.steps(of: all) / Self.stepsPerStep
        switch outcome {
        case .matches: return steps < 0 ? nil : true
        case .differs: return steps < 0 ? nil : false
        case .exceedsLimit:
            steps = -1
            return nil
        }
    }
}
