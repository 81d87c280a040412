// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRegularExpressions

/// Limits on the cost of patterns.
package enum PatternLimits {
    /// Steps of all patterns of one request; every 16 bytes that a pattern reads are one more. A body of more bytes has as many steps as
    /// those. A pattern that needs more does not match and is reported. 1,000,000.
    package static let steps = 1_000_000
    /// Up to how many bytes of stack a compiled pattern may use; a pattern that needs more does not match and is reported.
    package static let stack = 1 << 20
    /// How many different patterns are translated to machine code; those beyond run interpreted, at a tenth of the speed.
    package static let compiled = 10_000
}

extension RegularExpressionMatcher {
    /// The matcher of stubs' patterns.
    static func ofStubs() -> RegularExpressionMatcher {
        RegularExpressionMatcher(stack: PatternLimits.stack)
    }
}
