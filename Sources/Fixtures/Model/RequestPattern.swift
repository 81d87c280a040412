// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What a stub asks of a request; every part must match.
package struct RequestPattern: Sendable {
    /// A method token, case-sensitive; nil for any.
    package var method: String?
    package var url: URLMatcher
    /// Asked of the host without its port, in lower case.
    package var host: ValueMatcher?
    /// The variables of a `urlPathTemplate`, percent-decoded.
    package var pathParameters: [Named<ValueMatcher>]
    /// Names and values percent-decoded, `+` as a space; names case-sensitive.
    package var queryParameters: [Named<MultiValueMatcher>]
    /// False: a query parameter that `queryParameters` does not name is a mismatch.
    package var allowsOtherQueryParameters: Bool
    /// Names in lower case; one value a field line.
    package var headers: [Named<MultiValueMatcher>]
    /// Names case-sensitive.
    package var cookies: [Named<ValueMatcher>]
    package var basicAuth: BasicCredentials?
    package var body: [BodyMatcher]

    package struct BasicCredentials: Hashable, Sendable {
        package var username: String
        package var password: String

        package init(username: String, password: String) {
            self.username = username
            self.password = password
        }
    }

    /// A matcher of a named value, in the order of the file.
    package struct Named<Matcher: Sendable>: Sendable {
        package var name: String
        package var matcher: Matcher

        package init(_ name: String, _ matcher: Matcher) {
            self.name = name
            self.matcher = matcher
        }
    }

    package init(
        method: String? = nil, url: URLMatcher = .any, host: ValueMatcher? = nil,
        pathParameters: [Named<ValueMatcher>] = [], queryParameters: [Named<MultiValueMatcher>] = [],
        allowsOtherQueryParameters: Bool = true, headers: [Named<MultiValueMatcher>] = [],
        cookies: [Named<ValueMatcher>] = [], basicAuth: BasicCredentials? = nil, body: [BodyMatcher] = []
    ) {
        self.method = method
        self.url = url
        self.host = host
        self.pathParameters = pathParameters
        self.queryParameters = queryParameters
        self.allowsOtherQueryParameters = allowsOtherQueryParameters
        self.headers = headers
        self.cookies = cookies
        self.basicAuth = basicAuth
        self.body = body
    }
}
