// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText
package import MockapiMetering

/// A value that a template works with.
package enum TemplateValue: Sendable {
    case json(JSONNode)
    case date(TemplateDate)
    /// A list that a helper made: prints as WireMock's do, `[1, 2, three]`.
    case list([TemplateValue])
    /// The values of one name, such as a header's: prints the first.
    case several([String])
    /// A value that is worked out only if it is asked for.
    case object(any TemplateObject)

    package static let null = TemplateValue.json(.null)
    package static func string(_ text: String) -> TemplateValue { .json(.string(text)) }
    package static func bool(_ value: Bool) -> TemplateValue { .json(.bool(value)) }
    package static func integer(_ value: some BinaryInteger) -> TemplateValue { .json(.integer(value)) }

    /// - Parameter text: a number in the grammar of JSON, or one with zeros in front.
    package init(number text: String) {
        if let integer = Int(text) {
            self = .integer(integer)
        } else if let value = Double(text) {
            self = TemplateValue(value, literal: text)
        } else {
            self = .null
        }
    }

    /// A number as Swift writes it; a text if JSON has no such number.
    init(_ value: Double, literal: String? = nil) {
        let text = literal ?? "\(value)"
        let isNumber = value.isFinite && !(text.hasPrefix("0") && text.dropFirst().first.map { $0 != "." } ?? false)
        self = isNumber ? .json(JSONNode(.number(JSONNumber(literal: text)))) : .string("\(value)")
    }
}

/// A value whose members are worked out when they are asked for.
package protocol TemplateObject: Sendable {
    /// Nil if there is no such member.
    func member(_ name: String) -> TemplateValue?
    /// The text that it prints.
    var text: String { get }
    /// The same, paid for as it is made; nil if it was not paid for.
    func text(meter: Meter) -> String?
    /// The members that `each` goes through by name; empty if it has elements.
    var members: [(name: String, value: TemplateValue)] { get }
    /// The elements that `each` goes through by number; nil for an object with members.
    var elements: [TemplateValue]? { get }
    /// How many elements there are, without making them; nil for an object with members.
    var elementCount: Int? { get }
    /// Bytes, or values, that are read to find a member, each time that it is asked for.
    func reading(_ name: String) -> Int
}

extension TemplateObject {
    package var text: String { String(decoding: JSONWriter.compact(TemplateValue.object(self).node), as: UTF8.self) }
    package func text(meter: Meter) -> String? { text }
    package var members: [(name: String, value: TemplateValue)] { [] }
    package var elements: [TemplateValue]? { nil }
    package var elementCount: Int? { elements?.count }
    package func reading(_ name: String) -> Int { 0 }
}

extension TemplateValue {
    package var isNull: Bool {
        if case .json(let node) = self { node.isNull } else { false }
    }

    /// The elements of a list; nil for a value that is not a list.
    var elements: [TemplateValue]? {
        switch self {
        case .json(let node): node.array.map { $0.map { .json($0) } }
        case .list(let elements): elements
        case .several(let texts): texts.map { .string($0) }
        case .object(let object): object.elements
        case .date: nil
        }
    }

    /// How many elements a list has; nil for a value that is not a list.
    var elementCount: Int? {
        switch self {
        case .json(let node): node.array?.count
        case .list(let elements): elements.count
        case .several(let texts): texts.count
        case .object(let object): object.elementCount
        case .date: nil
        }
    }

    /// Whether it is one value, though it has a list's form.
    var isOneOfSeveral: Bool {
        if case .several(let texts) = self { texts.count == 1 } else { false }
    }

    /// The members of an object; nil for a value that is not an object.
    var members: [(name: String, value: TemplateValue)]? {
        switch self {
        case .json(let node): node.object.map { $0.members.map { ($0.name, .json($0.value)) } }
        case .object(let object): object.elementCount == nil ? object.members : nil
        case .list, .several, .date: nil
        }
    }

    /// Whether `if` renders its content: not for null, false, 0, an empty text and an empty list.
    var isTrue: Bool {
        switch self {
        case .json(let node):
            switch node.value {
            case .null: false
            case .bool(let value): value
            case .number(let number): number.double != 0
            case .string(let text): !text.isEmpty
            case .array(let elements): !elements.isEmpty
            case .object: true
            }
        case .date: true
        case .list(let elements): !elements.isEmpty
        case .several(let texts): texts.count > 1 || texts.first.map { !$0.isEmpty } ?? false
        case .object(let object): object.elementCount != 0
        }
    }

