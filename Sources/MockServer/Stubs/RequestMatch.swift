// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import JSONText

/// Which requests are meant: by a stub that is to answer them, or by an expectation that they come.
///
///     .get("/api/contents").query("page[number]", "2").header("Accept", .contains("json"))
///
/// What is not said may be anything: other headers and other query parameters too.
public struct RequestMatch: Sendable {
    private let method: String?
    private let path: String
    private var query: [(name: String, value: ValueMatch)] = []
    private var headers: [(name: String, value: ValueMatch)] = []
    private var bodies: [ValueMatch] = []
    /// The `request` of a stub file as it was written, which then is all there is.
    private var written: JSONNode?

    /// - Parameters:
    ///   - method: any token; nil for every method.
    ///   - path: with `{name}` for a segment that may be anything; a query behind it is one `query` for each of its parameters.
    public init(_ method: String?, _ path: String) {
        self.method = method
        let question = path.firstIndex(of: "?")
        self.path = String(path[..<(question ?? path.endIndex)])
        guard let question else { return }
        query = AdminQuery.pairs(String(path[path.index(after: question)...])).map { ($0.0, .equalTo($0.1)) }
    }

    /// What the `request` of a stub file says.
    package init(written node: JSONNode) {
        method = node["method"]?.string.flatMap { $0 == "ANY" ? nil : $0 }
        path =
            ["urlPath", "urlPathTemplate", "url", "urlPathPattern", "urlPattern"].lazy
            .compactMap { node[$0]?.string }.first ?? "*"
        written = node
    }

    public static func get(_ path: String) -> RequestMatch { RequestMatch("GET", path) }
    public static func head(_ path: String) -> RequestMatch { RequestMatch("HEAD", path) }
    public static func post(_ path: String) -> RequestMatch { RequestMatch("POST", path) }
    public static func put(_ path: String) -> RequestMatch { RequestMatch("PUT", path) }
    public static func patch(_ path: String) -> RequestMatch { RequestMatch("PATCH", path) }
    public static func delete(_ path: String) -> RequestMatch { RequestMatch("DELETE", path) }
    public static func any(_ path: String) -> RequestMatch { RequestMatch(nil, path) }

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

    public func body(_ value: ValueMatch) -> RequestMatch {
        with { $0.bodies.append(value) }
    }

    private func with(_ change: (inout RequestMatch) -> Void) -> RequestMatch {
        var copy = self
        change(&copy)
        return copy
    }
}

extension RequestMatch {
    /// The `request` of a stub file.
    package var node: JSONNode {
        if let written { return written }
        var members: [JSONObject.Member] = []
        if let method { members.append(.init(name: "method", value: .string(method))) }
        members.append(.init(name: path.contains("{") ? "urlPathTemplate" : "urlPath", value: .string(path)))
        if !query.isEmpty { members.append(.init(name: "queryParameters", value: Self.object(query))) }
        if !headers.isEmpty { members.append(.init(name: "headers", value: Self.object(headers))) }
        if !bodies.isEmpty { members.append(.init(name: "bodyPatterns", value: .array(bodies.map(\.node)))) }
        return JSONNode(.object(JSONObject(members)))
    }

    /// A member for each name; several values of one are `hasExactly`.
    private static func object(_ matchers: [(name: String, value: ValueMatch)]) -> JSONNode {
        var names: [String] = []
        var values: [String: [JSONNode]] = [:]
        for (name, value) in matchers {
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(value.node)
        }
        return JSONNode(
            .object(
                JSONObject(
                    names.map { name in
                        let nodes = values[name] ?? []
                        return .init(
                            name: name, value: nodes.count == 1 ? nodes[0] : .object(["hasExactly": .array(nodes)]))
                    })))
    }
}

extension RequestMatch: CustomStringConvertible {
    /// `GET /api/contents?page[number]=2` and what else is asked, in the words of a stub file.
    public var description: String {
        let told = ["method", "url", "urlPath", "urlPathTemplate", "urlPattern", "urlPathPattern"]
        let rest = (node.object?.members ?? []).filter { !told.contains($0.name) }
        let text = rest.map { "\($0.name) \(String(decoding: JSONWriter.compact($0.value), as: UTF8.self))" }
        return (["\(method ?? "ANY") \(path)"] + text).joined(separator: ", ")
    }
}
