// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPSyntax
package import JSONText

/// Which requests are meant: by a stub that is to answer them, or by an expectation that they come.
///
///     .get("/api/contents").query("page[number]", "2").header("Accept", .contains("json"))
///
/// Anything not stated may have any value: other headers and other query parameters are allowed too.
public struct RequestMatch: Sendable {
    /// The matcher of the target: the key of the fixture format, and its value.
    private enum Target: Sendable {
        case any
        case key(String, String)
    }

    private let method: String?
    private let target: Target
    private var host: ValueMatch?
    private var pathParameters: [(name: String, value: ValueMatch)] = []
    private var query: [(name: String, value: ValueMatch)] = []
    private var refusesOtherQuery = false
    private var headers: [(name: String, value: ValueMatch)] = []
    private var cookies: [(name: String, value: ValueMatch)] = []
    private var credentials: (username: String, password: String)?
    private var bodies: [ValueMatch] = []
    private var port: Int?
    private var scheme: String?
    private var clientIP: ValueMatch?
    private var form: [(name: String, value: ValueMatch)] = []
    private var parts: [PartMatch] = []
    /// The `request` of a stub file as it was written, which then is all there is.
    private var written: JSONNode?

    /// - Parameters:
    ///   - method: any token; nil for every method.
    ///   - path: with `{name}` for a segment that may be anything, and `**` for any rest; a query behind it is one `query` for each of its
    ///     parameters.
    public init(_ method: String?, _ path: String) {
        let question = path.firstIndex(of: "?")
        let bare = String(path[..<(question ?? path.endIndex)])
        self.init(method, .key(bare.contains("{") || bare.contains("**") ? "urlPathTemplate" : "urlPath", bare))
        guard let question else { return }
        query = QueryText.decodedPairs(of: String(path[path.index(after: question)...])).map { ($0.0, .equalTo($0.1)) }
    }

    /// A matcher written as the `request` of a stub file.
    package init(written node: JSONNode) {
        let keys = ["urlPath", "urlPathTemplate", "url", "urlPathPattern", "urlPattern"]
        let found = keys.lazy.compactMap { key in node[key]?.string.map { Target.key(key, $0) } }.first
        self.init(node["method"]?.string.flatMap { $0 == "ANY" ? nil : $0 }, found ?? .any)
        written = node
    }

    private init(_ method: String?, _ target: Target) {
        self.method = method
        self.target = target
    }

    public static func get(_ path: String) -> RequestMatch { RequestMatch("GET", path) }
    public static func head(_ path: String) -> RequestMatch { RequestMatch("HEAD", path) }
    public static func post(_ path: String) -> RequestMatch { RequestMatch("POST", path) }
    public static func put(_ path: String) -> RequestMatch { RequestMatch("PUT", path) }
    public static func patch(_ path: String) -> RequestMatch { RequestMatch("PATCH", path) }
    public static func delete(_ path: String) -> RequestMatch { RequestMatch("DELETE", path) }
    public static func any(_ path: String) -> RequestMatch { RequestMatch(nil, path) }

    /// Requests to whatever URL.
    ///
    /// - Parameter method: nil for every method.
    public static func anyURL(_ method: String? = nil) -> RequestMatch { RequestMatch(method, .any) }

    /// Requests with this path and query, byte for byte as they are sent.
    public static func url(_ url: String, method: String? = nil) -> RequestMatch {
        RequestMatch(method, .key("url", url))
    }

    /// Requests the path and query of which, as they are sent, a PCRE2 pattern matches in whole.
    public static func url(matching pattern: String, method: String? = nil) -> RequestMatch {
        RequestMatch(method, .key("urlPattern", pattern))
    }

    /// Requests the path of which, as it is sent, a PCRE2 pattern matches in whole.
    public static func path(matching pattern: String, method: String? = nil) -> RequestMatch {
        RequestMatch(method, .key("urlPathPattern", pattern))
    }

    /// The host without its port, in lower case.
    public func host(_ value: ValueMatch) -> RequestMatch { with { $0.host = value } }

    /// The value of a variable of the path, decoded.
    public func pathParameter(_ name: String, _ value: ValueMatch) -> RequestMatch {
        with { $0.pathParameters.append((name, value)) }
    }

    public func header(_ name: String, _ value: ValueMatch) -> RequestMatch {
        with { $0.headers.append((name, value)) }
    }

    @_disfavoredOverload
    public func header(_ name: String, _ value: String) -> RequestMatch { header(name, .equalTo(value)) }

    /// A query parameter by its decoded name and value; one that is said several times has just these values, in any order.
    public func query(_ name: String, _ value: ValueMatch) -> RequestMatch {
        with { $0.query.append((name, value)) }
    }

    @_disfavoredOverload
    public func query(_ name: String, _ value: String) -> RequestMatch { query(name, .equalTo(value)) }

    /// No query parameters but those that are said.
    public func noOtherQuery() -> RequestMatch { with { $0.refusesOtherQuery = true } }

    public func cookie(_ name: String, _ value: ValueMatch) -> RequestMatch {
        with { $0.cookies.append((name, value)) }
    }

    @_disfavoredOverload
    public func cookie(_ name: String, _ value: String) -> RequestMatch { cookie(name, .equalTo(value)) }

    /// The credentials of Basic authentication.
    public func basicAuth(_ username: String, _ password: String) -> RequestMatch {
        with { $0.credentials = (username, password) }
    }

