// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// A JSON value laid out to be compared: flat nodes with hashes, members in one order, numbers in one spelling.
///
/// It is made once of each expected value and once of a request's body, in time that is linear but for the order of the members.
struct JSONForm: Sendable {
    enum Kind: UInt8 {
        case null, no, yes, number, string, array, object
    }

    struct Node: BitwiseCopyable {
        /// Equal for values that are equal in any order of members and elements.
        var hash: UInt64 = 0
        /// The children among the nodes, as they were written; the place of a string or number among the texts.
        var start: UInt32 = 0
        var count: UInt32 = 0
        /// The place of a member's name among the texts.
        var name: UInt32 = 0
        /// The members of an object among the slots.
        var slotStart: UInt32 = 0
        var slotCount: UInt32 = 0
        /// The number of the placeholder that a string is; -1 for none.
        var placeholder: Int32 = -1
        var kind = Kind.null
        /// Whether it is a placeholder or holds one.
        var hasPlaceholders = false

        var isScalar: Bool { kind != .array && kind != .object }
        var slotRange: Range<Int> { Int(slotStart)..<Int(slotStart) + Int(slotCount) }
    }

    /// A member of an object, of a repeated name the last.
    struct Slot: BitwiseCopyable {
        var nameHash: UInt64
        var node: UInt32
    }

    /// The root is the first; children stand side by side.
    private(set) var nodes: [Node] = []
    /// Members by the hash of their name, then by its bytes.
    private(set) var slots: [Slot] = []
    /// Strings and names as the tree has them, and numbers in their one spelling.
    private var texts: [String] = []
    private(set) var placeholders: [JSONPlaceholder] = []
    private let readsPlaceholders: Bool

    /// Clients cannot know which values share a hash.
    private static let seed = UInt64.random(in: 0 ... .max)

    /// - Parameter readsPlaceholders: whether strings may stand for more than themselves.
    init(_ node: JSONNode, readsPlaceholders: Bool = false) {
        self.readsPlaceholders = readsPlaceholders
        let size = Self.size(of: node)
        nodes.reserveCapacity(size.nodes)
        texts.reserveCapacity(size.texts)
        nodes.append(Node())
        fill(0, node)
    }

    // MARK: Reading

    /// Lends the bytes of a string or number.
    func withBytes<Result>(_ node: Node, _ use: (Bytes) -> Result) -> Result {
        Self.withBytes(texts[Int(node.start)], use)
    }

    /// Lends the bytes of a member's name.
    func withName<Result>(_ node: Node, _ use: (Bytes) -> Result) -> Result {
        Self.withBytes(texts[Int(node.name)], use)
    }

    private static func withBytes<Result>(_ text: String, _ use: (Bytes) -> Result) -> Result {
        var text = text
        return text.withUTF8(use)
    }

    /// Whether a string or number is that of another form.
    func bytes(_ node: Node, equal form: JSONForm, _ other: Node) -> Bool {
        withBytes(node) { left in form.withBytes(other) { left.equals($0) } }
    }

    /// The member of an object that has the name of another form's; nil if there is none.
    func member(of object: Node, named slot: Slot, of form: JSONForm) -> Slot? {
        var low = Int(object.slotStart)
        let end = low + Int(object.slotCount)
        var high = end
        while low < high {
            let middle = (low + high) / 2
            if slots[middle].nameHash < slot.nameHash { low = middle + 1 } else { high = middle }
        }
        while low < end, slots[low].nameHash == slot.nameHash {
            let isSame = withName(nodes[Int(slots[low].node)]) { name in
                form.withName(form.nodes[Int(slot.node)]) { name.equals($0) }
            }
            if isSame { return slots[low] }
            low += 1
        }
        return nil
    }

