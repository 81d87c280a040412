// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// An item of a collection; a change makes another.
final class ResourceItem: Sendable {
    /// As it stands in a path, decoded.
    let id: String
    let isInteger: Bool
    let node: JSONNode
    /// Compact JSON.
    let text: [UInt8]
    let hash: UInt64

    init(id: String, isInteger: Bool, node: JSONNode) {
        self.id = id
        self.isInteger = isInteger
        self.node = node
        text = JSONWriter.compact(node)
        hash = ContentHash.of(text)
    }

    /// A strong validator (RFC 9110 §8.8.3): items that are the same byte for byte have the same.
    var entityTag: String { "\"\(hash.hexadecimal)\"" }
}

/// The items of a collection in their order, found by their ids.
struct ResourceItems: Sendable {
    /// In the order in which they came; nil if an item was that is deleted.
    private(set) var slots: [ResourceItem?] = []
    private var places: [ExactText: Int] = [:]
    /// Bytes of all items.
    private(set) var size = 0
    private var textIDs = 0
    /// Names that are remembered of items that are no more. 1,000.
    private static let formerLimit = 1000
    /// The members that items had which have been deleted or replaced.
    private(set) var formerNames: Set<ExactText> = []
    private var nextInteger = 1

    init(_ items: [ResourceItem] = []) {
        slots.reserveCapacity(items.count)
        for item in items { append(item) }
    }

    var count: Int { places.count }
    /// Whether the ids are whole numbers.
    var hasIntegerIDs: Bool { textIDs == 0 }

    subscript(id: String) -> ResourceItem? { places[ExactText(id)].flatMap { slots[$0] } }

    /// Whether an item may be added, or take the place of another.
    func hasRoom(for item: ResourceItem) -> Bool {
        let old = self[item.id]
        return (old != nil || count < Resource.itemLimit)
            && size - (old?.text.count ?? 0) + item.text.count <= Resource.sizeLimit
    }

    /// The next whole number that no item has had; nil after the greatest.
    mutating func reserveInteger() -> Int? {
        guard nextInteger < .max else { return nil }
        defer { nextInteger += 1 }
        return nextInteger
    }

    mutating func append(_ item: ResourceItem) {
        places[ExactText(item.id)] = slots.count
        slots.append(item)
        count(item, 1)
        if item.isInteger, let number = Int(item.id), number >= nextInteger, number < .max { nextInteger = number + 1 }
    }

    /// Puts an item in the place of the one with its id.
    mutating func replace(with item: ResourceItem) {
        guard let place = places[ExactText(item.id)], let old = slots[place] else { return append(item) }
        count(old, -1)
        count(item, 1)
        slots[place] = item
    }

    mutating func remove(_ id: String) {
        guard let place = places.removeValue(forKey: ExactText(id)), let old = slots[place] else { return }
        count(old, -1)
        slots[place] = nil
        if slots.count > 32, slots.count > 2 * places.count { compact() }
    }

    private mutating func count(_ item: ResourceItem, _ sign: Int) {
        if sign < 0, formerNames.count < Self.formerLimit {
            for member in item.node.object?.members ?? [] { formerNames.insert(ExactText(member.name)) }
        }
        size += sign * item.text.count
        if !item.isInteger { textIDs += sign }
    }

    /// Closes the gaps that deleted items have left.
    private mutating func compact() {
        slots.removeAll { $0 == nil }
        for (place, item) in slots.enumerated() {
            if let item { places[ExactText(item.id)] = place }
        }
    }
}
