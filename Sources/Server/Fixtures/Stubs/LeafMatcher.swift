// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A matcher of one value that is there, in a type of its own; StubMatching says how it is compiled.
///
/// A new matcher is such a type with its `LeafKind`, which reads its written form, and its tester in StubMatching.
package protocol LeafMatcher: Sendable {
    /// The operator of the fixture format.
    var key: String { get }
    /// The expected value, as a miss shows it.
    var operand: LeafOperand { get }
    /// The texts that two matchers share which ask the same, beside their operators.
    var identity: [String] { get }
    /// The only value that matches, in one spelling; nil if several do.
    var only: String? { get }
    /// Writes the operator, and behind it the options that are not as they are if they are left out.
    func write(to object: inout ObjectWriter)
}

extension LeafMatcher {
    package var only: String? { nil }
}

/// The expectation of a matcher, in a form that a miss can show.
package enum LeafOperand: Sendable {
    /// A text, which is put between quotes.
    case text(String, note: String = "")
    /// A number or JSON, as it is.
    case plain(String)
}
