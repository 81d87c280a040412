// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import StubMatching

/// A request that nothing answered, and what was nearest.
struct Miss {
    /// How many near misses are told.
    static let nearestLimit = 3

    let method: String
    let target: String
    let fixtures: FixtureSet
    /// Nearest first.
    let nearest: [NearMiss]
    /// The methods that the target is known under; empty where none is, or where this one is among them.
    let allowed: [String]
    /// The sequences that would have answered, had they a step left.
    var exhausted: [Int] = []
    /// The stubs whose patterns took more steps than they may.
    var exceeding: [Int] = []
    /// The stubs whose JSON took more steps to compare than it may.
    var exceedingComparisons: [Int] = []
    /// Whether the body was not read as JSON for its many values.
    var hasTooManyValues = false

    var status: Int { allowed.isEmpty ? 404 : 405 }
}
