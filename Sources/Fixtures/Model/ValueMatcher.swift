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
    case and([ValueMatcher])
    case or([ValueMatcher])
    case not(ValueMatcher)
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
