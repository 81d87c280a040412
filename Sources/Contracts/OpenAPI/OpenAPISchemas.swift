// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONSchema
package import MockapiJSONText

/// The schemas of a document's responses as JSON Schemas of 2020-12.
package struct OpenAPISchemas {
    /// Schemas that one schema refers to, directly or by others. 2,000.
    private static let definitionLimit = 2_000

    /// Why a schema cannot be put to a value.
    package struct Failure: Error, Sendable {
        package let offset: Int
        package let text: String
    }

    private struct Key: Hashable {
        let offset: Int
        let levels: Int
    }

    private let document: OpenAPIDocument
    private var compiled: [Key: Result<JSONSchema, Failure>] = [:]
    /// The schema in progress: names by references, and the parts that are not made yet by level.
    private var names: [String: String] = [:]
    private var pending: [[(name: String, node: JSONNode)]] = []
    /// The levels of the value that it is made for: schemas of deeper ones are left out, or each schema would have all that it leads to.
    private var levels = 0

    package init(_ document: OpenAPIDocument) {
        self.document = document
    }

    /// The schema at a place of the document, for a value of a response.
    package mutating func schema(_ node: JSONNode, for value: JSONNode) throws(Failure) -> JSONSchema {
        levels = Self.levels(of: value)
        let key = Key(offset: node.offset, levels: levels)
        if let known = compiled[key] { return try known.get() }
        let result: Result<JSONSchema, Failure>
        do throws(Failure) {
            result = .success(try compile(node))
        } catch {
            result = .failure(error)
        }
        compiled[key] = result
        return try result.get()
    }

    /// How many lists and objects are within each other.
    private static func levels(of value: JSONNode) -> Int {
        switch value.value {
        case .array(let elements): 1 + (elements.lazy.map { levels(of: $0) }.max() ?? 0)
        case .object(let object): 1 + (object.members.lazy.map { levels(of: $0.value) }.max() ?? 0)
        default: 0
        }
    }

    private mutating func compile(_ node: JSONNode) throws(Failure) -> JSONSchema {
        names = [:]
        pending = Array(repeating: [], count: levels + 2)
        let main = try converted(node, depth: 0, level: 0)
        var definitions: [JSONObject.Member] = []
        // Level by level, so that a schema that several levels refer to is made for the outermost of them.
        for level in pending.indices {
            while let next = pending[level].popLast() {
                definitions.append(.init(name: next.name, value: try converted(next.node, depth: 0, level: level)))
            }
        }
        let tree = JSONNode.object([
            "allOf": .array([main]), "$defs": JSONNode(.object(JSONObject(definitions))),
        ])
        do throws(JSONSchemaError) {
            return try JSONSchema(tree, assertsFormats: true)
        } catch {
            throw Failure(offset: node.offset, text: "the schema cannot be used: \(error.message)")
        }
    }

    private mutating func name(of reference: String, at offset: Int, level: Int) throws(Failure) -> String {
        if let known = names[reference] {
            if let place = pending.indices.dropFirst(level + 1).first(where: { place in
                pending[place].contains { $0.name == known }
            }), let index = pending[place].firstIndex(where: { $0.name == known }) {
                pending[level].append(pending[place].remove(at: index))
            }
            return known
        }
        guard let target = document.target(of: reference) else {
            throw Failure(offset: offset, text: "\"\(reference)\" is not in the document")
        }
        guard names.count < Self.definitionLimit else {
            throw Failure(offset: offset, text: "the schema has more than \(Self.definitionLimit) references")
        }
        let name = "s\(names.count)"
        names[reference] = name
        pending[level].append((name, target))
        return name
    }

    // MARK: Keywords

    private static let schemas: Set<String> = [
        "not", "additionalProperties", "items", "contains", "propertyNames", "if", "then", "else", "unevaluatedItems",
        "unevaluatedProperties",
    ]
    private static let lists: Set<String> = ["allOf", "anyOf", "oneOf", "prefixItems"]
    private static let maps: Set<String> = ["properties", "patternProperties", "dependentSchemas"]
    /// Keywords whose schemas are about the inner parts of the value.
    private static let inner: Set<String> = [
        "additionalProperties", "items", "contains", "unevaluatedItems", "unevaluatedProperties", "prefixItems",
        "properties", "patternProperties",
    ]
    private static let plain: Set<String> = [
        "type", "enum", "const", "multipleOf", "maximum", "minimum", "maxLength", "minLength", "pattern", "maxItems",
        "minItems", "uniqueItems", "maxContains", "minContains", "maxProperties", "minProperties",
        "dependentRequired", "format", "exclusiveMinimum", "exclusiveMaximum",
    ]

    private mutating func converted(_ node: JSONNode, depth: Int, level: Int) throws(Failure) -> JSONNode {
        if node.bool != nil { return node }
        if level > levels { return .bool(true) }
        guard let object = node.object, depth < JSONSchemaLimits.schemaDepth / 2 else {
            throw Failure(
                offset: node.offset,
                text: node.object == nil ? "a schema is an object" : "the schema has too many levels")
        }
        var members: [JSONObject.Member] = []
        if let reference = node["$ref"]?.string {
            let name = try name(of: reference, at: node.offset, level: level)
            members.append(.init(name: "$ref", value: .string("#/$defs/\(name)")))
            // 3.0 knows nothing beside a reference.
            if document.isOld { return JSONNode(.object(JSONObject(members))) }
        }
        for member in object.members {
            let value: JSONNode
            let level = Self.inner.contains(member.name) ? level + 1 : level
            switch member.name {
            case _ where Self.schemas.contains(member.name):
                value = try converted(member.value, depth: depth + 1, level: level)
            case _ where Self.lists.contains(member.name):
                var list: [JSONNode] = []
                for element in member.value.array ?? [] {
                    list.append(try converted(element, depth: depth + 1, level: level))
                }
                if list.isEmpty { continue }
                value = .array(list)
            case _ where Self.maps.contains(member.name):
                var map: [JSONObject.Member] = []
                for entry in member.value.object?.members ?? [] {
                    map.append(
                        .init(name: entry.name, value: try converted(entry.value, depth: depth + 1, level: level)))
                }
                value = JSONNode(.object(JSONObject(map)))
            case "required": value = required(member.value, in: node)
            case _ where Self.plain.contains(member.name): value = member.value
            default: continue
            }
            members.append(.init(name: member.name, value: value))
        }
        members += Self.range(of: node)
        return document.isOld ? Self.modern(members, of: node) : JSONNode(.object(JSONObject(members)))
    }

    /// The names of members that a response must have: write-only members are not in a response.
    private func required(_ list: JSONNode, in node: JSONNode) -> JSONNode {
        .array(
            (list.array ?? []).filter { name in
                guard let name = name.string, let property = node["properties"]?[name] else { return true }
                return document.resolved(property)?["writeOnly"]?.bool != true
            })
    }

    /// The bounds of `int32` and `int64` if there are no others.
    private static func range(of node: JSONNode) -> [JSONObject.Member] {
        guard let format = node["format"]?.string, format == "int32" || format == "int64",
            node["minimum"] == nil, node["maximum"] == nil,
            node["type"]?.string == "integer" || node["type"]?.array?.contains(.string("integer")) ?? false
        else { return [] }
        let bounds: (JSONNode, JSONNode) =
            format == "int32"
            ? (.integer(Int32.min), .integer(Int32.max)) : (.integer(Int64.min), .integer(Int64.max))
        return [.init(name: "minimum", value: bounds.0), .init(name: "maximum", value: bounds.1)]
    }

    /// A schema of 3.0 as one of 2020-12: `nullable`, and bounds that are exclusive by a boolean.
    private static func modern(_ members: [JSONObject.Member], of node: JSONNode) -> JSONNode {
        var members = members
        for (exclusive, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            guard let flag = node[exclusive]?.bool else { continue }
            members.removeAll { $0.name == exclusive }
            guard flag, let index = members.firstIndex(where: { $0.name == bound }) else { continue }
            members[index].name = exclusive
        }
        guard node["nullable"]?.bool == true else { return JSONNode(.object(JSONObject(members))) }
        let isComposed = ["allOf", "anyOf", "oneOf", "not"].contains { node[$0] != nil }
        guard let type = members.firstIndex(where: { $0.name == "type" }), !isComposed else {
            let plain = JSONNode(.object(JSONObject(members)))
            return .object(["if": .object(["type": .string("null")]), "else": plain])
        }
        members[type].value = .array([members[type].value, .string("null")])
        if let list = members.firstIndex(where: { $0.name == "enum" }) {
            members[list].value = .array((members[list].value.array ?? []) + [.null])
        }
        return JSONNode(.object(JSONObject(members)))
    }
}
