// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering
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

    /// Compiles Jayway's `/…/flags`, which a whole text has to match; nil if it is broken or has an unknown flag.
    static func jayway(_ pattern: String, flags: String) -> CompiledPattern? {
        RegularExpression.Dialect.jayway(flags: flags).flatMap { CompiledPattern(pattern, $0, .whole) }
    }

    /// Compiles a pattern of RFC 9485 (I-Regexp); nil for a pattern that is broken or goes beyond it by groups or references.
    static func iRegexp(_ pattern: String, scope: RegularExpression.Scope) -> CompiledPattern? {
        guard pattern.utf8.count <= maximumBytes else { return nil }
        return CompiledPattern(
            pattern, scope == .whole ? .iRegexp : .iRegexpAnywhere, scope == .whole ? .whole : .start)
    }

    /// Puts a text to the pattern.
    ///
    /// - Returns: nil if the steps do not suffice.
    func matches(_ text: String, allowance: inout Allowance) -> Bool? {
        switch RegularExpressionMatcher().match(expression, text, allowance: &allowance) {
        case .matches: return true
        case .differs: return false
        case .exceedsLimit:
            allowance.giveUp()
            return nil
        }
    }
}
