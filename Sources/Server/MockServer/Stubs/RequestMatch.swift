// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
package import MockapiJSONText

/// Which requests are meant: by a stub that is to respond to them, or by an expectation that they come.
///
///     .get("/api/contents").query("page[number]", "2").header("Accept", .contains("json"))
///
/// Anything not stated may have any value: other headers and other query parameters are allowed too.
public struct RequestMatch: Sendable {
    private let method: String?
    private let url: URLMatcher
    private var host: ValueMatch?
    private var pathParameters: [Named] = []
    private var query: [Named] = []
    private var refusesOtherQuery = false
    private var headers: [Named] = []
    private var cookies: [Named] = []
    private var credentials: RequestPattern.BasicCredentials?
    private var bodies: [ValueMatch] = []
    private var port: Int?
    private var scheme: String?
    private var clientIP: ValueMatch?
    private var form: [Named] = []
    private var parts: [PartMatch] = []
    /// The `request` of a stub file as it was written, which then is all there is.
    private var written: JSONNode?

    private typealias Named = RequestPattern.Named<ValueMatch>

    /// - Parameters:
    ///   - method: any token; nil for every method.
    ///   - path: with `{name}` for a segment that may be anything, and `**` for any rest; a query behind it is one `query` for each of its
    ///     parameters.
    public init(_ method: String?, _ path: String) {
        let question = path.firstIndex(of: "?")
        let bare = String(path[..<(question ?? path.endIndex)])
        self.init(method, bare.contains("{") || bare.contains("**") ? .pathTemplate(bare) : .path(bare))
        guard let question else { return }
        query = QueryText.decodedPairs(of: String(path[path.index(after: question)...]))
            .map { Named($0.0, .equalTo($0.1)) }
    }

    /// A matcher written as the `request` of a stub file.
    package init(written node: JSONNode) {
        self.init(nil, .any)
        written = node
    }

    private init(_ method: String?, _ url: URLMatcher) {
        self.method = method
        self.url = url
    }

    /// A GET of a path.
    public static func get(_ path: String) -> RequestMatch { RequestMatch("GET", path) }
    /// A HEAD of a path.
    public static func head(_ path: String) -> RequestMatch { RequestMatch("HEAD", path) }
    /// A POST to a path.
    public static func post(_ path: String) -> RequestMatch { RequestMatch("POST", path) }
    /// A PUT to a path.
    public static func put(_ path: String) -> RequestMatch { RequestMatch("PUT", path) }
    /// A PATCH of a path.
    public static func patch(_ path: String) -> RequestMatch { RequestMatch("PATCH", path) }
    /// A DELETE of a path.
    public static func delete(_ path: String) -> RequestMatch { RequestMatch("DELETE", path) }
    /// Any method at a path.
    public static func any(_ path: String) -> RequestMatch { RequestMatch(nil, path) }

    /// The same requests whatever their bodies; nil if bodies are not looked at.
    var bodiless: RequestMatch? {
        var match = self
        if let object = written?.object {
            let keys = [KeyName.bodyPatterns, .formParameters, .multipartPatterns].map(\.rawValue)
            let members = object.members.filter { !keys.contains($0.name) }
            guard members.count < object.members.count else { return nil }
            match.written = JSONNode(.object(JSONObject(members)))
            return match
        }
        guard !bodies.isEmpty || !form.isEmpty || !parts.isEmpty else { return nil }
        match.bodies = []
        match.form = []
        match.parts = []
        return match
    }

    /// Requests to whatever URL.
    ///
    /// - Parameter method: nil for every method.
    public static func anyURL(_ method: String? = nil) -> RequestMatch { RequestMatch(method, .any) }

    /// Requests with this path and query, byte for byte as they are sent.
    public static func url(_ url: String, method: String? = nil) -> RequestMatch {
        RequestMatch(method, .url(url))
    }

    /// Requests whose path and query, as they are sent, a PCRE2 pattern matches in whole.
    public static func url(matching pattern: String, method: String? = nil) -> RequestMatch {
        RequestMatch(method, .pattern(Pattern(pattern)))
    }

