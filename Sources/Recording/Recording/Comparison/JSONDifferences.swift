// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiSecrets

/// The differences between one JSON value and another.
struct JSONDifferences {
    struct Difference: Equatable {
        enum Kind {
            case changed, added, removed
        }

        /// Such as `$.items[*].updated_at`.
        var path: String
        /// The nearest member's name, which people call the place by.
        var name: String
        var kind: Kind
        var old: JSONNode
        var new: JSONNode
    }

    private let masks: [String: VolatilePath.Kind]
    private(set) var differences: [Difference] = []

    /// - Parameter volatile: places whose values do not count; their presence, null and their types do.
    init(_ old: JSONNode, _ new: JSONNode, volatile: [VolatilePath] = []) {
        masks = Dictionary(volatile.map { ($0.path, $0.kind) }, uniquingKeysWith: { first, _ in first })
        compare(old, new, "$", "$")
    }

    private mutating func compare(_ old: JSONNode, _ new: JSONNode, _ path: String, _ name: String) {
        if let kind = masks[path], forgives(kind, old, new, path, name) { return }
        switch (old.value, new.value) {
        case (.object(let left), .object(let right)):
            compare(left, right, path)
        case (.array(let left), .array(let right)):
            let known = differences.count
            if left.count == right.count {
                for (old, new) in zip(left, right) { compare(old, new, path + "[*]", name) }
                if differences.count == known || !Self.isReordered(left, right) { return }
                differences.removeSubrange(known...)
            }
            differences.append(.init(path: path, name: name, kind: .changed, old: old, new: new))
        default:
            // As they are written: 1 and 1.0 are equal, and a client may well tell them apart.
            guard old != new || old.number?.literal != new.number?.literal else { return }
            if let old = old.string, let new = new.string, Placeholders.areEqual(old, new) { return }
            differences.append(.init(path: path, name: name, kind: .changed, old: old, new: new))
        }
    }

    /// Whether values at a volatile place are alike; for lists it notes the differences in the shape of their elements.
    ///
    /// - Returns: false for values that are compared like all others.
    private mutating func forgives(
        _ kind: VolatilePath.Kind, _ old: JSONNode, _ new: JSONNode, _ path: String, _ name: String
    ) -> Bool {
        switch (old.value, new.value) {
        case (.array(let left), .array(let right)):
            if kind == .order { return Self.isReordered(left, right) }
            differences += JSONShape([old]).differences(to: JSONShape([new]), path, name)
            return true
        case (.string(let left), .string(let right)): return Volatility.isLike(left, right, kind)
        case (.number, .number), (.bool, .bool), (.null, .null): return true
        default: return false
        }
    }

    private mutating func compare(_ left: JSONObject, _ right: JSONObject, _ path: String) {
        // Compares bytes, as JSON's names are equal; the last value of a repeated name counts.
        let old = Self.values(left)
        let new = Self.values(right)
        for member in left.members {
            let inner = JSONPlace.member(path, member.name)
            if let other = new[Array(member.name.utf8)] {
                compare(member.value, other, inner, member.name)
            } else {
                differences.append(
                    .init(path: inner, name: member.name, kind: .removed, old: member.value, new: .null))
            }
        }
        for member in right.members where old[Array(member.name.utf8)] == nil {
            let inner = JSONPlace.member(path, member.name)
            differences.append(.init(path: inner, name: member.name, kind: .added, old: .null, new: member.value))
        }
    }

    private static func values(_ object: JSONObject) -> [[UInt8]: JSONNode] {
        Dictionary(object.members.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { $1 })
    }

    /// Arrays up to this length are looked at for another order of the same elements. 1,000.
    private static let orderLimit = 1000

    /// Whether two arrays have the same elements in another order.
    static func isReordered(_ left: [JSONNode], _ right: [JSONNode]) -> Bool {
        guard left.count == right.count, left.count <= orderLimit else { return false }
        let texts = { (nodes: [JSONNode]) in
            nodes.map { JSONWriter.compact($0) }.sorted { $0.lexicographicallyPrecedes($1) }
        }
        return texts(left) == texts(right)
    }
}
