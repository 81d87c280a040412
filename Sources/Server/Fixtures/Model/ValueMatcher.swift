// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// A condition on one value: a header field, a parameter, a cookie, a host or a body.
///
/// A value that is not there is matched by `absent`, by the negative matchers (not in cookies) and by `not` of a matcher that does
/// not match it, as in WireMock.
package indirect enum ValueMatcher: Sendable {
    case equalTo(String, caseInsensitive: Bool)
    case contains(String)
    case doesNotContain(String)
    case matches(Pattern)
    case doesNotMatch(Pattern)
    case absent
    case equalToJSON(JSONNode, ignoreArrayOrder: Bool, ignoreExtraElements: Bool)
    /// Any value, and a missing one.
    case anything
    /// A matcher that has a type of its own.
    case leaf(any LeafMatcher)
    /// The result of a JSON path: matched by the matcher, or anything at all.
    case jsonPath(Expression, ValueMatcher?)
    /// The result of an XPath: matched by the matcher, or anything at all.
    case xPath(Expression, namespaces: [RequestPattern.Named<String>], ValueMatcher?)
    case graphQL(GraphQLPattern)
    case and([ValueMatcher])
    case or([ValueMatcher])
    case not(ValueMatcher)
}

/// A text in a language of its own as it was written, a JSON path or a date for instance, and its place, for findings.
package struct Expression: Hashable, Sendable {
    package var text: String
    package var place: Place

    package init(_ text: String, at place: Place) {
        self.text = text
        self.place = place
    }

    /// One that stands in no file.
    package init(_ text: String) {
        self.init(text, at: .nowhere)
    }
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

/// A condition on all values of one name.
package enum MultiValueMatcher: Sendable {
    /// Some value matches; a missing name is offered to the matcher as an absent value.
    case single(ValueMatcher)
    /// As many values as matchers, each matcher met by some value.
    case hasExactly([ValueMatcher])
    /// Each matcher met by some value.
    case includes([ValueMatcher])

    /// The same with each matcher replaced.
    package func map(_ replaced: (ValueMatcher) -> ValueMatcher) -> MultiValueMatcher {
        switch self {
        case .single(let matcher): .single(replaced(matcher))
        case .hasExactly(let matchers): .hasExactly(matchers.map(replaced))
        case .includes(let matchers): .includes(matchers.map(replaced))
        }
    }
}

/// A condition on a request's body; an empty body is an absent value.
package indirect enum BodyMatcher: Sendable {
    /// The body as text, UTF-8.
    case value(ValueMatcher)
    case binaryEqualTo([UInt8])
    /// A matcher whose expected value stands in a file, named as the stub writes it.
    case file(String, BodyMatcher)
}

extension BodyMatcher {
    /// The matcher with its expected value at hand, wherever that stands.
    package var compared: BodyMatcher { if case .file(_, let matcher) = self { matcher } else { self } }

    /// JSON that is equal, elements and members and all.
    package static func equalToJSON(_ expected: JSONNode) -> BodyMatcher {
        .value(.equalToJSON(expected, ignoreArrayOrder: false, ignoreExtraElements: false))
    }
}
