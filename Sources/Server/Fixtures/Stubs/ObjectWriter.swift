// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// An object of a stub file that is put together key by key; its members stand in the order in which their keys were first added.
package struct ObjectWriter: Sendable {
    private enum Kind {
        case value(JSONNode)
        /// An object whose names are the user's, or a list: either grows.
        case map, list
    }

    private struct Part {
        var name: String
        var kind: Kind
        var members: [JSONObject.Member] = []
        var elements: [JSONNode] = []

        var node: JSONNode {
            switch kind {
            case .value(let node): node
            case .map: JSONNode(.object(JSONObject(members)))
            case .list: .array(elements)
            }
        }
    }

    private var parts: [Part] = []

    package init() {}

    package var isEmpty: Bool { parts.isEmpty }
    package var members: [JSONObject.Member] { parts.map { .init(name: $0.name, value: $0.node) } }
    package var node: JSONNode { JSONNode(.object(JSONObject(members))) }

    // MARK: Values

    /// Adds a key with its value, though it may stand there already.
    ///
    /// - Parameter value: nil if the key is left out.
    package mutating func add(_ key: KeyName, _ value: JSONNode?) {
        if let value { parts.append(Part(name: key.rawValue, kind: .value(value))) }
    }

    /// - Parameter text: nil if the key is left out.
    package mutating func add(_ key: KeyName, text: String?) { add(key, text.map { .string($0) }) }
    /// - Parameter number: nil if the key is left out.
    package mutating func add(_ key: KeyName, number: Int?) { add(key, number.map { .integer($0) }) }
    /// - Parameter isOn: whether the key stands there, with true as its value.
    package mutating func add(_ key: KeyName, if isOn: Bool) { if isOn { add(key, .bool(true)) } }
    /// - Parameter texts: if there are none, the key is left out.
    package mutating func add(_ key: KeyName, texts: [String]) {
        add(key, texts.isEmpty ? nil : .array(texts.map { .string($0) }))
    }

    /// The operator of a leaf matcher, which has its name from its type.
    mutating func add(operator leaf: some LeafMatcher, _ operand: JSONNode) {
        parts.append(Part(name: leaf.key, kind: .value(operand)))
    }

    /// The members of another object behind these.
    package mutating func add(contentsOf node: JSONNode) {
        for member in node.object?.members ?? [] { parts.append(Part(name: member.name, kind: .value(member.value))) }
    }

    // MARK: Maps and lists

    /// Adds an element to the list of a key.
    package mutating func append(_ element: JSONNode, to key: KeyName) {
        parts[place(of: key, .list)].elements.append(element)
    }

    /// Adds a name to the map of a key, though it may stand there already.
    package mutating func add(_ name: String, _ value: JSONNode, to key: KeyName) {
        parts[place(of: key, .map)].members.append(.init(name: name, value: value))
    }

    /// Adds a name to the map of a key. If it stands there already, its value is asked for beside the other: both have to match.
    mutating func addAsking(_ name: String, _ value: JSONNode, to key: KeyName) {
        let place = place(of: key, .map)
        guard let known = parts[place].members.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            return parts[place].members.append(.init(name: name, value: value))
        }
        parts[place].members[known].value = Self.node(.and, .array([parts[place].members[known].value, value]))
    }

    /// An object of one member.
    static func node(_ key: KeyName, _ value: JSONNode) -> JSONNode {
        var object = ObjectWriter()
        object.add(key, value)
        return object.node
    }

    /// Adds the name of a field line to the map of a key. If it stands there already it is added with other letters in upper case, since
    /// the names of lines match in any.
    mutating func addField(_ name: String, _ value: JSONNode, to key: KeyName) {
        let known = parts[place(of: key, .map)].members.filter { $0.name.lowercased() == name.lowercased() }
        // One name more than are taken; the few letters of a short name may have no other spelling, and the name is repeated.
        let names = [name] + known.indices.map { Self.spelling(name, $0) } + [Self.spelling(name, known.count)]
        let free = names.first { name in !known.contains { $0.name.utf8.elementsEqual(name.utf8) } }
        add(free ?? name, value, to: key)
    }

    /// A name with those letters in upper case whose bits a number has, the first letter's being the lowest.
    private static func spelling(_ name: String, _ number: Int) -> String {
        var bits = number
        let bytes = name.utf8.map { byte -> UInt8 in
            guard (byte | 0x20) &- UInt8(ascii: "a") < 26 else { return byte }
            defer { bits >>= 1 }
            return bits & 1 == 1 ? byte & ~0x20 : byte | 0x20
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func place(of key: KeyName, _ kind: Kind) -> Int {
        if let place = parts.firstIndex(where: { $0.name == key.rawValue }) { return place }
        parts.append(Part(name: key.rawValue, kind: kind))
        return parts.count - 1
    }
}
