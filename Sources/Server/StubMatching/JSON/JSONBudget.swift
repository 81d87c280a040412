// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRegularExpressions

/// Limits on the cost of comparing JSON.
package enum JSONLimits {
    /// Steps of one request where a part of the value may be left out or stands for more than itself; a body of more
    /// bytes has as many as those. A comparison that needs more does not match and is reported.
    package static let steps = 200_000
    /// Bytes of a text that is read as JSON; a longer one counts as none.
    static let bytes = 1 << 30
    /// Values of a body that is read as JSON, including those within others: each takes memory, however few its bytes
    /// are. A body that has more is not compared, does not match and is reported.
    package static let values = 500_000
}

/// The steps that are left to compare JSON for one request, and the work that is left for its patterns.
final class JSONBudget {
    private var left = 0
    /// What the patterns of the request may still read, wherever they stand.
    var patternWork = PatternWork(0)
    /// Whether more was asked for than there was.
    private(set) var isSpent = false

    /// - Parameter bytes: the size of the request's body.
    func refill(_ bytes: Int) {
        left = max(JSONLimits.steps, bytes)
        isSpent = false
        patternWork = PatternWork(steps: max(PatternLimits.steps, bytes))
    }

    func spend(_ steps: Int) -> Bool {
        if steps <= left, !isSpent {
            left -= steps
            return true
        }
        isSpent = true
        return false
    }
}
