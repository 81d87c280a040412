// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// The common shape of the values at one place: their types, and their contents.
struct JSONShape {
    private struct Types: OptionSet {
        let rawValue: Int

        static func of(_ node: JSONNode) -> Types {
            switch node.value {
            case .null: Types(rawValue: 1)
            case .bool: Types(rawValue: 2)
            case .number: Types(rawValue: 4)
            case .string: Types(rawValue: 8)
            case .array: Types(rawValue: 16)
            case .object: Types(rawValue: 32)
            }
        }
    }

    private struct Member {
        var shape = JSONShape()
        /// In how many objects it is.
        var count = 0
    }

    private var types: Types = []
    private var objects = 0
    private var members: [String: Member] = [:]
    /// In the order they came.
    private var names: [String] = []
    /// The shape of all elements of all arrays; one or none.
    private var elements: [JSONShape] = []

    init() {}

    /// The shape that all of the values have.
    init(_ nodes: [JSONNode]) {
        for node in nodes { add(node) }
    }

    private mutating func add(_ node: JSONNode) {
        types.formUnion(.of(node))
        switch node.value {
        case .array(let nodes):
            if elements.isEmpty, !nodes.isEmpty { elements = [JSONShape()] }
            for node in nodes { elements[0].add(node) }
        case .object(let object):
            objects += 1
            for member in object.members {
                if members[member.name] == nil { names.append(member.name) }
                members[member.name, default: Member()].shape.add(member.value)
                members[member.name, default: Member()].count += 1
            }
        default: return
        }
    }

    /// The differences of another shape from this one; nothing is known of the elements of empty arrays.
    func differences(to other: JSONShape, _ path: String, _ name: String) -> [JSONDifferences.Difference] {
        if types.isEmpty || other.types.isEmpty { return [] }
        guard types.isSuperset(of: other.types) else { return [Self.difference(path, name, .changed)] }
        var found: [JSONDifferences.Difference] = []
        if objects > 0, other.objects > 0 {
            for name in names {
                guard let old = members[name] else { continue }
                let inner = JSONPlace.member(path, name)
                let new = other.members[name]
                if old.count >= objects, new?.count ?? 0 < other.objects {
                    found.append(Self.difference(inner, name, .removed))
                } else if let new {
                    found += old.shape.differences(to: new.shape, inner, name)
                }
            }
            for name in other.names where members[name] == nil {
                found.append(Self.difference(JSONPlace.member(path, name), name, .added))
            }
        }
        if let old = elements.first, let new = other.elements.first {
            found += old.differences(to: new, path + "[*]", name)
        }
        return found
    }

    private static func difference(
        _ path: String, _ name: String, _ kind: JSONDifferences.Difference.Kind
    ) -> JSONDifferences.Difference {
        .init(path: path, name: name, kind: kind, old: .null, new: .null)
    }
}
