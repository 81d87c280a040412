// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Whether a request is sent or answered by its endpoint's sample.
public enum StubBehavior: Hashable, Sendable {
    /// It is sent.
    case never
    /// It is answered at once.
    case immediate
    /// It is answered after so many seconds; a day at most.
    case delayed(seconds: Double)

    /// In seconds: a day.
    static let longestDelay: Double = 24 * 60 * 60
}
