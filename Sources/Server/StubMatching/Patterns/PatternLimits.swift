// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRegularExpressions

/// Limits on the cost of patterns.
package enum PatternLimits {
    /// How often PCRE2 may try anew within one match; a pattern that needs more does not match and is reported. A match that
    /// runs into it takes a few milliseconds.
    package static let matches: UInt32 = 1_000_000
    /// Up to how many bytes of stack a compiled pattern may use; one that needs more does not match and is reported.
    package static let stack = 1 << 20
    /// How many different patterns are translated to machine code; those beyond run interpreted, at a tenth of the speed.
    package static let compiled = 10_000
}

extension RegularExpressionMatcher {
    /// The one that the patterns of stubs are matched with.
    static func ofStubs() -> RegularExpressionMatcher {
        RegularExpressionMatcher(.init(tries: PatternLimits.matches, stack: PatternLimits.stack))
    }
}
