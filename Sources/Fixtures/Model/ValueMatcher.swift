// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import JSONText

/// What is asked of one value: of a header, a parameter, a cookie, a host or a body.
///
/// A value that is not there is matched by `absent`, by the negative matchers (not in cookies) and by `not` of what does
/// not match it, as in WireMock.
package indirect enum ValueMatcher: Sendable {
    case equalTo(String, caseInsensitive: Bool)
    case contains(String)
    case doesNotContain(String)
    case matches(Pattern)
    case doesNotMatch(Pattern)
    case absent
    case equalToJSON(JSONNode, ignoreArrayOrder: Bool, ignoreExtraElements: Bool)
    /// Any value, one that is not there too.
    case anything
    /// A number, compared exactly at any size.
    case number(NumberRelation, JSONNumber)
    case dateTime(DateTimePattern)
    /// What a JSON path finds: asked of the matcher, or anything at all.
    case jsonPath(Expression, ValueMatcher?)
    case jsonSchema(SchemaPattern)
    case equalToXML(XMLPattern)
    /// What an XPath finds: asked of the matcher, or anything at all.
    case xPath(Expression, namespaces: [RequestPattern.Named<String>], ValueMatcher?)
    /// A path with variables, as `URLMatcher.pathTemplate` has it.
    case pathTemplate(String)
    case graphQL(GraphQLPattern)
    case and([ValueMatcher])
    case or([ValueMatcher])
    case not(ValueMatcher)
}

/// How a number has to stand to the one that is expected; the raw values are the keys of the fixture format.
package enum NumberRelation: String, CaseIterable, Sendable {
    case equal = "equalToNumber"
    case greater = "greaterThanNumber"
    case greaterOrEqual = "greaterThanEqualNumber"
    case less = "lessThanNumber"
    case lessOrEqual = "lessThanEqualNumber"
}

/// A text in a language of its own as it was written, a JSON path or a date for instance, and where, for findings.
package struct Expression: Hashable, Sendable {
    package var text: String
    package var place: Place

    package init(_ text: String, at place: Place) {
        self.text = text
        self.place = place
    }
}

/// What is asked of a date and time.
package struct DateTimePattern: Sendable {
    /// The raw values are the keys of the fixture format.
    package enum Relation: String, CaseIterable, Sendable {
        case before, after
        case equal = "equalToDateTime"
    }

    package var relation: Relation
    /// A date and time, or `now` with an offset: `now -3 days`.
    package var expected: Expression
    /// The form of the values that are compared; nil for those that are known.
    package var actualFormat: Expression?
    package var offset: Int?
    package var offsetUnit: String?
    package var truncateExpected: Expression?
    package var truncateActual: Expression?
    /// Whether truncation comes behind the offset.
    package var truncatesLast = false

    package init(_ relation: Relation, _ expected: Expression) {
        self.relation = relation
        self.expected = expected
    }
}

/// A JSON Schema that a value has to meet.
package struct SchemaPattern: Sendable {
    package var schema: JSONNode
    /// `V4`, `V6`, `V7`, `V201909` or `V202012`; nil where the file does not say.
    package var version: String?
    package var place: Place

    package init(_ schema: JSONNode, version: String?, at place: Place) {
        self.schema = schema
        self.version = version
        self.place = place
    }
}

/// XML that a value has to equal.
package struct XMLPattern: Sendable {
    package var expected: Expression
    package var enablesPlaceholders = false
    /// The patterns of what placeholders stand between; nil for `${` and `}`.
    package var openingDelimiter: Expression?
    package var closingDelimiter: Expression?
    /// The kinds of differences that do not count, as XMLUnit names them.
    package var exemptedComparisons: [String] = []
    package var ignoresOrderOfSameNode = false
    /// `STRICT`, `LEGACY` or `NONE`; nil where the file does not say.
    package var namespaceAwareness: String?

    package init(_ expected: Expression) { self.expected = expected }
}

/// A GraphQL request (the JSON of GraphQL over HTTP) that a body has to be.
package struct GraphQLPattern: Sendable {
    /// Compared after both are normalised.
    package var query: Expression
    package var operationName: String?
    package var variables: JSONNode?

    package init(_ query: Expression, operationName: String? = nil, variables: JSONNode? = nil) {
        self.query = query
        self.operationName = operationName
        self.variables = variables
    }
}

/// What is asked of all values of one name.
package enum MultiValueMatcher: Sendable {
    /// Some value matches; a missing name is offered to the matcher as an absent value.
    case single(ValueMatcher)
    /// As many values as matchers, each matcher met by some value.
    case hasExactly([ValueMatcher])
    /// Each matcher met by some value.
    case includes([ValueMatcher])
}

/// What is asked of a request's body; an empty body is an absent value.
package enum BodyMatcher: Sendable {
    /// The body as text, UTF-8.
    case value(ValueMatcher)
    case binaryEqualTo([UInt8])
}
