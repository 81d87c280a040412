// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiMetering

/// A selected value, and where it stands if this is asked for.
struct PathItem {
    var node: JSONNode
    var location: PathLocation?
}

/// A place in a document, as a step below another place.
final class PathLocation: Sendable {
    private let parent: PathLocation?
    private let step: JSONPathStep?

    static let root = PathLocation(parent: nil, step: nil)

    private init(parent: PathLocation?, step: JSONPathStep?) {
        self.parent = parent
        self.step = step
    }

    func below(_ step: JSONPathStep) -> PathLocation { PathLocation(parent: self, step: step) }

    /// The way from the root.
    var steps: [JSONPathStep] {
        var steps: [JSONPathStep] = []
        var place: PathLocation? = self
        while let current = place {
            if let step = current.step { steps.append(step) }
            place = current.parent
        }
        return steps.reversed()
    }
}

/// Evaluates one path on one document, within a number of steps.
///
/// Descending uses a stack of its own, so that deep documents cost no thread's stack; recursion is bounded by the path's nesting.
struct PathEvaluator {
    let root: JSONNode
    var allowance: Allowance
    /// The patterns that stand in the document, compiled.
    var foundPatterns: [FoundPattern: CompiledPattern?] = [:]

    struct FoundPattern: Hashable {
        var text: String
        var isWhole: Bool
    }

    init(root: JSONNode, allowance: Allowance) {
        self.root = root
        self.allowance = allowance
    }

    mutating func spend(_ count: Int) throws(JSONPathGaveUp) {
        guard allowance.pay(steps: count) else { throw JSONPathGaveUp() }
    }

    /// Follows names and indices without making lists.
    mutating func walk(_ path: [JSONPathStep], from start: JSONNode) throws(JSONPathGaveUp) -> JSONNode? {
        var node = start
        for step in path {
            switch (step, node.value) {
            case (.name(let name), .object(let object)):
                try spend(1 + object.members.count / 8)
                guard let value = object[name] else { return nil }
                node = value
            case (.index(let index), .array(let elements)):
                try spend(1)
                let position = index < 0 ? elements.count + index : index
                guard elements.indices.contains(position) else { return nil }
                node = elements[position]
            default: return nil
            }
        }
        return node
    }

    // MARK: Segments

    mutating func items(of query: PathQuery, from start: PathItem) throws(JSONPathGaveUp) -> [PathItem] {
        var items = [start]
        for segment in query.segments {
            var next: [PathItem] = []
            for item in items {
                if segment.isDescendant {
                    try descend(from: item, segment.selectors, into: &next)
                } else {
                    for selector in segment.selectors { try select(selector, of: item, into: &next) }
                }
            }
            items = next
        }
        if query.functions.isEmpty { return items }
        var isDefinite = query.segments.allSatisfy { !$0.isDescendant && $0.isSingle }
        // Behind `$..` Jayway counts the values all together, elsewhere each by itself.
        let countsTogether = query.segments.first?.isDescendant == true
        for function in query.functions {
            let results = try apply(
                function, to: items.map(\.node), isDefinite: isDefinite, countsTogether: countsTogether && !isDefinite,
                current: start.node)
            isDefinite = isDefinite || results.count == 1
            items = results.map { PathItem(node: $0) }
        }
        return items
    }

    /// Applies selectors to a value and to all below it, each before those below it (RFC 9535 §2.5.2.2).
    private mutating func descend(
        from start: PathItem, _ selectors: [PathQuery.Selector], into output: inout [PathItem]
    ) throws(JSONPathGaveUp) {
        let isWildcard = selectors.contains { if case .wildcard = $0 { true } else { false } }
        var stack = [start]
        while let item = stack.popLast() {
            try spend(1)
            let first = stack.count
            // Nothing stands below a scalar, so that a wildcard alone wants it.
            try appendChildren(of: item, to: &stack) { isWildcard || $0.array != nil || $0.object != nil }
            for selector in selectors {
                if case .wildcard = selector {
                    try spendChildren(of: item)
                    output += stack[first...]
                } else {
                    try select(selector, of: item, isDescending: true, into: &output)
                }
            }
            stack[first...].reverse()
        }
    }

    /// Steps of an element that is kept, and of a member, whose name is compared with others.
    private static let ofElement = 2
    private static let ofMember = 3

    private mutating func spendChildren(of item: PathItem) throws(JSONPathGaveUp) {
        switch item.node.value {
        case .array(let elements): try spend(Self.ofElement * elements.count)
        case .object(let object): try spend(Self.ofMember * object.members.count)
        default: break
        }
    }

    private mutating func appendChildren(
        of item: PathItem, to output: inout [PathItem], where isWanted: (JSONNode) -> Bool = { _ in true }
    ) throws(JSONPathGaveUp) {
        try spendChildren(of: item)
        switch item.node.value {
        case .array(let elements):
            for (position, element) in elements.enumerated() where isWanted(element) {
                output.append(PathItem(node: element, location: item.location?.below(.index(position))))
            }
        case .object(let object):
            for member in object.distinctMembers where isWanted(member.value) {
                output.append(PathItem(node: member.value, location: item.location?.below(.name(member.name))))
            }
        default: break
        }
    }