    /// The text that the value prints.
    package var text: String {
        switch self {
        case .json(let node):
            switch node.value {
            case .null: ""
            case .bool(let value): value ? "true" : "false"
            case .number(let number): number.literal
            case .string(let text): text
            case .array, .object: String(decoding: JSONWriter.compact(node), as: UTF8.self)
            }
        case .date(let date): date.text
        case .list(let elements): "[" + elements.map { $0.isNull ? "null" : $0.text }.joined(separator: ", ") + "]"
        case .several(let texts): texts.first ?? ""
        case .object(let object): object.text
        }
    }

    /// The value as JSON.
    var node: JSONNode {
        switch self {
        case .json(let node): return node
        case .date(let date): return .string(date.text)
        case .list(let elements): return .array(elements.map(\.node))
        case .several(let texts): return texts.count == 1 ? .string(texts[0]) : .array(texts.map { .string($0) })
        case .object(let object):
            if let elements = object.elements { return .array(elements.map(\.node)) }
            let members = object.members.map { JSONObject.Member(name: $0.name, value: $0.value.node) }
            return JSONNode(.object(JSONObject(members)))
        }
    }

    /// The value of a name, or of a number of a list; nil if there is none.
    func member(_ name: String) -> TemplateValue? {
        switch self {
        case .json(let node):
            if let object = node.object { return object[name].map { .json($0) } }
            if name == "length", let text = node.string { return .integer(text.utf16.count) }
            return node.array.flatMap { Self.element(name, of: $0.count) { .json(node.array?[$0] ?? .null) } }
        case .list(let elements): return Self.element(name, of: elements.count) { elements[$0] }
        case .several(let texts): return Self.element(name, of: texts.count) { .string(texts[$0]) }
        case .object(let object): return object.member(name)
        case .date: return nil
        }
    }

    /// Bytes, or values, that are read to find a member.
    func reading(_ name: String) -> Int {
        switch self {
        case .json(let node): node.object?.members.count ?? 0
        case .object(let object): object.reading(name)
        case .list, .several, .date: 0
        }
    }

    /// An element by its number, or a property of the list.
    package static func element(_ name: String, of count: Int, _ element: (Int) -> TemplateValue) -> TemplateValue? {
        if let index = Int(name) { return index >= 0 && index < count ? element(index) : nil }
        switch name {
        case "first": return count > 0 ? element(0) : nil
        case "last": return count > 0 ? element(count - 1) : nil
        case "length", "size": return .integer(count)
        default: return nil
        }
    }

    /// A single one of several values as the text that it is.
    var single: TemplateValue {
        if case .several(let texts) = self, texts.count == 1 { return .string(texts[0]) }
        if case .object(let object) = self, object.elementCount == 1, let element = object.elements?.first {
            return element
        }
        return self
    }

    /// The value as a whole number; nil if it is not one.
    var integer: Int? {
        switch single {
        case .json(let node):
            if let number = node.number { return number.integer }
            return node.string.flatMap { Int($0) }
        default: return nil
        }
    }

    /// The value as a number; nil if it is not one.
    var double: Double? {
        switch single {
        case .json(let node): node.number?.double ?? node.string.flatMap { Double($0) }
        default: nil
        }
    }

    /// Whether both are the same: texts by their bytes, numbers by their value, lists and objects by their contents.
    func equals(_ other: TemplateValue) -> Bool {
        let (left, right) = (single, other.single)
        if case .date(let one) = left, case .date(let two) = right { return one.milliseconds == two.milliseconds }
        return left.node == right.node
    }
}

/// One round of a loop, and the names that it gives: made when they are asked for.
struct LoopRound {
    let index: Int
    let count: Int
    /// The name of a member; nil for an element of a list.
    let name: String?
    /// Whether it is one of WireMock's: a condition is a text, its own name or none, and members are neither odd nor even.
    let isWireMock: Bool

    var key: TemplateValue { name.map { .string($0) } ?? .integer(index) }

    subscript(_ name: String) -> TemplateValue? {
        switch name {
        case "index": .integer(index)
        case "index_1": .integer(index + 1)
        case "key": key
        case "first": flag(name, index == 0)
        case "last": flag(name, index == count - 1)
        case "odd", "even":
            self.name != nil && isWireMock ? nil : flag(name, (index % 2 == 1) == (name == "odd"))
        default: nil
        }
    }

    private func flag(_ name: String, _ holds: Bool) -> TemplateValue {
        isWireMock ? .string(holds ? name : "") : .bool(holds)
    }
}
