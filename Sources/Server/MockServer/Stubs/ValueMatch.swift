// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// A matcher for the value of a header, a query parameter, a cookie or a variable of a path, or for a body.
///
/// A string stands for an equal value.
public struct ValueMatch: Sendable, ExpressibleByStringInterpolation {
    /// The matcher as a stub file has it.
    ///
    /// Code can ask for things that no stub can, such as a text that is not JSON, or a whole list inside of `not`: it comes to the reader as
    /// it was said, and is a finding there.
    let node: JSONNode

    private init(_ node: JSONNode) {
        self.node = node
    }

    private init(_ matcher: ValueMatcher) {
        self.init(StubWriter.matcher(matcher))
    }

    public init(stringLiteral value: String) {
        self = .equalTo(value)
    }

    /// - Parameter ignoringCase: whether letters match in any case.
    public static func equalTo(_ value: String, ignoringCase: Bool = false) -> ValueMatch {
        ValueMatch(.equalTo(value, caseInsensitive: ignoringCase))
    }

    /// A text that contains this one.
    public static func contains(_ value: String) -> ValueMatch { ValueMatch(.contains(value)) }
    /// No part of the value; a header or query parameter that is not there matches.
    public static func doesNotContain(_ value: String) -> ValueMatch { ValueMatch(.doesNotContain(value)) }
    /// A PCRE2 pattern for the whole value.
    ///
    /// - Parameter ignoringCase: whether letters match in any case.
    public static func matches(_ pattern: String, ignoringCase: Bool = false) -> ValueMatch {
        let pattern = Pattern(pattern)
        return ValueMatch(ignoringCase ? .leaf(CaselessPattern(pattern)) : .matches(pattern))
    }
    /// The SHA-256 of the value's bytes, in 64 hexadecimal digits.
    public static func sha256(_ digest: String) -> ValueMatch { ValueMatch(.leaf(DigestPattern(digest))) }
    /// A PCRE2 pattern that the whole value does not match; a header or query parameter that is not there matches.
    public static func doesNotMatch(_ pattern: String) -> ValueMatch { ValueMatch(.doesNotMatch(Pattern(pattern))) }

    /// JSON that is equal, numbers by value, the order of members aside; strings in it may be placeholders.
    ///
    /// - Parameters:
    ///   - ignoringArrayOrder: whether elements of arrays may stand in any order.
    ///   - ignoringExtraElements: whether objects may have further members.
    public static func equalToJSON(
        _ text: String, ignoringArrayOrder: Bool = false, ignoringExtraElements: Bool = false
    ) -> ValueMatch {
        ValueMatch(
            StubWriter.equalToJSON(
                .string(text), ignoreArrayOrder: ignoringArrayOrder, ignoreExtraElements: ignoringExtraElements))
    }

    /// JSON in which a path finds something: a value that is not null, or a list or object that is not empty.
    public static func matchesJSONPath(_ path: String) -> ValueMatch { ValueMatch(.jsonPath(Expression(path), nil)) }
    /// JSON in which the value at a path matches; of a list one element.
    public static func matchesJSONPath(_ path: String, _ match: ValueMatch) -> ValueMatch {
        ValueMatch(StubWriter.jsonPath(path, match.node))
    }
    /// JSON that meets a JSON Schema.
    ///
    /// - Parameter version: `V4`, `V6`, `V7`, `V201909` or `V202012`, if the schema does not say.
    public static func matchesJSONSchema(_ schema: String, version: String? = nil) -> ValueMatch {
        ValueMatch(StubWriter.jsonSchema(.string(schema), version: version))
    }

    /// XML that is equal, white space around texts aside.
    ///
    /// - Parameters:
    ///   - placeholders: whether texts such as `${xmlunit.ignore}` are placeholders.
    ///   - delimiters: patterns of the delimiters of placeholders, in the place of `${` and `}`.
    ///   - exempting: kinds of differences that do not count, as XMLUnit names them, such as `NAMESPACE_PREFIX`.
    ///   - ignoringOrderOfSameNode: whether elements of one name may stand in any order.
    ///   - namespaceAwareness: `STRICT`, `LEGACY` or `NONE`.
    public static func equalToXML(
        _ text: String, placeholders: Bool = false, delimiters: (opening: String, closing: String)? = nil,
        exempting: [String] = [], ignoringOrderOfSameNode: Bool = false, namespaceAwareness: String? = nil
    ) -> ValueMatch {
        var pattern = XMLPattern(Expression(text))
        pattern.enablesPlaceholders = placeholders
        pattern.openingDelimiter = delimiters.map { Expression($0.opening) }
        pattern.closingDelimiter = delimiters.map { Expression($0.closing) }
        pattern.exemptedComparisons = exempting
        pattern.ignoresOrderOfSameNode = ignoringOrderOfSameNode
        pattern.namespaceAwareness = namespaceAwareness
        return ValueMatch(.leaf(pattern))
    }

