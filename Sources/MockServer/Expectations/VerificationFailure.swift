// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Something that a test expected of its requests and that did not come true.
public struct VerificationFailure: Sendable, CustomStringConvertible {
    public enum Kind: String, Sendable {
        case expectation
        case unmatched
    }

    public let kind: Kind
    /// What was expected and what came, in lines.
    public let text: String
    /// Where it was expected; nil for a request that nobody expected.
    public let place: SourcePlace?

    public var description: String { text }
}
