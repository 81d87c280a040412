// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Something that a test expected of its requests and that did not come true.
public struct VerificationFailure: Sendable, CustomStringConvertible {
    /// The kind of deviation.
    public enum Kind: String, Sendable {
        /// An expectation did not come true.
        case expectation
        /// No stub matched a request.
        case unmatched
        /// A message was refused before it was matched.
        case refused
        /// A fixture matched, and had no usable response.
        case unanswered
        /// No request came at all.
        case unasked
        /// A stub that had to be used was not.
        case unused
        /// A recording is too old.
        case expired
        /// A response of a live service was not recorded, or did not come.
        case recording
        /// The fixtures or the stubs are odd.
        case fixtures
    }

    /// The kind of deviation.
    public let kind: Kind
    /// The expectation and the requests that came instead, in lines.
    public private(set) var text: String
    /// Where it was expected; nil for a request that nobody expected.
    public let callSite: CallSite?
    /// Whether it does not fail the test.
    public let isWarning: Bool
    /// Whether it was reported to the test when it happened.
    package private(set) var isTold = false

    package init(kind: Kind, text: String, callSite: CallSite?, isWarning: Bool = false) {
        self.kind = kind
        self.text = text
        self.callSite = callSite
        self.isWarning = isWarning
    }

    func told(_ isTold: Bool) -> VerificationFailure {
        var copy = self
        copy.isTold = isTold
        return copy
    }

    /// The same failure, and a line more.
    package func adding(_ line: String) -> VerificationFailure {
        var copy = self
        copy.text += "\n" + line
        return copy
    }

    public var description: String { text }
}
