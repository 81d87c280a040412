// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMetering
import MockapiStubMatching

/// The part of a list that a request asks for: which items, in which order, which page.
struct ResourceQuery {
    /// Items of a page if only its number is given. 10.
    private static let pageSize = 10
    /// Conditions and keys of order of a request, together. 16.
    private static let partLimit = 16

    /// Why a query is refused.
    struct Failure: Error {
        let text: String
    }

    private enum Comparison: String, CaseIterable {
        case greaterOrEqual = "_gte"
        case lessOrEqual = "_lte"
        case greater = "_gt"
        case less = "_lt"
        case notEqual = "_ne"
        case like = "_like"
        case equal = ""
    }

    private struct Condition {
        let path: [String]
        let comparison: Comparison
        /// One of them has to fit; of `_ne` none may.
        var values: [Value]

        /// A value of the query as it is compared.
        struct Value {
            let text: String
            let lowered: [UInt8]
            let number: Double?

            init(_ text: String) {
                self.text = text
                lowered = Array(text.lowercased().utf8)
                number = Double(text).flatMap { $0.isFinite ? $0 : nil }
            }
        }
    }

    /// Names that are reported if one is not known. 20.
    private static let toldNames = 20

    private var conditions: [Condition] = []
    private var order: [(path: [String], isDescending: Bool)] = []
    private(set) var page: (number: Int, size: Int)?
    /// The parameters that say nothing of the page, as they came.
    private let rest: [Substring]

    /// Whether all items are asked for, as they stand.
    var isPlain: Bool { conditions.isEmpty && order.isEmpty && page == nil }

    init(_ query: String) throws(Failure) {
        let raw = query.split(ascii: "&")
        var rest: [Substring] = []
        var number: Int?
        var size: Int?
        var directions: [Substring] = []
        var places: [String: Int] = [:]
        for part in raw {
            guard let (name, value) = QueryText.decodedPairs(of: String(part)).first else { continue }
            switch name {
            case "_page": number = try Self.positive(value, "_page")
            case "_limit": size = try Self.positive(value, "_limit")
            case "_sort":
                rest.append(part)
                for key in value.split(ascii: ",") {
                    let isDescending = key.hasPrefix("-")
                    order.append((Self.path(isDescending ? key.dropFirst() : key[...]), isDescending))
                }
            case "_order":
                rest.append(part)
                directions = value.split(ascii: ",")
            case "_", "": rest.append(part)
            case "_embed", "_expand", "_start", "_end", "_per_page":
                throw Failure(
                    text: "\(name) is not known here: _sort, _order, _page and _limit are, and members of the items")
            default:
                rest.append(part)
                if let place = places[name] {
                    conditions[place].values.append(Condition.Value(value))
                } else {
                    places[name] = conditions.count
                    conditions.append(Self.condition(name, value))
                }
            }
            let parts = conditions.reduce(order.count) { $0 + $1.values.count }
            if parts > Self.partLimit {
                throw Failure(text: "a list takes at most \(Self.partLimit) conditions")
            }
        }
        for (index, direction) in directions.enumerated() where index < order.count {
            guard direction == "asc" || direction == "desc" else {
                throw Failure(text: "_order: expected asc or desc, found \(direction)")
            }
            if direction == "desc" { order[index].isDescending = true }
        }
        self.rest = rest
        if number != nil || size != nil { page = (number ?? 1, size ?? Self.pageSize) }
    }

    private static func positive(_ text: String, _ name: String) throws(Failure) -> Int {
        guard let number = Int(text), (1...1_000_000_000).contains(number) else {
            throw Failure(text: "\(name): expected a whole number from 1, found \(text)")
        }
        return number
    }

    private static func condition(_ name: String, _ value: String) -> Condition {
        let comparison = Comparison.allCases.first { name.hasSuffix($0.rawValue) && name != $0.rawValue } ?? .equal
        return Condition(
            path: path(name.dropLast(comparison.rawValue.count)), comparison: comparison,
            values: [Condition.Value(value)])
    }

