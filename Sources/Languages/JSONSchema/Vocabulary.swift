// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// The keywords of the drafts, and the values that each may have.
enum Vocabulary {
    /// The kind of value that a keyword has.
    enum Shape {
        case schema, schemas, schemaMap
        /// A schema, or a list of them.
        case schemaOrSchemas
        /// Names to schemas, or to lists of names.
        case dependencies
        /// Names to lists of names.
        case nameLists
        case names, types, count, number, divisor, boolean, text, pattern, list, anything
    }

    struct Entry {
        var name: String
        var shape: Shape
        var versions: ClosedRange<JSONSchemaVersion>

        init(
            _ name: String, _ shape: Shape, from first: JSONSchemaVersion = .draft4,
            through last: JSONSchemaVersion = .draft2020
        ) {
            self.name = name
            self.shape = shape
            versions = first...last
        }
    }

    static let entries: [Entry] = core + applicators + assertions + annotations

    private static let core: [Entry] = [
        Entry("id", .text, through: .draft4),
        Entry("$id", .text, from: .draft6),
        Entry("$schema", .text),
        Entry("$ref", .text),
        Entry("$anchor", .text, from: .draft2019),
        Entry("$recursiveRef", .text, from: .draft2019, through: .draft2019),
        Entry("$recursiveAnchor", .boolean, from: .draft2019, through: .draft2019),
        Entry("$dynamicRef", .text, from: .draft2020),
        Entry("$dynamicAnchor", .text, from: .draft2020),
        Entry("$defs", .schemaMap, from: .draft2019),
        Entry("definitions", .schemaMap),
        Entry("$comment", .text, from: .draft7),
    ]

    private static let applicators: [Entry] = [
        Entry("allOf", .schemas),
        Entry("anyOf", .schemas),
        Entry("oneOf", .schemas),
        Entry("not", .schema),
        Entry("if", .schema, from: .draft7),
        Entry("then", .schema, from: .draft7),
        Entry("else", .schema, from: .draft7),
        Entry("properties", .schemaMap),
        Entry("patternProperties", .schemaMap),
        Entry("additionalProperties", .schema),
        Entry("propertyNames", .schema, from: .draft6),
        Entry("dependencies", .dependencies),
        Entry("dependentSchemas", .schemaMap, from: .draft2019),
        Entry("prefixItems", .schemas, from: .draft2020),
        Entry("items", .schemaOrSchemas, through: .draft2019),
        Entry("items", .schema, from: .draft2020),
        Entry("additionalItems", .schema, through: .draft2019),
        Entry("contains", .schema, from: .draft6),
        Entry("unevaluatedItems", .schema, from: .draft2019),
        Entry("unevaluatedProperties", .schema, from: .draft2019),
    ]

    private static let assertions: [Entry] = [
        Entry("type", .types),
        Entry("enum", .list),
        Entry("const", .anything, from: .draft6),
        Entry("multipleOf", .divisor),
        Entry("maximum", .number),
        Entry("exclusiveMaximum", .boolean, through: .draft4),
        Entry("exclusiveMaximum", .number, from: .draft6),
        Entry("minimum", .number),
        Entry("exclusiveMinimum", .boolean, through: .draft4),
        Entry("exclusiveMinimum", .number, from: .draft6),
        Entry("maxLength", .count),
        Entry("minLength", .count),
        Entry("pattern", .pattern),
        Entry("maxItems", .count),
        Entry("minItems", .count),
        Entry("uniqueItems", .boolean),
        Entry("maxContains", .count, from: .draft2019),
        Entry("minContains", .count, from: .draft2019),
        Entry("maxProperties", .count),
        Entry("minProperties", .count),
        Entry("required", .names),
        Entry("dependentRequired", .nameLists, from: .draft2019),
        Entry("format", .text),
    ]

    private static let annotations: [Entry] = [
        Entry("title", .text),
        Entry("description", .text),
        Entry("default", .anything),
        Entry("examples", .list, from: .draft6),
        Entry("readOnly", .boolean, from: .draft7),
        Entry("writeOnly", .boolean, from: .draft7),
        Entry("deprecated", .boolean, from: .draft2019),
        Entry("contentEncoding", .text, from: .draft7),
        Entry("contentMediaType", .text, from: .draft7),
        Entry("contentSchema", .schema, from: .draft2019),
    ]

