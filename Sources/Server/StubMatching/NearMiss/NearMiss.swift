// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A stub or plain file that nearly matched a request.
package struct NearMiss: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        /// The stub at a place in the set.
        case stub(Int)
        /// The plain file at a place in the set.
        case file(Int)
    }

    package var subject: Subject
    /// The file to name.
    package var path: String
    /// How much would have to change; 0 for a stub that matches in full, such as a sequence at its end.
    package var distance: Double
    /// Every part that differs, in the order of the fixture format.
    package var differences: [Difference]

    package init(subject: Subject, path: String, distance: Double, differences: [Difference]) {
        self.subject = subject
        self.path = path
        self.distance = distance
        self.differences = differences
    }
}
