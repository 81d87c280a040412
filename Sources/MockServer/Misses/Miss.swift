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
    /// The path of the target, percent-encoded as it came.
    let path: String
    let content: Content
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
    /// The stubs that ask of a path, a schema or XML what took more steps than it may.
    var exceedingEngines: [Int] = []
    /// Whether the body was not read as JSON for its many values.
    var hasTooManyValues = false

    /// What of a request's content a stub is suggested with.
    struct Content {
        /// Bytes of content that is looked into. 2 KiB.
        static let limit = 2 * 1024

        /// Bytes of all of it.
        let count: Int
        /// Empty where there are more than the limit.
        let bytes: [UInt8]
        /// The value of Content-Type; empty where there is none.
        let mediaType: String
    }

    /// 405 where the target is there for other methods (RFC 9110 §15.5.6); WireMock answers 404 to all that it does not match.
    var status: Int { allowed.isEmpty || fixtures.dialect == .wireMock ? 404 : 405 }
}
