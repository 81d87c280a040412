// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A matcher for the value of a header, a query parameter, a cookie or a variable of a path, or for a body.
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
    ///
    /// - Parameter ignoringCase: whether letters match in any case.
    public static func matches(_ pattern: String, ignoringCase: Bool = false) -> ValueMatch {
        ValueMatch([(ignoringCase ? "matchesIgnoringCase" : "matches", .string(pattern))])
    }
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

    /// JSON in which a path finds something: a value that is not null, or a list or object that is not empty.
    public static func matchesJSONPath(_ path: String) -> ValueMatch {
        ValueMatch(.object(["matchesJsonPath": .string(path)]))
    }
    /// JSON in which what a path finds matches; of a list one element.
    public static func matchesJSONPath(_ path: String, _ match: ValueMatch) -> ValueMatch {
        ValueMatch([("matchesJsonPath", found(path, match))])
    }
    /// JSON that meets a JSON Schema.
    ///
    /// - Parameter version: `V4`, `V6`, `V7`, `V201909` or `V202012`, where the schema does not say.
    public static func matchesJSONSchema(_ schema: String, version: String? = nil) -> ValueMatch {
        ValueMatch([("matchesJsonSchema", .string(schema))] + option("schemaVersion", version))
    }

    /// XML that is equal, white space around texts aside.
    ///
    /// - Parameters:
    ///   - placeholders: whether texts such as `${xmlunit.ignore}` stand for more than themselves.
    ///   - delimiters: patterns of what placeholders stand between, in the place of `${` and `}`.
    ///   - exempting: kinds of differences that do not count, as XMLUnit names them, such as `NAMESPACE_PREFIX`.
    ///   - ignoringOrderOfSameNode: whether elements of one name may stand in any order.
    ///   - namespaceAwareness: `STRICT`, `LEGACY` or `NONE`.
    public static func equalToXML(
        _ text: String, placeholders: Bool = false, delimiters: (opening: String, closing: String)? = nil,
        exempting: [String] = [], ignoringOrderOfSameNode: Bool = false, namespaceAwareness: String? = nil
    ) -> ValueMatch {
        var members: [(name: String, value: JSONNode)] = [("equalToXml", .string(text))]
        members += option("enablePlaceholders", placeholders)
        members += option("placeholderOpeningDelimiterRegex", delimiters?.opening)
        members += option("placeholderClosingDelimiterRegex", delimiters?.closing)
        if !exempting.isEmpty { members.append(("exemptedComparisons", .array(exempting.map { .string($0) }))) }
        members += option("ignoreOrderOfSameNode", ignoringOrderOfSameNode)
        return ValueMatch(members + option("namespaceAwareness", namespaceAwareness))
    }

    /// XML in which an XPath finds something, or something that matches.
    ///
    /// - Parameter namespaces: the namespaces of the path's prefixes.
    public static func matchesXPath(
        _ path: String, _ match: ValueMatch? = nil, namespaces: [String: String] = [:]
    ) -> ValueMatch {
        let names = namespaces.sorted { $0.key < $1.key }
            .map { JSONObject.Member(name: $0.key, value: .string($0.value)) }
        let last: [(name: String, value: JSONNode)] =
            names.isEmpty ? [] : [("xPathNamespaces", JSONNode(.object(JSONObject(names))))]
        return ValueMatch([("matchesXPath", match.map { found(path, $0) } ?? .string(path))] + last)
    }

    /// A date and time before another: a date, or `now` with an offset, such as `now +3 days`.
    public static func before(_ date: String, _ options: DateOptions = DateOptions()) -> ValueMatch {
        ValueMatch([("before", .string(date))] + options.members)
    }
    /// A date and time after another.
    public static func after(_ date: String, _ options: DateOptions = DateOptions()) -> ValueMatch {
        ValueMatch([("after", .string(date))] + options.members)
    }
    /// The same moment.
    public static func equalToDateTime(_ date: String, _ options: DateOptions = DateOptions()) -> ValueMatch {
        ValueMatch([("equalToDateTime", .string(date))] + options.members)
    }

    /// How dates are compared.
    public struct DateOptions: Sendable {
        /// The form of the values, as Java's DateTimeFormatter has it, or `unix` or `epoch`.
        public var format: String?
        /// The offset added to the date that values are compared with: 3 and `days`.
        public var offset: (amount: Int, unit: String)?
        /// The truncation of the date that values are compared with, such as `first day of month`.
        public var truncateExpected: String?
        /// The truncation of the values.
        public var truncateActual: String?
        /// Whether the date is cut after the offset is added.
        public var truncatesLast = false

        public init(
            format: String? = nil, offset: (amount: Int, unit: String)? = nil, truncateExpected: String? = nil,
            truncateActual: String? = nil, truncatesLast: Bool = false
        ) {
            self.format = format
            self.offset = offset
            self.truncateExpected = truncateExpected
            self.truncateActual = truncateActual
            self.truncatesLast = truncatesLast
        }

        fileprivate var members: [(name: String, value: JSONNode)] {
            var members = ValueMatch.option("actualFormat", format)
            if let offset {
                members.append(("expectedOffset", .integer(offset.amount)))
                members.append(("expectedOffsetUnit", .string(offset.unit)))
            }
            members += ValueMatch.option("truncateExpected", truncateExpected)
            members += ValueMatch.option("truncateActual", truncateActual)
            return members + ValueMatch.option("applyTruncationLast", truncatesLast)
        }
    }

    /// A number of this value, `1.0` and `1` alike.
    public static func equalTo(number: Double) -> ValueMatch { ValueMatch([("equalToNumber", literal(number))]) }
    public static func greaterThan(_ number: Double) -> ValueMatch {
        ValueMatch([("greaterThanNumber", literal(number))])
    }
    public static func atLeast(_ number: Double) -> ValueMatch {
        ValueMatch([("greaterThanEqualNumber", literal(number))])
    }
    public static func lessThan(_ number: Double) -> ValueMatch { ValueMatch([("lessThanNumber", literal(number))]) }
    public static func atMost(_ number: Double) -> ValueMatch {
        ValueMatch([("lessThanEqualNumber", literal(number))])
    }

    /// A path with variables, `/articles/{id}`, that the value fits.
    public static func matchesPathTemplate(_ template: String) -> ValueMatch {
        ValueMatch([("matchesPathTemplate", .string(template))])
    }

    /// For a body: a GraphQL request with this query, however it is written.
    ///
    /// - Parameter variables: JSON; nil where they do not count.
    public static func graphQL(_ query: String, operationName: String? = nil, variables: String? = nil) -> ValueMatch {
        let node = variables.flatMap { try? JSONParser.parse($0) }
        let last: [(name: String, value: JSONNode)] = node.map { [("variables", $0)] } ?? []
        return ValueMatch([("graphqlQuery", .string(query))] + option("operationName", operationName) + last)
    }

    /// Any value, and none.
    public static var anything: ValueMatch { ValueMatch([("anything", .string("anything"))]) }
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

    private static func found(_ path: String, _ match: ValueMatch) -> JSONNode {
        let members = [JSONObject.Member(name: "expression", value: .string(path))]
        return JSONNode(.object(JSONObject(members + (match.node.object?.members ?? []))))
    }

    private static func literal(_ number: Double) -> JSONNode {
        JSONNode(.number(JSONNumber(literal: number.isFinite ? "\(number)" : "0")))
    }

    fileprivate static func option(_ name: String, _ text: String?) -> [(name: String, value: JSONNode)] {
        text.map { [(name, .string($0))] } ?? []
    }

    fileprivate static func option(_ name: String, _ isOn: Bool) -> [(name: String, value: JSONNode)] {
        isOn ? [(name, .bool(true))] : []
    }
}
