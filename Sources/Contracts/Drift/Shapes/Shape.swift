// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiSecrets

/// The facts that JSON values at one place have in common, over all items and all samples.
///
/// Shapes are made of values and merged in any order to the same facts; only which value was seen first differs.
final class Shape {
    private(set) var count = 0
    private(set) var kinds: Kinds = []
    /// The first value of each kind, in the order of `Kinds.each`.
    private var firsts: [Sighting?] = Array(repeating: nil, count: Kinds.each.count)
    private(set) var numbers = NumberFacts()
    private(set) var strings: StringFacts?
    private(set) var arrays: ArrayFacts?
    /// The objects without a member that names their kind.
    private(set) var objects: ObjectFacts?
    /// The objects whose `type`, or a member like it, names their kind.
    private(set) var variants = ByName<ObjectFacts>()
    /// Whether there are too many kinds to be kinds.
    private var isUniform = false

    /// Kinds of objects that are told apart at one place. 32.
    private static let variantLimit = 32

    init() {}

    /// - Parameter folded: the elements of long arrays that are no more in the tree.
    func add(_ node: JSONNode, sample: Int, folded: FoldedArrays? = nil) {
        count += 1
        var kind = Kinds.of(node)
        if case .string(let text) = node.value, Placeholders.isWhole(text) { kind = .any }
        kinds.insert(kind)
        if firsts[kind.index] == nil { firsts[kind.index] = Sighting(node, sample: sample) }
        switch node.value {
        case .number(let number): numbers.add(number, Sighting(node, sample: sample))
        case .string(let text) where kind != .any:
            // A placeholder within leaves nothing to know of the form.
            guard !Placeholders.stand(in: text) else { return }
            var facts = strings ?? StringFacts()
            strings = nil
            facts.add(text, Sighting(node, sample: sample))
            strings = facts
        case .array(let elements):
            if arrays == nil { arrays = ArrayFacts() }
            arrays?.add(elements, sample: sample, folded: folded, offset: node.offset)
        case .object(let object):
            guard !isUniform, let kind = Self.kind(of: object) else {
                if objects == nil { objects = ObjectFacts() }
                objects?.add(object, node, sample: sample, folded: folded)
                return
            }
            if variants[kind] == nil { variants[kind] = ObjectFacts() }
            variants[kind]?.add(object, node, sample: sample, folded: folded)
            if variants.count > Self.variantLimit {
                objects = allObjects
                variants = ByName()
                isUniform = true
            }
        default: break
        }
    }

    func merge(_ other: Shape) {
        count += other.count
        kinds.formUnion(other.kinds)
        for index in firsts.indices { firsts[index] = firsts[index] ?? other.firsts[index] }
        numbers.merge(other.numbers)
        if let more = other.strings {
            var facts = strings ?? StringFacts()
            facts.merge(more)
            strings = facts
        }
        if let more = other.arrays {
            if arrays == nil { arrays = ArrayFacts() }
            arrays?.merge(more)
        }
        if let more = other.objects {
            if objects == nil { objects = ObjectFacts() }
            objects?.merge(more)
        }
        for (kind, more) in other.variants {
            if variants[kind] == nil { variants[kind] = ObjectFacts() }
            variants[kind]?.merge(more)
        }
        isUniform = isUniform || other.isUniform
        if isUniform || variants.count > Self.variantLimit {
            objects = allObjects
            variants = ByName()
            isUniform = true
        }
    }

    /// The first value of a kind.
    func first(_ kind: Kinds) -> Sighting? { firsts[kind.index] }

    /// The first value of any of some kinds, in the order of their places.
    func first(of kinds: Kinds) -> Sighting? {
        Kinds.each.compactMap { kinds.contains($0) ? firsts[$0.index] : nil }.min {
            ($0.sample, $0.offset) < ($1.sample, $1.offset)
        }
    }

    /// The first value that was seen.
    var first: Sighting? { first(of: [.null, .bool, .number, .string, .array, .object, .any]) }

    /// All objects, whatever kinds of them there are; nil if there are none.
    var allObjects: ObjectFacts? {
        if variants.isEmpty { return objects }
        let all = ObjectFacts()
        if let objects { all.merge(objects) }
        for key in variants.keys.sorted() {
            if let variant = variants[key] { all.merge(variant) }
        }
        return all
    }

    /// The members that name the kind of an object, the first that is there counts.
    static let discriminators = ["type", "kind", "__typename", "@type", "_type", "event", "object"]

    /// The member that names an object's kind, and its value; nil if there is none.
    private static func kind(of object: JSONObject) -> String? {
        for name in discriminators {
            guard let member = object.members.first(where: { $0.name == name }) else { continue }
            guard let text = member.value.string, StringFacts.isWord(text) else { continue }
            return "\(name)=\(text)"
        }
        return nil
    }
}

/// The facts that the arrays at one place have in common.
final class ArrayFacts {
    private(set) var count = 0
    /// The shape of all items of all arrays; nil if all are empty.
    private(set) var items: Shape?
    private(set) var shortest = Int.max
    private(set) var longest = 0
    /// The kinds of values by position, if all arrays have the same number of items; else nil.
    private(set) var positions: [Kinds]?

