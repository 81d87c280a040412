// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText
package import MockapiMetering

/// The result of a path in a document, in Jayway's terms: a definite path gives a value, any other a list.
package enum JSONPathResult: Equatable, Sendable {
    /// A definite path selected nothing.
    case nothing
    case value(JSONNode)
    /// The values that an indefinite path selected, if any.
    case list([JSONNode])

    /// Whether WireMock's `matchesJsonPath` holds: there is a value, it is not null, and a list or an object has something in it.
    package var isPresent: Bool {
        switch self {
        case .nothing: false
        case .list(let nodes): !nodes.isEmpty
        case .value(let node):
            switch node.value {
            case .null: false
            case .array(let elements): !elements.isEmpty
            case .object(let object): !object.members.isEmpty
            default: true
            }
        }
    }

    /// The texts that WireMock's nested matchers are asked about: those of a list's elements one by one, else one; nil for null.
    package var texts: [String?] {
        switch self {
        case .nothing: []
        case .list(let nodes): nodes.map(Self.text)
        case .value(let node): node.array.map { $0.map(Self.text) } ?? [Self.text(of: node)]
        }
    }

    /// The result as one value, a list as an array; nil for nothing.
    package var node: JSONNode? {
        switch self {
        case .nothing: nil
        case .list(let nodes): .array(nodes)
        case .value(let node): node
        }
    }

    /// The text of a value: a string as it is, a number or a boolean as JSON writes it, anything else as JSON; nil for null.
    package static func text(of node: JSONNode) -> String? {
        switch node.value {
        case .null: nil
        case .string(let text): text
        case .bool(let value): value ? "true" : "false"
        case .number(let number): number.literal
        case .array, .object: String(decoding: JSONWriter.compact(node), as: UTF8.self)
        }
    }
}

extension JSONPath {
    /// The result of the path in a document.
    ///
    /// - Throws: `JSONPathGaveUp` if the steps do not suffice.
    package func result(in root: JSONNode, allowance: inout Allowance) throws(JSONPathGaveUp) -> JSONPathResult {
        if isDefinite, dialect == .jayway, let names = query.mergedNames {
            return try merged(names, in: root, allowance: &allowance)
        }
        let nodes = try nodes(in: root, allowance: &allowance)
        if !isDefinite { return .list(nodes) }
        return nodes.first.map { .value($0) } ?? .nothing
    }

    /// The object that Jayway makes of the members a last `['a','b']` names.
    private func merged(
        _ names: [String], in root: JSONNode, allowance: inout Allowance
    ) throws(JSONPathGaveUp) -> JSONPathResult {
        var evaluator = PathEvaluator(root: root, allowance: allowance)
        defer { allowance = evaluator.allowance }
        guard let steps = query.parent.plainSteps, let object = try evaluator.walk(steps, from: root)?.object else {
            return .nothing
        }
        var members: [JSONObject.Member] = []
        for name in names {
            try evaluator.spend(1 + object.members.count / 8)
            if let value = object[name] { members.append(JSONObject.Member(name: name, value: value)) }
        }
        return .value(JSONNode(.object(JSONObject(members))))
    }
}