    /// The members of an object with their names, in byte order.
    func members(_ object: Node) -> [(name: String, slot: Slot)] {
        slots[object.slotRange]
            .map { (name: texts[Int(nodes[Int($0.node)].name)], slot: $0) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// A hash of a member's name and value; nil if the value is a placeholder, an array or an object.
    func key(of slot: Slot) -> UInt64? {
        let node = nodes[Int(slot.node)]
        return node.isScalar && node.placeholder < 0 ? ByteHash.combine(slot.nameHash, node.hash) : nil
    }

    /// The elements of an array in the order of their hashes.
    func byHash(_ array: Node) -> [UInt32] {
        (array.start..<array.start + array.count).sorted { left, right in
            let one = nodes[Int(left)].hash
            let other = nodes[Int(right)].hash
            return one == other ? left < right : one < other
        }
    }

    // MARK: Making

    /// The nodes and texts of a value: a form does not outgrow its memory, which would take twice as much for a moment.
    private static func size(of node: JSONNode) -> (nodes: Int, texts: Int) {
        var size = (nodes: 1, texts: 0)
        func add(_ node: JSONNode) {
            let inner = Self.size(of: node)
            size.nodes += inner.nodes
            size.texts += inner.texts
        }
        switch node.value {
        case .null, .bool: break
        case .number, .string: size.texts = 1
        case .array(let elements): elements.forEach(add)
        case .object(let object):
            size.texts = object.members.count
            for member in object.members { add(member.value) }
        }
        return size
    }

    private mutating func fill(_ place: Int, _ node: JSONNode) {
        switch node.value {
        case .null: set(place, .null, 1)
        case .bool(let value): set(place, value ? .yes : .no, value ? 2 : 3)
        case .number(let number): set(place, .number, number.canonicalText, 4)
        case .string(let string):
            set(place, .string, string, 5)
            guard readsPlaceholders, let placeholder = JSONPlaceholder(string) else { return }
            nodes[place].placeholder = Int32(placeholders.count)
            nodes[place].hasPlaceholders = true
            placeholders.append(placeholder)
        case .array(let elements):
            let first = open(place, elements.count)
            var sum: UInt64 = 0
            for (position, element) in elements.enumerated() {
                fill(first + position, element)
                sum &+= ByteHash.combine(6, nodes[first + position].hash)
                if nodes[first + position].hasPlaceholders { nodes[place].hasPlaceholders = true }
            }
            set(place, .array, ByteHash.combine(sum, UInt64(elements.count)))
        case .object(let object): fill(place, object)
        }
    }

    private mutating func fill(_ place: Int, _ object: JSONObject) {
        let first = open(place, object.members.count)
        var order: [Slot] = []
        order.reserveCapacity(object.members.count)
        for (position, member) in object.members.enumerated() {
            nodes[first + position].name = UInt32(texts.count)
            texts.append(member.name)
            order.append(Slot(nameHash: Self.hash(member.name, 7), node: UInt32(first + position)))
            fill(first + position, member.value)
        }
        order.sort { left, right in
            if left.nameHash != right.nameHash { return left.nameHash < right.nameHash }
            return haveSameName(left, right)
                ? left.node < right.node : nameOf(left).lexicographicallyPrecedes(nameOf(right))
        }
        let slotStart = slots.count
        var sum: UInt64 = 8
        for (position, slot) in order.enumerated() {
            let node = nodes[Int(slot.node)]
            if position + 1 < order.count, haveSameName(slot, order[position + 1]) { continue }
            slots.append(slot)
            sum = ByteHash.combine(ByteHash.combine(sum, slot.nameHash), node.hash)
            if node.hasPlaceholders { nodes[place].hasPlaceholders = true }
        }
        nodes[place].slotStart = UInt32(slotStart)
        nodes[place].slotCount = UInt32(slots.count - slotStart)
        set(place, .object, sum)
    }

    private func nameOf(_ slot: Slot) -> String.UTF8View { texts[Int(nodes[Int(slot.node)].name)].utf8 }

    private func haveSameName(_ left: Slot, _ right: Slot) -> Bool {
        left.nameHash == right.nameHash && nameOf(left).elementsEqual(nameOf(right))
    }

    /// Makes room for the children of a node, side by side.
    private mutating func open(_ place: Int, _ count: Int) -> Int {
        let first = nodes.count
        nodes.append(contentsOf: repeatElement(Node(), count: count))
        nodes[place].start = UInt32(first)
        nodes[place].count = UInt32(count)
        return first
    }

    private mutating func set(_ place: Int, _ kind: Kind, _ hash: UInt64) {
        nodes[place].kind = kind
        nodes[place].hash = ByteHash.combine(Self.seed, hash)
    }

    private mutating func set(_ place: Int, _ kind: Kind, _ text: String, _ tag: UInt64) {
        nodes[place].start = UInt32(texts.count)
        texts.append(text)
        set(place, kind, Self.hash(text, tag))
    }

    private static func hash(_ text: String, _ tag: UInt64) -> UInt64 {
        ByteHash.hash(text, seed: seed &+ tag)
    }
}

/// The JSON of a request's body.
final class JSONBody {
    let tree: JSONNode
    /// The form that it is compared in, made on first use.
    lazy var form = JSONForm(tree)

    init(_ tree: JSONNode) { self.tree = tree }
}