    /// XML in which an XPath finds something, or something that matches.
    ///
    /// - Parameter namespaces: the namespaces of the path's prefixes.
    public static func matchesXPath(
        _ path: String, _ match: ValueMatch? = nil, namespaces: [String: String] = [:]
    ) -> ValueMatch {
        let names = namespaces.sorted { $0.key < $1.key }.map { RequestPattern.Named($0.key, $0.value) }
        return ValueMatch(StubWriter.xPath(path, namespaces: names, match?.node))
    }

    /// A date and time before another: a date, or `now` with an offset, such as `now +3 days`.
    public static func before(_ date: String, _ options: DateOptions = DateOptions()) -> ValueMatch {
        options.match(.before, date)
    }
    /// A date and time after another.
    public static func after(_ date: String, _ options: DateOptions = DateOptions()) -> ValueMatch {
        options.match(.after, date)
    }
    /// The same moment.
    public static func equalToDateTime(_ date: String, _ options: DateOptions = DateOptions()) -> ValueMatch {
        options.match(.equal, date)
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

        /// Makes options of a date.
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

        fileprivate func match(_ relation: DateTimePattern.Relation, _ date: String) -> ValueMatch {
            var pattern = DateTimePattern(relation, Expression(date))
            pattern.actualFormat = format.map { Expression($0) }
            pattern.offset = offset?.amount
            pattern.offsetUnit = offset?.unit
            pattern.truncateExpected = truncateExpected.map { Expression($0) }
            pattern.truncateActual = truncateActual.map { Expression($0) }
            pattern.truncatesLast = truncatesLast
            return ValueMatch(.leaf(pattern))
        }
    }

    /// A number of this value, `1.0` and `1` alike.
    public static func equalTo(number: Double) -> ValueMatch { compared(.equal, number) }
    /// A number that is greater.
    public static func greaterThan(_ number: Double) -> ValueMatch { compared(.greater, number) }
    /// A number that is as great or greater.
    public static func atLeast(_ number: Double) -> ValueMatch { compared(.greaterOrEqual, number) }
    /// A number that is less.
    public static func lessThan(_ number: Double) -> ValueMatch { compared(.less, number) }
    /// A number that is as small or smaller.
    public static func atMost(_ number: Double) -> ValueMatch { compared(.lessOrEqual, number) }

    private static func compared(_ relation: NumberPattern.Relation, _ number: Double) -> ValueMatch {
        // JSON has no number for a value that is not finite: the reader gets the word, and says so.
        guard number.isFinite else {
            let operand = JSONObject.Member(name: relation.rawValue, value: .string("\(number)"))
            return ValueMatch(JSONNode(.object(JSONObject([operand]))))
        }
        return ValueMatch(.leaf(NumberPattern(relation, JSONNumber(literal: "\(number)"))))
    }

    /// A path with variables, `/articles/{id}`, that the value fits.
    public static func matchesPathTemplate(_ template: String) -> ValueMatch {
        ValueMatch(.leaf(PathTemplatePattern(template)))
    }

    /// For a body: a GraphQL request with this query, however it is written.
    ///
    /// - Parameter variables: a JSON object; nil if they do not count.
    public static func graphQL(_ query: String, operationName: String? = nil, variables: String? = nil) -> ValueMatch {
        let variables = variables.map { text in (try? JSONParser.parse(text)) ?? .string(text) }
        return ValueMatch(
            .graphQL(GraphQLPattern(Expression(query), operationName: operationName, variables: variables)))
    }

    /// Any value, and none.
    public static var anything: ValueMatch { ValueMatch(.anything) }
    /// The value is there, whatever it is.
    public static var present: ValueMatch { .matches("[\\s\\S]*") }
    /// Nothing: no such field or parameter.
    public static var absent: ValueMatch { ValueMatch(.absent) }

    /// A value that all of these match.
    public static func all(of matches: ValueMatch...) -> ValueMatch { .together(.and, matches) }
    /// A value that one of these matches.
    public static func any(of matches: ValueMatch...) -> ValueMatch { .together(.or, matches) }
    /// Values that do not match.
    public static func not(_ match: ValueMatch) -> ValueMatch { ValueMatch(StubWriter.not(match.node)) }

    /// For a header or a query parameter that is repeated: as many values as matches, each match met by some value.
    public static func hasExactly(_ matches: ValueMatch...) -> ValueMatch { .together(.hasExactly, matches) }
    /// For a header or a query parameter that is repeated: each match is met by some value.
    public static func includes(_ matches: ValueMatch...) -> ValueMatch { .together(.includes, matches) }

    /// For a body: just these bytes.
    public static func equalTo(bytes: some Sequence<UInt8>) -> ValueMatch {
        ValueMatch(StubWriter.matcher(.binaryEqualTo(Array(bytes))))
    }

    /// One match of several, under a key that takes a list.
    static func together(_ key: KeyName, _ matches: [ValueMatch]) -> ValueMatch {
        ValueMatch(StubWriter.matcher(key, of: matches.map(\.node)))
    }
}