    /// The names of a place inside an item, such as `author.name`.
    private static func path(_ text: Substring) -> [String] {
        text.split(ascii: ".", omittingEmptySubsequences: false).map(String.init)
    }

    // MARK: Items

    /// Why the query cannot be put to some items: a member that none of them has, nor had; nil if it can.
    ///
    /// No client could distinguish an empty list in its place from having nothing.
    func unknownName(among items: [ResourceItem], formerNames: Set<ExactText>, _ meter: Meter) -> Failure? {
        for path in conditions.map(\.path) + order.map(\.path) {
            guard let name = path.first, !(items.isEmpty && formerNames.isEmpty) || name.hasPrefix("_") else {
                continue
            }
            if formerNames.contains(ExactText(name)) { continue }
            if items.contains(where: { Self.value(at: path[...], of: $0.node, meter) != nil }) { continue }
            return Failure(
                text:
                    "no item has \"\(path.joined(separator: "."))\"; \(Self.names(of: items))_sort, _order, _page and _limit "
                    + "are known here")
        }
        return nil
    }

    /// The names of the members of some items, for a client that has asked for another.
    private static func names(of items: [ResourceItem]) -> String {
        var names: [String] = []
        for item in items.prefix(100) {
            for member in item.node.object?.members ?? [] where !names.contains(where: { $0.isExactly(member.name) }) {
                names.append(member.name)
            }
        }
        let told = names.prefix(toldNames).map { $0 + ", " }.joined()
        return names.count > toldNames ? told + "\(names.count - toldNames) more, " : told
    }

    /// The items that fit, in the requested order, of all pages. They mean nothing if the meter has refused something.
    func select(_ items: [ResourceItem], _ meter: Meter) -> [ResourceItem] {
        let fitting =
            conditions.isEmpty ? items : items.filter { item in conditions.allSatisfy { Self.fits(item, $0, meter) } }
        if order.isEmpty { return fitting }
        let keyed = fitting.enumerated().map { place, item in
            (place: place, keys: order.map { SortKey(Self.value(at: $0.path[...], of: item.node, meter)) }, item: item)
        }
        return keyed.sorted { left, right in
            for (index, part) in order.enumerated() {
                guard meter.pay(left.keys[index].cost) else { return false }
                let comparison = left.keys[index].compare(right.keys[index])
                if comparison != 0 { return part.isDescending ? comparison > 0 : comparison < 0 }
            }
            return left.place < right.place
        }.map(\.item)
    }

    /// The items of the page that is asked for.
    func pageOf(_ items: [ResourceItem]) -> ArraySlice<ResourceItem> {
        guard let page else { return items[...] }
        let start = min(items.count, (page.number - 1) * page.size)
        return items[start..<min(items.count, start + page.size)]
    }

    /// The value of Link (RFC 8288 §3) for a list of so many items; nil if no page is asked for.
    func links(_ path: String, count: Int) -> String? {
        guard let page else { return nil }
        let last = max(1, (count + page.size - 1) / page.size)
        var links = [("first", 1)]
        if page.number > 1 { links.append(("prev", min(page.number - 1, last))) }
        if page.number < last { links.append(("next", page.number + 1)) }
        links.append(("last", last))
        return links.map { relation, number in
            let query = (rest.map(Self.encoded) + ["_page=\(number)", "_limit=\(page.size)"]).joined(separator: "&")
            return "<\(path)?\(query)>; rel=\"\(relation)\""
        }.joined(separator: ", ")
    }

    /// A part of a query without the characters that would end a link.
    private static func encoded(_ part: Substring) -> String {
        String(part).replacing(bytesOf: "<", with: "%3C").replacing(bytesOf: ">", with: "%3E").replacing(
            bytesOf: "\"", with: "%22")
    }

    // MARK: Values

