// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
package import MockapiJSONText
import MockapiYAMLText

/// A document of OpenAPI 3.0 or 3.1, as far as it describes responses.
package struct OpenAPIDocument: Sendable {
    /// Bytes of a document. 32 MiB.
    package static let sizeLimit = 32 * 1024 * 1024
    /// References that lead to one another. 32.
    private static let referenceLimit = 32
    /// Base paths of one operation. 64.
    private static let baseLimit = 64

    /// Why a document cannot be read.
    package struct Failure: Error, Sendable {
        package let line: Int
        package let text: String
    }

    /// A method of a path.
    package struct Operation: Sendable {
        package let path: OpenAPIPath
        /// As it was written, such as `/users/{id}`.
        package let template: String
        /// In upper case.
        package let method: String
        let node: JSONNode
        /// The node of the path, with the members for all of its methods.
        let pathNode: JSONNode
        package let offset: Int
        /// The paths that servers have in front, without a slash at their ends; the empty one if there is none.
        package let bases: [String]
    }

    package let root: JSONNode
    /// Whether schemas are those of 3.0, which has a dialect of its own.
    package let isOld: Bool
    package private(set) var operations: [Operation] = []
    private let lines: LineMap

    /// - Parameter bytes: in JSON, or in YAML.
    package init(_ bytes: [UInt8]) throws(Failure) {
        lines = LineMap(bytes)
        guard bytes.count <= Self.sizeLimit else {
            throw Failure(line: 1, text: "the document has more than \(Self.sizeLimit) bytes")
        }
        root = try Self.tree(bytes, lines)
        if let version = root["swagger"] {
            throw Failure(
                line: lines.position(of: version.offset).line,
                text: "this is Swagger \(version.string ?? "2.0"); OpenAPI 3.0 and 3.1 are read")
        }
        guard let version = root["openapi"], let text = version.string, text.hasPrefix("3.") else {
            throw Failure(line: 1, text: "there is no \"openapi\": \"3.0.3\" or \"3.1.0\" in it")
        }
        isOld = text.hasPrefix("3.0")
        try readOperations()
    }

    private static func tree(_ bytes: [UInt8], _ lines: LineMap) throws(Failure) -> JSONNode {
        let start = bytes.first { $0 > 0x20 && $0 < 0x7F }
        do throws(JSONError) {
            if start == UInt8(ascii: "{"), let node = try? JSONParser.parse(bytes) { return node }
            return try YAMLParser.parse(bytes)
        } catch {
            throw Failure(line: lines.position(of: error.offset).line, text: error.message)
        }
    }

    /// The line of a place in the document.
    package func line(of offset: Int) -> Int { lines.position(of: offset).line }

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    private mutating func readOperations() throws(Failure) {
        for member in root["paths"]?.object?.members ?? [] where member.name.hasPrefix("/") {
            guard let item = resolved(member.value) else { continue }
            guard let path = OpenAPIPath(member.name) else {
                throw Failure(line: line(of: member.nameOffset), text: "the path \(member.name) has a brace too many")
            }
            for entry in item.object?.members ?? [] where Self.methods.contains(entry.name) {
                let servers = entry.value["servers"] ?? item["servers"] ?? root["servers"]
                operations.append(
                    Operation(
                        path: path, template: member.name, method: entry.name.uppercased(), node: entry.value,
                        pathNode: item, offset: entry.nameOffset, bases: Self.bases(of: servers)))
            }
        }
    }

    // MARK: References

    /// The value itself, or the value that it refers to; nil if the reference leads out of the document, or nowhere.
    package func resolved(_ node: JSONNode) -> JSONNode? {
        var node = node
        for _ in 0..<Self.referenceLimit {
            guard let reference = node["$ref"]?.string else { return node }
            guard let target = target(of: reference) else { return nil }
            node = target
        }
        return nil
    }

    /// The target of a reference of the document, one step on.
    func target(of reference: String) -> JSONNode? {
        guard reference.hasPrefix("#") else { return nil }
        var node = root
        // A pointer in a URI's fragment (RFC 6901 §6).
        for token in JSONPointer.tokens(OpenAPIPath.percentDecoded(reference.dropFirst())) {
            guard let next = node.child(token) else { return nil }
            node = next
        }
        return node
    }

    // MARK: Servers

    /// The paths of servers' URLs, with each value that a variable may have.
    private static func bases(of servers: JSONNode?) -> [String] {
        var bases: [String] = []
        for server in servers?.array ?? [] {
            guard let url = server["url"]?.string else { continue }
            var urls = [url]
            for variable in server["variables"]?.object?.members ?? [] where url.contains("{\(variable.name)}") {
                let listed = (variable.value["enum"]?.array ?? []).compactMap(\.string)
                let values = [variable.value["default"]?.string].compactMap(\.self) + listed
                urls = Array(
                    urls.flatMap { url in
                        Set(values).sorted().map { url.replacing(bytesOf: "{\(variable.name)}", with: $0) }
                    }.prefix(baseLimit))
            }
            for url in urls where bases.count < baseLimit {
                var path = url[...]
                if let scheme = path.firstRange(of: "://") {
                    path = path[scheme.upperBound...].drop { $0 != "/" }
                }
                path = path.prefix { $0 != "?" && $0 != "#" }
                while path.hasSuffix("/") { path.removeLast() }
                let base = path.isEmpty || path.hasPrefix("/") ? String(path) : "/\(path)"
                if !bases.contains(base) { bases.append(base) }
            }
        }
        return bases.isEmpty ? [""] : bases
    }
}