    /// Requests whose path, as it is sent, a PCRE2 pattern matches in whole.
    public static func path(matching pattern: String, method: String? = nil) -> RequestMatch {
        RequestMatch(method, .pathPattern(Pattern(pattern)))
    }

    /// The host without its port, in lower case.
    public func host(_ value: ValueMatch) -> RequestMatch { with { $0.host = value } }

    /// The value of a variable of the path, decoded.
    public func pathParameter(_ name: String, _ value: ValueMatch) -> RequestMatch {
        with { $0.pathParameters.append(.init(name, value)) }
    }

    /// Asks for a header field whose value matches.
    public func header(_ name: String, _ value: ValueMatch) -> RequestMatch {
        with { $0.headers.append(.init(name, value)) }
    }

    /// Asks for a header field with a value.
    @_disfavoredOverload
    public func header(_ name: String, _ value: String) -> RequestMatch { header(name, .equalTo(value)) }

    /// A query parameter by its decoded name and value; a parameter that is given several times has just these values, in any order.
    public func query(_ name: String, _ value: ValueMatch) -> RequestMatch {
        with { $0.query.append(.init(name, value)) }
    }

    /// Asks for a query parameter with a value.
    @_disfavoredOverload
    public func query(_ name: String, _ value: String) -> RequestMatch { query(name, .equalTo(value)) }

    /// No query parameters but those that are said.
    public func noOtherQuery() -> RequestMatch { with { $0.refusesOtherQuery = true } }

    /// Asks for a cookie whose value matches.
    public func cookie(_ name: String, _ value: ValueMatch) -> RequestMatch {
        with { $0.cookies.append(.init(name, value)) }
    }

    /// Asks for a cookie with a value.
    @_disfavoredOverload
    public func cookie(_ name: String, _ value: String) -> RequestMatch { cookie(name, .equalTo(value)) }

    /// The credentials of Basic authentication.
    public func basicAuth(_ username: String, _ password: String) -> RequestMatch {
        with { $0.credentials = .init(username: username, password: password) }
    }

    /// The content; several matchers must all match.
    public func body(_ value: ValueMatch) -> RequestMatch {
        with { $0.bodies.append(value) }
    }

    /// A field of a form (`application/x-www-form-urlencoded`) by its decoded name and value; a field that is given several times has just these
    /// values, in any order.
    public func form(_ name: String, _ value: ValueMatch) -> RequestMatch {
        with { $0.form.append(.init(name, value)) }
    }

    /// Asks for a field of a form with a value.
    @_disfavoredOverload
    public func form(_ name: String, _ value: String) -> RequestMatch { form(name, .equalTo(value)) }

    /// A part of a multipart content.
    public func part(_ part: PartMatch) -> RequestMatch { with { $0.parts.append(part) } }

    /// The port that the request names, else that of its scheme.
    public func port(_ port: Int) -> RequestMatch { with { $0.port = port } }

    /// `http` or `https`.
    public func scheme(_ scheme: String) -> RequestMatch { with { $0.scheme = scheme } }

    /// The first `X-Forwarded-For` line, else the address that the request comes from.
    public func clientIP(_ value: ValueMatch) -> RequestMatch { with { $0.clientIP = value } }

    private func with(_ change: (inout RequestMatch) -> Void) -> RequestMatch {
        var copy = self
        change(&copy)
        return copy
    }
}

extension RequestMatch {
    /// The path with its variables; nil if it has none.
    var template: String? { if case .pathTemplate(let template) = url { template } else { nil } }

    /// The `request` of a stub file.
    package var node: JSONNode {
        if let written { return written }
        var request = StubWriter.request(method: method, url: url)
        Self.add(pathParameters, as: .pathParameters, together: .and, to: &request)
        request.add(.host, host?.node)
        request.add(.port, number: port)
        request.add(.scheme, text: scheme)
        request.add(.clientIp, clientIP?.node)
        Self.add(query, as: .queryParameters, together: .hasExactly, to: &request)
        request.add(.otherQueryParameters, text: refusesOtherQuery ? "refuse" : nil)
        Self.add(headers, as: .headers, together: .hasExactly, to: &request)
        Self.add(cookies, as: .cookies, together: .and, to: &request)
        request.add(.basicAuthCredentials, credentials.map { StubWriter.credentials($0) })
        Self.add(form, as: .formParameters, together: .hasExactly, to: &request)
        for body in bodies { request.append(body.node, to: .bodyPatterns) }
        for part in parts { request.append(part.node, to: .multipartPatterns) }
        return request.node
    }

