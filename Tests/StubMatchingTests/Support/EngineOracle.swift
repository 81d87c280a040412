// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiMatchingSupport

/// What engines say of the few paths, schemas, documents and queries that random stubs ask, each in plain code.
enum EngineOracle {
    static let place = Place(path: "a.stub.json", line: 3, column: 7, pointer: "/request")
    static let paths = ["$.a", "$.a", "$.a", "$.l[*].v", "$..v", "$[0]"]
    static let schemas: [JSONNode] = [
        .object(["type": .string("object")]), .object(["required": .array([.string("a")])]), .bool(true),
    ]
    /// The first two are equal; the text of `b` is what `/a/b/text()` finds.
    static let documents = ["<a><b>1</b></a>", "<a>\n <b>1</b>\n</a>", "<a><b>x</b></a>", "<a/>", "<a>"]
    /// The first two are equal.
    static let queries = ["query A { a b }", "query A {  b,   a }", "query B { a }", "{ a }", "{"]

    struct Found {
        var nodes: [JSONNode]
        var isList: Bool

        var isPresent: Bool {
            if isList { return !nodes.isEmpty }
            guard let node = nodes.first, !node.isNull else { return false }
            return !(node.array?.isEmpty ?? false) && !(node.object?.members.isEmpty ?? false)
        }

        var json: String? {
            if isList { return String(decoding: JSONWriter.compact(.array(nodes)), as: UTF8.self) }
            return nodes.first.map { String(decoding: JSONWriter.compact($0), as: UTF8.self) }
        }

        func texts(isJava: Bool) -> [String] {
            let isArray = isList || nodes.first?.array != nil
            let all = isList ? nodes : nodes.first?.array ?? nodes
            return all.compactMap { node in
                if let text = node.string { return text }
                if node.isNull, !(isJava && isArray) { return nil }
                guard isJava, let object = node.object, let member = object.members.first else {
                    return isJava && node.array?.isEmpty == true
                        ? "[]" : String(decoding: JSONWriter.compact(node), as: UTF8.self)
                }
                let text = member.value.string ?? String(decoding: JSONWriter.compact(member.value), as: UTF8.self)
                let quoted = String(decoding: JSONWriter.compact(member.value), as: UTF8.self)
                return isArray ? "{\(member.name)=\(text)}" : "{\n  \"\(member.name)\" : \(quoted)\n}"
            }
        }
    }

    /// Nil for what is not JSON.
    static func find(_ path: String, _ text: String) -> Found? {
        guard let root = try? JSONParser.parse(text) else { return nil }
        switch path {
        case "$.a": return Found(nodes: root["a"].map { [$0] } ?? [], isList: false)
        case "$.o": return Found(nodes: root["o"].map { [$0] } ?? [], isList: false)
        case "$[0]": return Found(nodes: root.array?.first.map { [$0] } ?? [], isList: false)
        case "$.l[*].v": return Found(nodes: (root["l"]?.array ?? []).compactMap { $0["v"] }, isList: true)
        default: return Found(nodes: all("v", in: root), isList: true)
        }
    }

    private static func all(_ name: String, in node: JSONNode) -> [JSONNode] {
        let children = (node.array ?? []) + (node.object?.members.map(\.value) ?? [])
        return (node[name].map { [$0] } ?? []) + children.flatMap { all(name, in: $0) }
    }

    static func meets(_ text: String, _ schema: JSONNode) -> Bool {
        guard let node = try? JSONParser.parse(text) else { return false }
        if schema.bool != nil { return true }
        if schema["type"] != nil { return node.object != nil }
        return node.object == nil || node["a"] != nil
    }

    /// Nil for what is not XML, or has no text in `b`.
    static func xml(_ text: String) -> String? {
        switch text {
        case documents[0], documents[1]: "1"
        case documents[2]: "x"
        default: nil
        }
    }

    /// The same for documents that are equal; what is not XML equals nothing.
    static func canonical(_ text: String) -> String? {
        switch documents.firstIndex(of: text) {
        case 0, 1: "1"
        case 2: "x"
        case 3: ""
        default: nil
        }
    }

    static func holds(_ pattern: GraphQLPattern, _ text: String) -> Bool {
        guard let node = try? JSONParser.parse(text), let query = node["query"]?.string else { return false }
        func kind(_ query: String) -> Int? { queries.firstIndex(of: query).flatMap { $0 == 4 ? nil : max($0, 1) } }
        guard let found = kind(query), found == kind(pattern.query.text) else { return false }
        if let name = pattern.operationName, node["operationName"]?.string != name { return false }
        return pattern.variables == nil || node["variables"] == pattern.variables
    }

    static func holds(_ leaf: any LeafMatcher, _ text: String) -> Bool {
        switch leaf {
        case let pattern as NumberPattern: holds(pattern.relation, pattern.number, text)
        case let pattern as PathTemplatePattern: TemplateOracle.variables(pattern.template, text) != nil
        case let pattern as DateTimePattern: holds(pattern.relation, text)
        case let pattern as SchemaPattern: meets(text, pattern.schema)
        case let pattern as XMLPattern: canonical(text) != nil && canonical(text) == canonical(pattern.expected.text)
        default: false
        }
    }

    static func holds(_ relation: NumberPattern.Relation, _ number: JSONNumber, _ text: String) -> Bool {
        // The few numbers that are compared are exact in binary.
        guard let value = (try? JSONParser.parse(text))?.number?.double else { return false }
        return switch relation {
        case .equal: value == number.double
        case .greater: value > number.double
        case .greaterOrEqual: value >= number.double
        case .less: value < number.double
        case .lessOrEqual: value <= number.double
        }
    }

    /// Whether one of the dates that are sent stands so to the one that is asked for, which the second is.
    static func holds(_ relation: DateTimePattern.Relation, _ text: String) -> Bool {
        let dates = ["2026-01-01T00:00:00Z": DateTimePattern.Relation.before, "2026-01-02T01:00:00+01:00": .equal]
        return dates[text] == relation
    }
}
