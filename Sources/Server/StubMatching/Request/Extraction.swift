// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The parts that were looked up in a value.
struct Extraction: Sendable {
    /// The texts of the found values; a matcher is tried on one after the other.
    var texts: [[UInt8]] = []
    /// All that was found as JSON, for a matcher that compares JSON.
    var json: [UInt8]?
    /// Whether it counts as found if there is no further condition.
    var isPresent = false
    /// Why nothing can be found: ", which is not JSON".
    var problem: String?
    var isGivenUp = false
    /// The bytes of its texts that count as made for the request.
    var made = 0

    static let givenUp = Extraction(isGivenUp: true)
}
