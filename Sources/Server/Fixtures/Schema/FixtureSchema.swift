// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// The JSON Schema (draft 2020-12) of a stub file, made from the tables that the reader checks files against.
package enum FixtureSchema {
    /// The name that the schema is known by, wherever a copy of it lies.
    package static let id = "urn:mockapi:stub-file"

    /// The schema as text, with a line end.
    package static var json: String {
        String(decoding: JSONWriter.pretty(node) + [UInt8(ascii: "\n")], as: UTF8.self)
    }

    package static var node: JSONNode {
        .object([
            "$schema": .string("https://json-schema.org/draft/2020-12/schema"), "$id": .string(id),
            "title": .string("mockapi stub file"),
            "description": .string(
                "One stub, or several in \"stubs\": the requests that are answered, and "
                    + "their responses."),
            "if": .object(["required": .array([.string("stubs")])]),
            "then": reference(.stubList),
            "else": reference(.stub),
            "$defs": definitions,
        ])
    }

    private static var definitions: JSONNode {
        let shapes = ObjectShape.allCases.filter { $0 != .mappingList }
        return JSONNode(
            .object(JSONObject(shapes.map { JSONObject.Member(name: $0.rawValue, value: schema(of: $0)) })))
    }

    private static func reference(_ shape: ObjectShape) -> JSONNode {
        .object(["$ref": .string("#/$defs/\(shape.rawValue)")])
    }

    private static func schema(of shape: ObjectShape) -> JSONNode {
        let properties = shape.keys.filter(\.isKnown).map { key in
            JSONObject.Member(
                name: key.name, value: described(schema(of: key.value), key.text))
        }
        var members: [JSONObject.Member] = [
            .init(name: "type", value: .string("object")),
            .init(name: "properties", value: JSONNode(.object(JSONObject(properties)))),
            .init(name: "additionalProperties", value: .bool(false)),
        ]
        members += rules(of: shape)
        return JSONNode(.object(JSONObject(members)))
    }

    private static func described(_ schema: JSONNode, _ text: String) -> JSONNode {
        let description = JSONObject.Member(name: "description", value: .string(text))
        return JSONNode(.object(JSONObject([description] + (schema.object?.members ?? []))))
    }

    /// The rules that hold among the keys of an object.
    private static func rules(of shape: ObjectShape) -> [JSONObject.Member] {
        switch shape {
        case .stub:
            [
                .init(
                    name: "oneOf",
                    value: .array([
                        required("response"), required("responses"), required("protects"), required("resource"),
                        issuing,
                    ])),
                .init(
                    name: "dependentRequired",
                    value: .object([
                        "afterLast": .array([.string("responses")]),
                        "requiredScenarioState": .array([.string("scenarioName")]),
                        "newScenarioState": .array([.string("scenarioName")]),
                    ])),
            ]
        case .request:
            [
                atMostOne(["url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate"]),
                .init(
                    name: "dependentRequired",
                    value: .object(["pathParameters": .array([.string("urlPathTemplate")])])),
            ]
        case .resource: [.init(name: "required", value: .array([.string("collection")]))]
        case .delayDistribution: [.init(name: "required", value: .array([.string("type")]))]
        case .chunkedDribbleDelay:
            [.init(name: "required", value: .array([.string("numberOfChunks"), .string("totalDuration")]))]
        case .response: [atMostOne(["bodyFile", "body", "jsonBody", "base64Body"])]
        case .credentials, .basic, .digest: [requiring(["username", "password"])]
        case .oauth2: [requiring(["tokenEndpoint", "clientId", "clientSecret"])]
        case .rateLimit: [requiring(["requests", "per"])]
        case .authentication: [.init(name: "minProperties", value: .integer(1))]
        case .faultRule: [requiring(["fault"])]
        case .serveEventListener: [requiring(["name", "parameters"])]
        case .webhook: [requiring(["url"]), atMostOne(["body", "base64Body"])]
        case .retry: [requiring(["times"])]
        case .matcher, .multiMatcher, .bodyMatcher: [.init(name: "minProperties", value: .integer(1))]
        case .expression: [.init(name: "required", value: .array([.string("expression")]))]
        case .stubList, .mappingList, .bearer, .delayRule, .ruleCondition, .recorded, .sent, .volatile, .contractPart,
            .multipart:
            []
        }
    }

    private static func required(_ name: String) -> JSONNode { .object(["required": .array([.string(name)])]) }

    private static func requiring(_ names: [String]) -> JSONObject.Member {
        .init(name: "required", value: .array(names.map { .string($0) }))
    }

    /// A stub with `oauth2` and no response beside it; a stub that protects, too, is known by that.
    private static var issuing: JSONNode {
        let oauth2 = JSONNode.object(["required": .array([.string("oauth2")])])
        return .object([
            "required": .array([.string("authentication")]),
            "properties": .object(["authentication": oauth2]), "not": required("protects"),
        ])
    }

    private static func atMostOne(_ names: [String]) -> JSONObject.Member {
        let pairs = names.indices.flatMap { first in
            names.indices.dropFirst(first + 1).map { second in
                JSONNode.object(["required": .array([.string(names[first]), .string(names[second])])])
            }
        }
        return .init(name: "not", value: .object(["anyOf": .array(pairs)]))
    }

    private static func schema(of value: ValueShape) -> JSONNode {
        switch value {
        case .anything: return .object([:])
        case .string: return type("string")
        case .boolean: return type("boolean")
        case .number: return type("number")
        case .integer(let range):
            var members: [JSONObject.Member] = [.init(name: "type", value: .string("integer"))]
            if range.lowerBound > .min { members.append(.init(name: "minimum", value: .integer(range.lowerBound))) }
            if range.upperBound < .max { members.append(.init(name: "maximum", value: .integer(range.upperBound))) }
            return JSONNode(.object(JSONObject(members)))
        case .choice(let words): return .object(["enum": .array(words.map { .string($0) })])
        case .object(let shape): return reference(shape)
        case .freeObject: return type("object")
        case .map(let value): return .object(["type": .string("object"), "additionalProperties": schema(of: value)])
        case .list(let element, let minimum):
            return minimum > 0
                ? .object([
                    "type": .string("array"), "items": schema(of: element), "minItems": .integer(minimum),
                ]) : .object(["type": .string("array"), "items": schema(of: element)])
        case .either(let shapes): return .object(["anyOf": .array(shapes.map(schema(of:)))])
        case .template(let shape):
            let template = JSONNode.object(["type": .string("string"), "pattern": .string("\\{\\{")])
            return .object(["anyOf": .array([schema(of: shape), template])])
        }
    }

    private static func type(_ name: String) -> JSONNode { .object(["type": .string(name)]) }
}