    /// Adds a member for each name.
    ///
    /// - Parameter together: the key that several values of one name are under.
    private static func add(_ matches: [Named], as key: KeyName, together: KeyName, to request: inout ObjectWriter) {
        // Names are those of the wire: equal if their bytes are.
        var names: [String] = []
        var values: [[UInt8]: [ValueMatch]] = [:]
        for match in matches {
            if values[Array(match.name.utf8)] == nil { names.append(match.name) }
            values[Array(match.name.utf8), default: []].append(match.matcher)
        }
        for name in names {
            let matches = values[Array(name.utf8)] ?? []
            request.add(name, (matches.count == 1 ? matches[0] : .together(together, matches)).node, to: key)
        }
    }
}

extension RequestMatch: CustomStringConvertible {
    /// Bytes of a text that are shown. 200.
    private static let shownText = 200

    /// `GET /api/contents?page[number]=2` and the further conditions, in the words of a stub file; of long texts the beginning and the size.
    public var description: String {
        let node = node
        let method = node[KeyName.method.rawValue]?.string ?? "ANY"
        let target = URLMatcher.keys.lazy.compactMap { key in node[key.rawValue]?.string.map { (key, $0) } }.first
        let place =
            switch target {
            case nil: "any URL"
            case (.urlPattern, let pattern)?, (.urlPathPattern, let pattern)?: "matching \(pattern)"
            case (_, let text)?: text
            }
        let named = Set((URLMatcher.keys + [.method]).map(\.rawValue))
        let rest = (node.object?.members ?? []).filter { !named.contains($0.name) }
        let text = rest.map {
            "\($0.name) \(String(decoding: JSONWriter.compact($0.value.shortened(to: Self.shownText)), as: UTF8.self))"
        }
        return (["\(method) \(place)"] + text).joined(separator: ", ")
    }
}

/// A matcher for a part of multipart content.
///
///     .part("picture").fileName("a.png").header("Content-Type", "image/png")
public struct PartMatch: Sendable, ExpressibleByStringLiteral {
    private let name: String?
    private var asksAll = false
    /// The file names that were asked for: more than one is a finding when the stub is read, as a repeated name is.
    private var fileNames: [String] = []
    private var headers: [RequestPattern.Named<ValueMatch>] = []
    private var bodies: [ValueMatch] = []

    /// - Parameter name: the part's name; nil for any.
    public init(_ name: String? = nil) {
        self.name = name
    }

    public init(stringLiteral value: String) { self.init(value) }

    /// A part of this name.
    public static func part(_ name: String) -> PartMatch { PartMatch(name) }

    /// A matcher that every part has to match, while otherwise one is enough.
    public static func everyPart() -> PartMatch {
        var match = PartMatch()
        match.asksAll = true
        return match
    }

    /// Asks for the name of the part's file.
    public func fileName(_ name: String) -> PartMatch { with { $0.fileNames.append(name) } }

    /// Asks for a header field of the part whose value matches.
    public func header(_ name: String, _ value: ValueMatch) -> PartMatch {
        with { $0.headers.append(.init(name, value)) }
    }

    /// The part's content; several matchers must all match.
    public func body(_ value: ValueMatch) -> PartMatch { with { $0.bodies.append(value) } }

    private func with(_ change: (inout PartMatch) -> Void) -> PartMatch {
        var copy = self
        change(&copy)
        return copy
    }

    /// The part as a stub file has it.
    var node: JSONNode {
        var part = StubWriter.multipart(asksAll: asksAll, name: name)
        for name in fileNames { part.add(.fileName, text: name) }
        for header in headers { part.add(header.name, header.matcher.node, to: .headers) }
        for body in bodies { part.append(body.node, to: .bodyPatterns) }
        return part.node
    }
}