    // MARK: Selectors

    private mutating func select(
        _ selector: PathQuery.Selector, of item: PathItem, isDescending: Bool = false, into output: inout [PathItem]
    ) throws(JSONPathGaveUp) {
        switch selector {
        case .name(let name):
            guard case .object(let object) = item.node.value else { return }
            try spend(1 + object.members.count / 8)
            guard let value = object[name] else { return }
            output.append(PathItem(node: value, location: item.location?.below(.name(name))))
        case .wildcard:
            try appendChildren(of: item, to: &output)
        case .index(let index):
            guard case .array(let elements) = item.node.value else { return }
            try spend(1)
            let position = index < 0 ? elements.count + index : index
            if elements.indices.contains(position) { append(position, of: elements, in: item, to: &output) }
        case .slice(let start, let end, let step):
            guard case .array(let elements) = item.node.value else { return }
            try spend(1)
            try slice(start, end, step, of: elements, in: item, into: &output)
        case .filter(let filter):
            try select(filter, of: item, isDescending: isDescending, into: &output)
        }
    }

    private func append(_ position: Int, of elements: [JSONNode], in item: PathItem, to output: inout [PathItem]) {
        output.append(PathItem(node: elements[position], location: item.location?.below(.index(position))))
    }

    /// Selects a slice (RFC 9535 §2.3.4.2.2).
    private mutating func slice(
        _ start: Int?, _ end: Int?, _ step: Int, of elements: [JSONNode], in item: PathItem,
        into output: inout [PathItem]
    ) throws(JSONPathGaveUp) {
        let count = elements.count
        func normalize(_ index: Int) -> Int { index >= 0 ? index : count + index }
        if step > 0 {
            let lower = min(max(normalize(start ?? 0), 0), count)
            let upper = min(max(normalize(end ?? count), 0), count)
            for position in stride(from: lower, to: upper, by: step) {
                try spend(1)
                append(position, of: elements, in: item, to: &output)
            }
        } else if step < 0 {
            let upper = min(max(start.map(normalize) ?? count - 1, -1), count - 1)
            let lower = min(max(end.map(normalize) ?? -1, -1), count - 1)
            for position in stride(from: upper, to: lower, by: step) {
                try spend(1)
                append(position, of: elements, in: item, to: &output)
            }
        }
    }

    /// Selects the elements or members that a filter accepts; one of Jayway's accepts an object itself.
    private mutating func select(
        _ filter: PathQuery.Filter, of item: PathItem, isDescending: Bool, into output: inout [PathItem]
    ) throws(JSONPathGaveUp) {
        switch item.node.value {
        case .array(let elements):
            for (position, element) in elements.enumerated() {
                try spend(1)
                // On the way down each object is tested when its own turn comes.
                if filter.isJayway, isDescending, element.object != nil { continue }
                if try accepts(filter.expression, element, isJayway: filter.isJayway) {
                    append(position, of: elements, in: item, to: &output)
                }
            }
        case .object where filter.isJayway:
            try spend(1)
            if try accepts(filter.expression, item.node, isJayway: true) { output.append(item) }
        case .object(let object):
            try spend(object.members.count)
            for member in object.distinctMembers
            where try accepts(filter.expression, member.value, isJayway: false) {
                output.append(PathItem(node: member.value, location: item.location?.below(.name(member.name))))
            }
        default: break
        }
    }
}

extension PathQuery.Segment {
    /// Whether it selects one value at most of each value.
    var isSingle: Bool {
        guard selectors.count == 1 else { return false }
        switch selectors[0] {
        case .name, .index: return true
        default: return false
        }
    }
}

extension JSONObject {
    /// The members without those whose name stands again further back.
    var distinctMembers: [Member] {
        if areNamesDistinct { return members }
        var later = Set<[UInt8]>(minimumCapacity: members.count)
        var distinct: [Member] = []
        distinct.reserveCapacity(members.count)
        for member in members.reversed() where later.insert(Array(member.name.utf8)).inserted {
            distinct.append(member)
        }
        return distinct.reversed()
    }

    /// Whether no two names have the same bytes; if two share a hash, also false.
    private var areNamesDistinct: Bool {
        if members.count <= Self.few {
            return members.indices.allSatisfy { place in
                !members[..<place].contains { $0.name.hasSameBytes(as: members[place].name) }
            }
        }
        let hashes = members.map { member in
            var name = member.name
            var hasher = Hasher()
            name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            return hasher.finalize()
        }.sorted()
        return zip(hashes, hashes.dropFirst()).allSatisfy { $0 != $1 }
    }

    /// Members that are compared in pairs, since that takes less than hashes of their names. 8.
    private static let few = 8
}