    /// The content; what is said several times has to match each time.
    public func body(_ value: ValueMatch) -> RequestMatch {
        with { $0.bodies.append(value) }
    }

    /// A field of a form (`application/x-www-form-urlencoded`) by its decoded name and value; one that is said several times has just these
    /// values, in any order.
    public func form(_ name: String, _ value: ValueMatch) -> RequestMatch { with { $0.form.append((name, value)) } }

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
    /// The path with its variables; nil where it has none.
    var template: String? {
        if case .key("urlPathTemplate", let template) = target { template } else { nil }
    }

    /// The `request` of a stub file.
    package var node: JSONNode {
        if let written { return written }
        var members: [JSONObject.Member] = []
        func add(_ name: String, _ value: JSONNode) { members.append(.init(name: name, value: value)) }
        if let method { add("method", .string(method)) }
        if case .key(let key, let value) = target { add(key, .string(value)) }
        if !pathParameters.isEmpty { add("pathParameters", Self.object(pathParameters, together: "and")) }
        if let host { add("host", host.node) }
        if let port { add("port", .integer(port)) }
        if let scheme { add("scheme", .string(scheme)) }
        if let clientIP { add("clientIp", clientIP.node) }
        if !query.isEmpty { add("queryParameters", Self.object(query, together: "hasExactly")) }
        if refusesOtherQuery { add("otherQueryParameters", .string("refuse")) }
        if !headers.isEmpty { add("headers", Self.object(headers, together: "hasExactly")) }
        if !cookies.isEmpty { add("cookies", Self.object(cookies, together: "and")) }
        if let credentials {
            add(
                "basicAuthCredentials",
                .object(["username": .string(credentials.username), "password": .string(credentials.password)]))
        }
        if !form.isEmpty { add("formParameters", Self.object(form, together: "hasExactly")) }
        if !bodies.isEmpty { add("bodyPatterns", ValueMatch.list(bodies)) }
        if !parts.isEmpty { add("multipartPatterns", .array(parts.map(\.node))) }
        return JSONNode(.object(JSONObject(members)))
    }

    /// A member for each name.
    ///
    /// - Parameter together: the key that several values of one name are under.
    private static func object(_ matchers: [(name: String, value: ValueMatch)], together: String) -> JSONNode {
        var names: [String] = []
        var values: [String: [JSONNode]] = [:]
        for (name, value) in matchers {
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(value.node)
        }
        let members = names.map { name in
            let nodes = values[name] ?? []
            let several = JSONNode(.object(JSONObject([.init(name: together, value: .array(nodes))])))
            return JSONObject.Member(name: name, value: nodes.count == 1 ? nodes[0] : several)
        }
        return JSONNode(.object(JSONObject(members)))
    }
}

extension RequestMatch: CustomStringConvertible {
    /// `GET /api/contents?page[number]=2` and what else is asked, in the words of a stub file.
    public var description: String {
        let place =
            switch target {
            case .any: "any URL"
            case .key("urlPattern", let pattern), .key("urlPathPattern", let pattern): "matching \(pattern)"
            case .key(_, let text): text
            }
        let named = ["method", "url", "urlPath", "urlPathTemplate", "urlPattern", "urlPathPattern"]
        let rest = (node.object?.members ?? []).filter { !named.contains($0.name) }
        let text = rest.map { "\($0.name) \(String(decoding: JSONWriter.compact($0.value), as: UTF8.self))" }
        return (["\(method ?? "ANY") \(place)"] + text).joined(separator: ", ")
    }
}

/// A matcher for a part of multipart content.
///
///     .part("picture").fileName("a.png").header("Content-Type", "image/png")
public struct PartMatch: Sendable, ExpressibleByStringLiteral {
    private var members: [JSONObject.Member] = []
    private var headers: [JSONObject.Member] = []
    private var bodies: [ValueMatch] = []

    /// - Parameter name: the part's name; nil for any.
    public init(_ name: String? = nil) {
        if let name { members.append(.init(name: "name", value: .string(name))) }
    }

    public init(stringLiteral value: String) { self.init(value) }

    /// A part of this name.
    public static func part(_ name: String) -> PartMatch { PartMatch(name) }

    /// A matcher that every part has to match, where otherwise one is enough.
    public static func everyPart() -> PartMatch {
        var match = PartMatch()
        match.members = [.init(name: "matchingType", value: .string("ALL"))]
        return match
    }

    public func fileName(_ name: String) -> PartMatch {
        with { $0.members.append(.init(name: "fileName", value: .string(name))) }
    }

    public func header(_ name: String, _ value: ValueMatch) -> PartMatch {
        with { $0.headers.append(.init(name: name, value: value.node)) }
    }

    /// The part's content; what is said several times has to match each time.
    public func body(_ value: ValueMatch) -> PartMatch { with { $0.bodies.append(value) } }

    private func with(_ change: (inout PartMatch) -> Void) -> PartMatch {
        var copy = self
        change(&copy)
        return copy
    }

    /// The part as a stub file writes it.
    var node: JSONNode {
        var all = members
        if !headers.isEmpty { all.append(.init(name: "headers", value: JSONNode(.object(JSONObject(headers))))) }
        if !bodies.isEmpty { all.append(.init(name: "bodyPatterns", value: ValueMatch.list(bodies))) }
        return JSONNode(.object(JSONObject(all)))
    }
}