    /// The shapes of a draft's keywords by name.
    static let shapes: [JSONSchemaVersion: [String: Shape]] = {
        var result: [JSONSchemaVersion: [String: Shape]] = [:]
        for version in JSONSchemaVersion.allCases {
            for entry in entries where entry.versions.contains(version) {
                result[version, default: [:]][entry.name] = entry.shape
            }
        }
        return result
    }()

    static func shape(of name: String, in version: JSONSchemaVersion) -> Shape? { shapes[version]?[name] }

    static let typeNames = ["array", "boolean", "integer", "null", "number", "object", "string"]
}

// MARK: - Metaschemas

extension Vocabulary {
    /// The schema of a draft's schemas, made from the table of its keywords.
    static func metaschema(of version: JSONSchemaVersion) -> JSONNode {
        var properties: [JSONObject.Member] = []
        for entry in entries where entry.versions.contains(version) {
            properties.append(JSONObject.Member(name: entry.name, value: schema(of: entry, in: version)))
        }
        var members: [JSONObject.Member] = []
        func add(_ name: String, _ value: JSONNode) { members.append(JSONObject.Member(name: name, value: value)) }
        add(version == .draft4 ? "id" : "$id", .string(version.metaschema))
        add("$schema", .string(version.metaschema))
        if version == .draft2019 { add("$recursiveAnchor", .bool(true)) }
        if version == .draft2020 { add("$dynamicAnchor", .string("meta")) }
        add("type", version == .draft4 ? .string("object") : .array([.string("object"), .string("boolean")]))
        add("properties", JSONNode(.object(JSONObject(properties))))
        if version == .draft4 {
            let minimum = JSONNode.array([.string("minimum")])
            let maximum = JSONNode.array([.string("maximum")])
            add("dependencies", .object(["exclusiveMinimum": minimum, "exclusiveMaximum": maximum]))
        }
        return JSONNode(.object(JSONObject(members)))
    }

    private static func schema(of entry: Entry, in version: JSONSchemaVersion) -> JSONNode {
        let itself: JSONNode =
            switch version {
            case .draft2019: .object(["$recursiveRef": .string("#")])
            case .draft2020: .object(["$dynamicRef": .string("#meta")])
            default: .object(["$ref": .string("#")])
            }
        let schemas: JSONNode = .object(["type": .string("array"), "items": itself, "minItems": .integer(1)])
        let isAdditional = version == .draft4 && entry.name.hasPrefix("additional")
        let count: JSONNode = .object(["type": .string("integer"), "minimum": .integer(0)])
        var names: [JSONObject.Member] = [
            JSONObject.Member(name: "type", value: .string("array")),
            JSONObject.Member(name: "items", value: type("string")),
            JSONObject.Member(name: "uniqueItems", value: .bool(true)),
        ]
        if version == .draft4 { names.append(JSONObject.Member(name: "minItems", value: .integer(1))) }
        let nameList = JSONNode(.object(JSONObject(names)))
        switch entry.shape {
        case .schema: return isAdditional ? either(type("boolean"), itself) : itself
        case .schemas: return schemas
        case .schemaMap: return map(itself)
        case .schemaOrSchemas: return either(itself, schemas)
        case .dependencies: return map(either(itself, nameList))
        case .nameLists: return map(nameList)
        case .names: return nameList
        case .types:
            let name: JSONNode = .object(["enum": .array(typeNames.map { .string($0) })])
            let several: JSONNode = .object([
                "type": .string("array"), "items": name, "minItems": .integer(1), "uniqueItems": .bool(true),
            ])
            return either(name, several)
        case .count: return count
        case .number: return type("number")
        case .divisor:
            return version == .draft4
                ? .object(["type": .string("number"), "minimum": .integer(0), "exclusiveMinimum": .bool(true)])
                : .object(["type": .string("number"), "exclusiveMinimum": .integer(0)])
        case .boolean: return type("boolean")
        case .text, .pattern: return type("string")
        case .list: return type("array")
        case .anything: return .object([:])
        }
    }

    private static func type(_ name: String) -> JSONNode { .object(["type": .string(name)]) }
    private static func either(_ one: JSONNode, _ other: JSONNode) -> JSONNode {
        .object(["anyOf": .array([one, other])])
    }
    private static func map(_ value: JSONNode) -> JSONNode {
        .object(["type": .string("object"), "additionalProperties": value])
    }
}
