// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// The scalars of a mapping as the keys ask for them, as WireMock's reader (Jackson) takes them: `"200"` for a number, `5` for a text,
/// `"true"` for a truth, and the whole part of a number if a whole one is asked for.
///
/// A value that cannot be taken so stays, and is a finding of the check that follows.
enum JacksonValues {
    /// The matchers whose text must be a string.
    static let textOperators: Set = ["equalTo", "contains", "doesNotContain", "matches", "doesNotMatch"]

    static func coerced(_ node: JSONNode, to shape: ValueShape) -> JSONNode {
        switch shape {
        case .anything, .freeObject: node
        case .choice(let words): choice(node, words)
        case .string: string(node)
        case .boolean: boolean(node)
        case .number: number(node)
        case .integer(let range): integer(node, range)
        case .object(let object):
            members(of: node) { textOperators.contains($0) ? nil : object.key($0)?.value }
        case .map(let value): members(of: node) { _ in value }
        case .list(let element, _): elements(of: node, as: element)
        case .either(let shapes): either(node, shapes)
        case .template(let rendered): shape.accepts(node) ? node : coerced(node, to: rendered)
        }
    }

    private static func members(of node: JSONNode, _ shape: (String) -> ValueShape?) -> JSONNode {
        guard let object = node.object else { return node }
        let members = object.members.map { member in
            var member = member
            if let shape = shape(member.name) { member.value = coerced(member.value, to: shape) }
            return member
        }
        return JSONNode(.object(JSONObject(members)), offset: node.offset)
    }

    private static func elements(of node: JSONNode, as shape: ValueShape) -> JSONNode {
        guard let elements = node.array else { return node }
        return JSONNode(.array(elements.map { coerced($0, to: shape) }), offset: node.offset)
    }

    /// As the first shape that takes the value as it is, or else as it becomes.
    private static func either(_ node: JSONNode, _ shapes: [ValueShape]) -> JSONNode {
        if let fitting = shapes.first(where: { $0.accepts(node) }) { return coerced(node, to: fitting) }
        for shape in shapes {
            let value = coerced(node, to: shape)
            if shape.accepts(value) { return value }
        }
        return node
    }

    private static func string(_ node: JSONNode) -> JSONNode {
        switch node.value {
        case .number(let number): JSONNode(.string(number.literal), offset: node.offset)
        case .bool(let value): JSONNode(.string(value ? "true" : "false"), offset: node.offset)
        default: node
        }
    }

    private static func boolean(_ node: JSONNode) -> JSONNode {
        switch node.string {
        case "true", "True", "TRUE": JSONNode(.bool(true), offset: node.offset)
        case "false", "False", "FALSE": JSONNode(.bool(false), offset: node.offset)
        default: node
        }
    }

    private static func number(_ node: JSONNode) -> JSONNode {
        guard let text = node.string, let parsed = try? JSONParser.parse(Array(text.utf8)), let number = parsed.number
        else { return node }
        return JSONNode(.number(number), offset: node.offset)
    }

    /// A whole number; a negative one becomes 0 if the range begins at 0, as for a delay.
    private static func integer(_ node: JSONNode, _ range: ClosedRange<Int>) -> JSONNode {
        let node = number(node)
        guard let number = node.number else { return node }
        var whole = number.integer
        if whole == nil { whole = Int(exactly: number.double.rounded(.towardZero)) }
        if let value = whole, value < 0, range.lowerBound == 0 { whole = 0 }
        guard let whole, whole != number.integer else { return node }
        return JSONNode(.number(JSONNumber(literal: String(whole))), offset: node.offset)
    }

    /// One of some words, whatever its case, such as `DAYS`.
    private static func choice(_ node: JSONNode, _ words: [String]) -> JSONNode {
        guard let text = node.string, !words.contains(text),
            let word = words.first(where: { $0.lowercased() == text.lowercased() })
        else { return node }
        return JSONNode(.string(word), offset: node.offset)
    }
}
