// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the value of a header, a query parameter, a cookie or a variable of a path, or a body, has to be.
///
/// A string stands for one that is equal to it.
public struct ValueMatch: Sendable, ExpressibleByStringInterpolation {
    /// The matcher as a stub file writes it.
    let node: JSONNode

    init(_ node: JSONNode) {
        self.node = node
    }

    private init(_ members: [(name: String, value: JSONNode)]) {
        node = JSONNode(.object(JSONObject(members.map { .init(name: $0.name, value: $0.value) })))
    }

    public init(stringLiteral value: String) {
        self = .equalTo(value)
    }

    /// - Parameter ignoringCase: whether letters match in any case.
    public static func equalTo(_ value: String, ignoringCase: Bool = false) -> ValueMatch {
        ValueMatch([("equalTo", .string(value))] + option("caseInsensitive", ignoringCase))
    }

    public static func contains(_ value: String) -> ValueMatch { ValueMatch(.object(["contains": .string(value)])) }
    /// No part of the value; a header or query parameter that is not there matches.
    public static func doesNotContain(_ value: String) -> ValueMatch {
        ValueMatch(.object(["doesNotContain": .string(value)]))
    }
    /// A PCRE2 pattern for the whole value.
    public static func matches(_ pattern: String) -> ValueMatch { ValueMatch(.object(["matches": .string(pattern)])) }
    /// A PCRE2 pattern that the whole value does not match; a header or query parameter that is not there matches.
    public static func doesNotMatch(_ pattern: String) -> ValueMatch {
        ValueMatch(.object(["doesNotMatch": .string(pattern)]))
    }

    /// JSON that is equal, numbers by value, the order of members aside; strings in it may be placeholders.
    ///
    /// - Parameters:
    ///   - ignoringArrayOrder: whether elements of arrays may stand in any order.
    ///   - ignoringExtraElements: whether objects may have further members.
    public static func equalToJSON(
        _ text: String, ignoringArrayOrder: Bool = false, ignoringExtraElements: Bool = false
    ) -> ValueMatch {
        ValueMatch(
            [("equalToJson", .string(text))] + option("ignoreArrayOrder", ignoringArrayOrder)
                + option("ignoreExtraElements", ignoringExtraElements))
    }

    /// The value is there, whatever it is.
    public static var present: ValueMatch { .matches("[\\s\\S]*") }
    public static var absent: ValueMatch { ValueMatch(.object(["absent": .bool(true)])) }

    /// A value that all of these match.
    public static func all(of matches: ValueMatch...) -> ValueMatch { ValueMatch([("and", list(matches))]) }
    /// A value that one of these matches.
    public static func any(of matches: ValueMatch...) -> ValueMatch { ValueMatch([("or", list(matches))]) }
    public static func not(_ match: ValueMatch) -> ValueMatch { ValueMatch([("not", match.node)]) }

    /// For a header or a query parameter that is repeated: as many values as matches, each match met by some value.
    public static func hasExactly(_ matches: ValueMatch...) -> ValueMatch {
        ValueMatch([("hasExactly", list(matches))])
    }
    /// For a header or a query parameter that is repeated: each match is met by some value.
    public static func includes(_ matches: ValueMatch...) -> ValueMatch { ValueMatch([("includes", list(matches))]) }

    /// For a body: just these bytes.
    public static func equalTo(bytes: some Sequence<UInt8>) -> ValueMatch {
        ValueMatch([("binaryEqualTo", .string(Data(bytes).base64EncodedString()))])
    }

    static func list(_ matches: [ValueMatch]) -> JSONNode { .array(matches.map(\.node)) }

    private static func option(_ name: String, _ isOn: Bool) -> [(name: String, value: JSONNode)] {
        isOn ? [(name, .bool(true))] : []
    }
}
