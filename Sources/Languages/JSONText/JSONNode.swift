// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A JSON value with the properties of its text: order of members, literals of numbers, and places.
///
/// Equality is by value: places do not count, `1` equals `1.0`, and the order of an object's members is free.
package struct JSONNode: Sendable {
    package enum Value: Sendable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONNode])
        case object(JSONObject)
    }

    package var value: Value
    /// Where the value's first byte stands in the text it was read from; 0 for a value made in code.
    package var offset: Int

    package init(_ value: Value, offset: Int = 0) {
        self.value = value
        self.offset = offset
    }
}

extension JSONNode {
    package static let null = JSONNode(.null)
    package static func bool(_ value: Bool) -> JSONNode { JSONNode(.bool(value)) }
    package static func string(_ value: String) -> JSONNode { JSONNode(.string(value)) }
    package static func array(_ elements: [JSONNode]) -> JSONNode { JSONNode(.array(elements)) }
    package static func integer(_ value: some BinaryInteger) -> JSONNode {
        JSONNode(.number(JSONNumber(literal: String(value))))
    }
    /// A number that is finite; null for any other.
    package static func double(_ value: Double) -> JSONNode {
        value.isFinite ? JSONNode(.number(JSONNumber(literal: String(value)))) : .null
    }
    /// An object with its members in the order given.
    package static func object(_ members: KeyValuePairs<String, JSONNode>) -> JSONNode {
        JSONNode(.object(JSONObject(members.map { JSONObject.Member(name: $0.key, value: $0.value) })))
    }

    package var string: String? {
        if case .string(let value) = value { value } else { nil }
    }
    package var bool: Bool? {
        if case .bool(let value) = value { value } else { nil }
    }
    package var number: JSONNumber? {
        if case .number(let value) = value { value } else { nil }
    }
    package var array: [JSONNode]? {
        if case .array(let value) = value { value } else { nil }
    }
    package var object: JSONObject? {
        if case .object(let value) = value { value } else { nil }
    }
    package var isNull: Bool {
        if case .null = value { true } else { false }
    }

    /// The value of an object's member; nil if there is none or this is not an object.
    package subscript(name: String) -> JSONNode? { object?[name] }

    /// The kind of this value, as messages name it.
    package var kindName: String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

extension JSONNode: Equatable {
    package static func == (left: JSONNode, right: JSONNode) -> Bool {
        switch (left.value, right.value) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}