// MARK: - The parts of an operation

extension OpenAPIDocument {
    /// The response that the document has for a status.
    package struct Response: Sendable {
        let node: JSONNode
        package let offset: Int
        /// As it was written: `200`, `4XX` or `default`.
        package let key: String
    }

    /// The response of a status: its own, that of its class, or the one for all others; nil if there is none.
    package func response(of operation: Operation, status: Int) -> Response? {
        let members = operation.node["responses"]?.object?.members ?? []
        for key in ["\(status)", "\(status / 100)XX", "default"] {
            guard let member = members.first(where: { $0.name.uppercased() == key.uppercased() }),
                let node = resolved(member.value)
            else { continue }
            return Response(node: node, offset: member.nameOffset, key: member.name)
        }
        return nil
    }

    /// The statuses that an operation responds with, where each stands.
    package func statuses(of operation: Operation) -> [(key: String, offset: Int)] {
        (operation.node["responses"]?.object?.members ?? []).filter { !$0.name.hasPrefix("x-") }.map {
            ($0.name, $0.nameOffset)
        }
    }

    /// The schemas by media type; nil for a response without content.
    package func contents(of response: Response) -> [(mediaType: String, schema: JSONNode?, offset: Int)]? {
        guard let members = response.node["content"]?.object?.members, !members.isEmpty else { return nil }
        return members.map { member in
            (member.name.lowercased(), resolved(member.value)?["schema"], member.nameOffset)
        }
    }

    /// The header lines of a response.
    package func headers(of response: Response) -> [(name: String, isRequired: Bool, schema: JSONNode?, offset: Int)] {
        (response.node["headers"]?.object?.members ?? []).compactMap { member in
            guard member.name.lowercased() != "content-type", let node = resolved(member.value) else { return nil }
            return (member.name, node["required"]?.bool ?? false, node["schema"], member.nameOffset)
        }
    }

    /// The parameters of an operation's query; nil if one leads out of the document.
    package func queryParameters(
        of operation: Operation
    ) -> [(name: String, isRequired: Bool, isOpen: Bool, offset: Int)]? {
        var parameters: [(name: String, isRequired: Bool, isOpen: Bool, offset: Int)] = []
        for node in (operation.node["parameters"]?.array ?? []) + (operation.pathNode["parameters"]?.array ?? []) {
            guard let parameter = resolved(node) else { return nil }
            guard parameter["in"]?.string == "query", let name = parameter["name"]?.string,
                !parameters.contains(where: { $0.name == name })
            else { continue }
            let schema = parameter["schema"].flatMap(resolved)
            // An object's members are parameters of their own names.
            let isOpen =
                schema?["type"]?.string == "object" && parameter["style"]?.string != "deepObject"
                && parameter["explode"]?.bool != false
            parameters.append((name, parameter["required"]?.bool ?? false, isOpen, node.offset))
        }
        // Keys of the API may stand in the query.
        for member in root["components"]?["securitySchemes"]?.object?.members ?? [] {
            guard let scheme = resolved(member.value), scheme["in"]?.string == "query",
                let name = scheme["name"]?.string
            else { continue }
            parameters.append((name, false, false, member.nameOffset))
        }
        return parameters
    }
}
