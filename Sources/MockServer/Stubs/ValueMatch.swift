// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

/// What the value of a header or a query parameter, or a body, has to be.
///
/// A string stands for one that is equal to it.
public struct ValueMatch: Sendable, ExpressibleByStringInterpolation {
    /// The matcher as a stub file writes it.
    let node: JSONNode

    init(_ node: JSONNode) {
        self.node = node
    }

    public init(stringLiteral value: String) {
        self = .equalTo(value)
    }

    public static func equalTo(_ value: String) -> ValueMatch { ValueMatch(.object(["equalTo": .string(value)])) }
    public static func contains(_ value: String) -> ValueMatch { ValueMatch(.object(["contains": .string(value)])) }
    /// A PCRE2 pattern for the whole value.
    public static func matches(_ pattern: String) -> ValueMatch { ValueMatch(.object(["matches": .string(pattern)])) }
    /// JSON that is equal, numbers by value, the order of members aside.
    public static func equalToJSON(_ text: String) -> ValueMatch {
        ValueMatch(.object(["equalToJson": .string(text)]))
    }
    /// The value is there, whatever it is.
    public static var present: ValueMatch { .matches("[\\s\\S]*") }
    public static var absent: ValueMatch { ValueMatch(.object(["absent": .bool(true)])) }
}