    /// Items of a tuple. 8.
    private static let tupleLimit = 8

    func add(_ elements: [JSONNode], sample: Int, folded: FoldedArrays?, offset: Int) {
        let before = folded?.take(at: offset)
        let length = elements.count + (before?.count ?? 0)
        count += 1
        shortest = min(shortest, length)
        longest = max(longest, length)
        if length > 0, items == nil { items = Shape() }
        if let before { items?.merge(before) }
        for element in elements { items?.add(element, sample: sample, folded: folded) }
        let kinds = length <= Self.tupleLimit ? elements.map(Kinds.of) : nil
        positions = count == 1 ? kinds : Self.merged(positions, kinds)
    }

    func merge(_ other: ArrayFacts) {
        if let more = other.items {
            if items == nil { items = Shape() }
            items?.merge(more)
        }
        positions = count == 0 ? other.positions : Self.merged(positions, other.positions)
        count += other.count
        shortest = min(shortest, other.shortest)
        longest = max(longest, other.longest)
    }

    private static func merged(_ left: [Kinds]?, _ right: [Kinds]?) -> [Kinds]? {
        guard let left, let right, left.count == right.count else { return nil }
        return zip(left, right).map { $0.union($1) }
    }

    /// The kinds by position if these are tuples: several arrays with one kind of value at each position, or null, which are not all the same.
    var tuple: [Kinds]? {
        guard count > 1, let positions, positions.count > 1,
            Set(positions.map { $0.subtracting(.null) }).count > 1,
            positions.allSatisfy({ Kinds.each.contains($0.subtracting(.null)) })
        else { return nil }
        return positions
    }
}

/// The facts that the objects at one place have in common.
final class ObjectFacts {
    struct Member {
        let shape = Shape()
        /// In how many objects it is.
        var count = 0
        /// Which object it was in last.
        fileprivate var lastObject = 0
    }

    private(set) var count = 0
    private(set) var members = ByName<Member>()
    /// The first name that stands twice in an object.
    private(set) var firstRepeated: Sighting?
    private(set) var first: Sighting?

    /// Members of an object that is looked at whether it is a map before each gets a place of its own. 256.
    private static let lookLimit = 256
    /// Members of an object that is a map, whatever they are called. 4,096.
    private static let mapLimit = 4096

    func add(_ object: JSONObject, _ node: JSONNode, sample: Int, folded: FoldedArrays?) {
        count += 1
        if first == nil { first = Sighting(node, sample: sample) }
        let isMap =
            object.members.count > Self.mapLimit
            || object.members.count > Self.lookLimit && MapKeys.areKeys(object.members.map(\.name))
        if isMap {
            var values = members[MapKeys.any] ?? Member()
            values.count += 1
            values.lastObject = count
            for member in object.members { values.shape.add(member.value, sample: sample, folded: folded) }
            members[MapKeys.any] = values
            return
        }
        for member in object.members {
            var known = members[member.name] ?? Member()
            if known.lastObject == count {
                if firstRepeated == nil {
                    firstRepeated = Sighting(member.name, sample: sample, offset: member.nameOffset)
                }
                continue
            }
            known.lastObject = count
            known.count += 1
            known.shape.add(member.value, sample: sample, folded: folded)
            members[member.name] = known
        }
    }

    func merge(_ other: ObjectFacts) {
        for (name, more) in other.members {
            var known = members[name] ?? Member()
            known.count += more.count
            known.lastObject = 0
            known.shape.merge(more.shape)
            members[name] = known
        }
        count += other.count
        firstRepeated = firstRepeated ?? other.firstRepeated
        if let seen = other.first {
            let isEarlier = first.map { (seen.sample, seen.offset) < ($0.sample, $0.offset) } ?? true
            if isEarlier { first = seen }
        }
    }

    /// Whether a member is in every object.
    func isInAll(_ name: String) -> Bool { members[name]?.count ?? 0 >= count }

    /// The values of the members as those of one place, if the names are data.
    func values(but others: Set<String> = []) -> Shape {
        let all = Shape()
        for name in members.keys.sorted() where !others.contains(name) {
            if let member = members[name] { all.merge(member.shape) }
        }
        return all
    }
}

/// The elements of long arrays as shapes, so that no tree holds all of them.
final class FoldedArrays {
    /// Bytes of a text from which on its long arrays are folded. 64 KiB.
    static let limit = 64 * 1024

    private var shapes: [Int: Shape] = [:]

    /// A text as JSON, with the elements of its long arrays here.
    func parse(_ text: [UInt8], sample: Int) throws(JSONError) -> JSONNode {
        try JSONParser.parse(text) { [self] offset, elements in
            let shape = shapes[offset] ?? Shape()
            for element in elements { shape.add(element, sample: sample, folded: self) }
            shapes[offset] = shape
        }
    }

    /// The elements of an array that are not in the tree; nil if all are.
    func take(at offset: Int) -> Shape? { shapes.removeValue(forKey: offset) }
}
