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

    /// The tries that the first attempt may take; each further attempt may take ten times as many.
    private static let firstTries: UInt32 = 1000
    private static let mostTries: UInt32 = 1_000_000
    /// Tries of PCRE2 that count as one step.
    private static let triesPerStep: UInt32 = 50

    /// Puts a text to the pattern.
    ///
    /// - Returns: nil where the steps do not suffice, or the pattern takes more than a million tries.
    func matches(_ text: String, steps: inout Int) -> Bool? {
        let matcher = RegularExpressionMatcher(.init())
        var tries = Self.firstTries
        while true {
            steps -= Int(tries / Self.triesPerStep) + text.utf8.count / 64
            if steps < 0 { return nil }
            matcher.limit(tries: tries)
            switch matcher.match(expression, text) {
            case .matches: return true
            case .differs: return false
            case .exceedsLimit: if tries >= Self.mostTries { return nil }
            }
            tries *= 10
        }
    }
}
