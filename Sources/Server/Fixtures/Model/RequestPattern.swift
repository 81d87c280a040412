// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The conditions of a stub on a request; every part must match.
package struct RequestPattern: Sendable {
    /// A method token, case-sensitive; nil for any.
    package var method: String?
    package var url: URLMatcher
    /// Everything that is asked beside method and target, in the order of the fixture format: the one list that rank, index, lint and
    /// near misses walk.
    package var conditions: [Condition]

    /// One thing that is asked beside method and target.
    package enum Condition: Sendable {
        /// Asked of the host without its port, in lower case.
        case host(ValueMatcher)
        /// The port that the request names, or that its scheme stands for.
        case port(Int)
        /// `http` or `https`.
        case scheme(String)
        /// Asked of the first `X-Forwarded-For` line, else of the address that the request came from.
        case clientIP(ValueMatcher)
        /// A variable of a `urlPathTemplate`, percent-decoded.
        case pathParameter(Named<ValueMatcher>)
        /// Names and values percent-decoded, `+` as a space; names case-sensitive.
        case queryParameter(Named<MultiValueMatcher>)
        /// A query parameter that no other condition names is a mismatch.
        case onlyNamedQueryParameters
        /// Names in lower case; one value a field line.
        case header(Named<MultiValueMatcher>)
        /// Names case-sensitive.
        case cookie(Named<ValueMatcher>)
        case basicAuth(BasicCredentials)
        /// A field of a body of the type application/x-www-form-urlencoded, decoded as the query is.
        case formParameter(Named<MultiValueMatcher>)
        case body(BodyMatcher)
        case multipart(MultipartPattern)
    }

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
        method: String? = nil, url: URLMatcher = .any, host: ValueMatcher? = nil, port: Int? = nil,
        scheme: String? = nil, clientIP: ValueMatcher? = nil, pathParameters: [Named<ValueMatcher>] = [],
        queryParameters: [Named<MultiValueMatcher>] = [], allowsOtherQueryParameters: Bool = true,
        headers: [Named<MultiValueMatcher>] = [], cookies: [Named<ValueMatcher>] = [],
        basicAuth: BasicCredentials? = nil, formParameters: [Named<MultiValueMatcher>] = [], body: [BodyMatcher] = [],
        multipart: [MultipartPattern] = []
    ) {
        self.method = method
        self.url = url
        var conditions: [Condition] = []
        if let host { conditions.append(.host(host)) }
        if let port { conditions.append(.port(port)) }
        if let scheme { conditions.append(.scheme(scheme)) }
        if let clientIP { conditions.append(.clientIP(clientIP)) }
        conditions += pathParameters.map { .pathParameter($0) }
        conditions += queryParameters.map { .queryParameter($0) }
        if !allowsOtherQueryParameters { conditions.append(.onlyNamedQueryParameters) }
        conditions += headers.map { .header($0) }
        conditions += cookies.map { .cookie($0) }
        if let basicAuth { conditions.append(.basicAuth(basicAuth)) }
        conditions += formParameters.map { .formParameter($0) }
        conditions += body.map { .body($0) }
        conditions += multipart.map { .multipart($0) }
        self.conditions = conditions
    }
}

/// The conditions by their subjects, for code that makes a request of a stub.
extension RequestPattern {
    package var host: ValueMatcher? { first { if case .host(let matcher) = $0 { matcher } else { nil } } }
    package var basicAuth: BasicCredentials? { first { if case .basicAuth(let basic) = $0 { basic } else { nil } } }
    package var pathParameters: [Named<ValueMatcher>] {
        all { if case .pathParameter(let parameter) = $0 { parameter } else { nil } }
    }
    package var queryParameters: [Named<MultiValueMatcher>] {
        all { if case .queryParameter(let parameter) = $0 { parameter } else { nil } }
    }
    package var headers: [Named<MultiValueMatcher>] {
        all { if case .header(let header) = $0 { header } else { nil } }
    }
    package var cookies: [Named<ValueMatcher>] {
        all { if case .cookie(let cookie) = $0 { cookie } else { nil } }
    }
    package var body: [BodyMatcher] { all { if case .body(let matcher) = $0 { matcher } else { nil } } }
    package var allowsOtherQueryParameters: Bool {
        !conditions.contains { if case .onlyNamedQueryParameters = $0 { true } else { false } }
    }

    private func first<Part>(_ part: (Condition) -> Part?) -> Part? { conditions.lazy.compactMap(part).first }
    private func all<Part>(_ part: (Condition) -> Part?) -> [Part] { conditions.compactMap(part) }
}

/// The conditions on the parts of a multipart body (RFC 7578).
package struct MultipartPattern: Sendable {
    /// True: every part has to match; false: one has to.
    package var asksAll: Bool
    /// The `name` of the part's Content-Disposition.
    package var name: String?
    /// The `filename` of the part's Content-Disposition.
    package var fileName: String?
    /// Names in lower case.
    package var headers: [RequestPattern.Named<MultiValueMatcher>]
    /// The matchers of the part's content; missing content is an empty text.
    package var body: [BodyMatcher]

    package init(
        asksAll: Bool = false, name: String? = nil, fileName: String? = nil,
        headers: [RequestPattern.Named<MultiValueMatcher>] = [], body: [BodyMatcher] = []
    ) {
        self.asksAll = asksAll
        self.name = name
        self.fileName = fileName
        self.headers = headers
        self.body = body
    }
}
