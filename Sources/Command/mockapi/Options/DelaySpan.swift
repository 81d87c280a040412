// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// A delay on the command line: `200ms`, or `100ms..400ms` for a delay that is drawn uniformly from this range, both ends included.
struct DelaySpan {
    let delay: ResponseDelay

    @Sendable static func parse(_ argument: String) throws -> DelaySpan {
        var delay = ResponseDelay()
        // The times may have a dot of their own: 0.1s..0.4s.
        let ends = argument.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false)
        if ends.count == 2 {
            let (lower, upper) = (try milliseconds(ends[0]), try milliseconds(ends[1]))
            guard lower <= upper else {
                throw ValueFailure(description: "the first time of a delay is the shorter one")
            }
            delay.distribution = .uniform(lower: lower, upper: upper)
        } else {
            delay.fixedMilliseconds = try milliseconds(ends[0])
        }
        return DelaySpan(delay: delay)
    }

    private static func milliseconds(_ text: Substring) throws -> Int {
        guard let milliseconds = TimeText.milliseconds(String(text)), milliseconds <= ResponseDelay.longest else {
            throw ValueFailure(
                description:
                    "a delay is a time such as 200ms or 1.5s, a day at most, or two of these, as in 100ms..400ms")
        }
        return Int(milliseconds)
    }
}
