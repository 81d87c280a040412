// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How long a response waits, and in which pieces its body comes.
package struct ResponseDelay: Equatable, Sendable {
    /// The distribution that a random delay is drawn from; milliseconds.
    package enum Distribution: Equatable, Sendable {
        case fixed(Int)
        /// Every whole number from the first to the second is as likely.
        case uniform(lower: Int, upper: Int)
        /// `exp(z · sigma) · median`, rounded, with z of the normal distribution; at most `maximum`.
        case lognormal(median: Double, sigma: Double, maximum: Double?)
    }

    /// The body in equal parts over a time.
    package struct Dribble: Equatable, Sendable {
        package var chunks: Int
        package var milliseconds: Int

        package init(chunks: Int, milliseconds: Int) {
            self.chunks = chunks
            self.milliseconds = milliseconds
        }
    }

    /// A day in milliseconds: longer delays are mistakes.
    package static let longest = 86_400_000

    /// A delay that can be: from 0 to the longest.
    package static func clamped(_ milliseconds: Int) -> Int { min(max(0, milliseconds), longest) }

    /// Before the first byte; added to the drawn delay.
    package var fixedMilliseconds = 0
    package var distribution: Distribution?
    package var dribble: Dribble?

    package init() {}

    package var isNone: Bool { fixedMilliseconds == 0 && distribution == nil && dribble == nil }
}
