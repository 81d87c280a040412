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

extension JSONNode {
    /// The value with its numbers as Jayway gives them, which has those with a fraction or an exponent as Java's `double`; nil if it stays as it is.
    package func withJavaNumbers() -> JSONNode? {
        switch value {
        case .number(let number):
            return Self.javaDouble(number.literal).map { JSONNode(.number(JSONNumber(literal: $0))) }
        case .array(let elements):
            let changed = elements.map { $0.withJavaNumbers() }
            if changed.allSatisfy({ $0 == nil }) { return nil }
            return .array(zip(changed, elements).map { $0 ?? $1 })
        case .object(let object):
            let changed = object.members.map { $0.value.withJavaNumbers() }
            if changed.allSatisfy({ $0 == nil }) { return nil }
            return JSONNode(
                .object(
                    JSONObject(
                        zip(changed, object.members).map { .init(name: $1.name, value: $0 ?? $1.value) })))
        case .null, .bool, .string: return nil
        }
    }

    /// Characters of a literal beyond which Jayway keeps all its digits. 18.
    private static let longestDouble = 18

    /// A number as `Double.toString` of Java writes it, such as `1.0E8`; nil for an integer, and for one that keeps its digits.
    private static func javaDouble(_ literal: String) -> String? {
        let bytes = literal.utf8
        guard bytes.count <= longestDouble, bytes.contains(where: { ".eE".utf8.contains($0) }),
            let value = Double(literal), value.isFinite
        else { return nil }
        let sign = value.sign == .minus ? "-" : ""
        // Swift writes the same digits: as few as tell the number from others.
        let parts = "\(value.magnitude)".utf8.split(separator: UInt8(ascii: "e"))
        let mantissa = parts[0].split(separator: UInt8(ascii: "."))
        let exponent = parts.count > 1 ? Int(String(Substring(parts[1]))) ?? 0 : 0
        let all = mantissa.joined()
        let leading = all.prefix { $0 == UInt8(ascii: "0") }.count
        var digits = Array(all.dropFirst(leading))
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        guard !digits.isEmpty else { return sign + "0.0" }
        func text(_ digits: some Sequence<UInt8>) -> String { String(decoding: Array(digits), as: UTF8.self) }
        func fraction(_ digits: some Collection<UInt8>) -> String { digits.isEmpty ? "0" : text(digits) }
        // The value is 0.digits times ten to the power of this.
        let point = mantissa[0].count + exponent - leading
        if point > 7 || point < -2 {
            return "\(sign)\(text(digits.prefix(1))).\(fraction(digits.dropFirst()))E\(point - 1)"
        }
        if point <= 0 { return "\(sign)0.\(String(repeating: "0", count: -point))\(text(digits))" }
        let zeros = String(repeating: "0", count: max(0, point - digits.count))
        return "\(sign)\(text(digits.prefix(point)))\(zeros).\(fraction(digits.dropFirst(point)))"
    }
}