    /// The value at a place; nil if there is none, or it was not paid for.
    private static func value(at path: ArraySlice<String>, of node: JSONNode, _ meter: Meter) -> JSONNode? {
        guard let name = path.first else { return node }
        guard meter.pay(steps: 1 + (node.object?.members.count ?? 0) / 8) else { return nil }
        if let elements = node.array {
            guard let index = Int(name), elements.indices.contains(index) else { return nil }
            return value(at: path.dropFirst(), of: elements[index], meter)
        }
        return node[name].flatMap { value(at: path.dropFirst(), of: $0, meter) }
    }

    private static func fits(_ item: ResourceItem, _ condition: Condition, _ meter: Meter) -> Bool {
        let node = value(at: condition.path[...], of: item.node, meter)
        guard let node else { return condition.comparison == .notEqual }
        // A list fits if one of its elements does.
        let nodes = node.array ?? [node]
        let bytes = nodes.reduce(0) { $0 + cost(of: $1) }
        guard condition.values.allSatisfy({ _ in meter.pay(bytes) }) else { return false }
        if condition.comparison == .notEqual {
            return !nodes.contains { node in condition.values.contains { isEqual(node, $0) } }
        }
        return nodes.contains { node in condition.values.contains { fits(node, condition.comparison, $0) } }
    }

    private static func fits(_ node: JSONNode, _ comparison: Comparison, _ value: Condition.Value) -> Bool {
        switch comparison {
        case .equal: return isEqual(node, value)
        case .notEqual: return !isEqual(node, value)
        case .like: return contains(Array(text(of: node).lowercased().utf8), value.lowered)
        case .greaterOrEqual: return compare(node, value).map { $0 >= 0 } ?? false
        case .lessOrEqual: return compare(node, value).map { $0 <= 0 } ?? false
        case .greater: return compare(node, value).map { $0 > 0 } ?? false
        case .less: return compare(node, value).map { $0 < 0 } ?? false
        }
    }

    private static func isEqual(_ node: JSONNode, _ value: Condition.Value) -> Bool {
        if text(of: node).utf8.elementsEqual(value.text.utf8) { return true }
        guard let number = node.number, let other = value.number else { return false }
        return number.double == other
    }

    /// Units of comparing a value with another: a text is read, and perhaps written in small letters.
    private static func cost(of node: JSONNode) -> Int { Meter.step + (node.string?.utf8.count ?? 0) }

    private static func text(of node: JSONNode) -> String {
        switch node.value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let number): number.literal
        case .string(let text): text
        case .array, .object: ""
        }
    }

    /// Numbers by value, texts by their scalars; nil if the two are not a pair.
    private static func compare(_ node: JSONNode, _ value: Condition.Value) -> Int? {
        if let number = node.number {
            guard let other = value.number else { return nil }
            return number.double < other ? -1 : number.double > other ? 1 : 0
        }
        guard let text = node.string else { return nil }
        return SortKey.compare(text, value.text)
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { text in part.withUnsafeBufferPointer { text.contains($0) } }
    }
}

/// The key that an item is sorted by: nothing and null first, then false and true, numbers, texts, and the rest as they
/// stand.
private enum SortKey {
    case none
    case bool(Bool)
    case number(Double)
    case text(String)
    case other

    init(_ node: JSONNode?) {
        switch node?.value {
        case nil, .null: self = .none
        case .bool(let value): self = .bool(value)
        case .number(let number): self = .number(number.double)
        case .string(let text): self = .text(text)
        case .array, .object: self = .other
        }
    }

    /// Units of comparing it with another.
    var cost: Int { if case .text(let text) = self { (Meter.step + text.utf8.count) / 2 } else { Meter.step / 2 } }

    private var kind: Int {
        switch self {
        case .none: 0
        case .bool: 1
        case .number: 2
        case .text: 3
        case .other: 4
        }
    }

    func compare(_ other: SortKey) -> Int {
        switch (self, other) {
        case (.bool(let left), .bool(let right)): (left ? 1 : 0) - (right ? 1 : 0)
        case (.number(let left), .number(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.text(let left), .text(let right)): Self.compare(left, right)
        default: kind - other.kind
        }
    }

    static func compare(_ left: String, _ right: String) -> Int {
        if left.utf8.elementsEqual(right.utf8) { return 0 }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }
}
