// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// How parameters become the names and values of a query or a form, sorted by name: the one rule for all of the library.
public struct FormEncoding: Hashable, Sendable {
    /// How the values of a list are named.
    public enum Arrays: Hashable, Sendable {
        /// `key=a&key=b`
        case repeated
        /// `key[]=a&key[]=b`
        case brackets
        /// `key[0]=a&key[1]=b`
        case indexInBrackets

        /// `repeated`, by the name that `URLEncoding` has for it.
        public static let noBrackets = Arrays.repeated
    }

    /// How truth values are written.
    public enum Booleans: Hashable, Sendable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal
    }

    /// Repeated names, `true` and `false`, `NSNull` as a name alone; a value without a text is refused.
    public static let plain = FormEncoding()

    /// How the values of a list are named.
    public var arrays: Arrays
    /// How truth values are written.
    public var booleans: Booleans
    /// Whether `NSNull` is its name alone; else it is left out, as nil always is.
    public var namesNulls: Bool
    /// Whether dictionaries are `key[sub]=a` and whatever has no text is there by its description; else both are refused.
    public var takesAnything: Bool

    /// Makes an encoding.
    public init(
        arrays: Arrays = .repeated, booleans: Booleans = .literal, namesNulls: Bool = true, takesAnything: Bool = false
    ) {
        self.arrays = arrays
        self.booleans = booleans
        self.namesNulls = namesNulls
        self.takesAnything = takesAnything
    }

    /// - Throws: `RequestError.value`.
    public func items(_ parameters: [String: Any]) throws(RequestError) -> [URLQueryItem] {
        var items: [URLQueryItem] = []
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { try append(value, name, to: &items) }
        return items
    }

    private func append(_ value: Any, _ name: String, to items: inout [URLQueryItem]) throws(RequestError) {
        guard let value = ParameterValue.unwrapped(value) else { return }
        switch ParameterValue(Self.raw(value)) {
        case .null: if namesNulls { items.append(URLQueryItem(name: name, value: nil)) }
        case .bool(let bool): items.append(URLQueryItem(name: name, value: text(bool)))
        case .number(_, let text), .string(let text): items.append(URLQueryItem(name: name, value: text))
        case .array(let values):
            // A list of Any keeps the types of its values, such as an enum by its raw value.
            let list = value as? [Any]
            for index in values.indices {
                try append(list?[index] ?? values[index], self.name(name, index), to: &items)
            }
        case .dictionary:
            guard takesAnything, let members = value as? [String: Any] else {
                throw .value(name: name, type: "\(type(of: value))")
            }
            for (member, value) in members.sorted(by: { $0.key < $1.key }) {
                try append(value, "\(name)[\(member)]", to: &items)
            }
        case .other(let text, let type):
            guard takesAnything else { throw .value(name: name, type: type) }
            items.append(URLQueryItem(name: name, value: text))
        }
    }

    private func name(_ name: String, _ index: Int) -> String {
        switch arrays {
        case .repeated: name
        case .brackets: "\(name)[]"
        case .indexInBrackets: "\(name)[\(index)]"
        }
    }

    private func text(_ bool: Bool) -> String {
        switch booleans {
        case .numeric: bool ? "1" : "0"
        case .literal: bool ? "true" : "false"
        }
    }

    /// The text of a value that is known to have one.
    private static func raw(_ value: Any) -> Any {
        switch value {
        case let value as URL: value.absoluteString
        case let value as UUID: value.uuidString
        case let value as any RawRepresentable: raw(value.rawValue)
        case is Bool, is any BinaryInteger, is any BinaryFloatingPoint, is any StringProtocol: value
        case let value as any LosslessStringConvertible: value.description
        default: value
        }
    }
}

/// A parameter, by the form it takes in a query or in JSON.
package enum ParameterValue {
    case null
    case bool(Bool)
    /// A number as JSONSerialization takes it, and its text.
    case number(Any, String)
    case string(String)
    case array([ParameterValue])
    /// The entries, sorted by key.
    case dictionary([(key: String, value: ParameterValue)])
    /// Anything else, by its description, and its type.
    case other(String, type: String)

    package init(_ value: Any) {
        // Compares the exact type: a number may be asked for a Boolean, and gives one.
        if type(of: value) == Bool.self, let bool = value as? Bool {
            self = .bool(bool)
            return
        }
        switch value {
        case let text as any StringProtocol: self = .string(String(text))
        case let number as any BinaryInteger: self = Self.integer(number)
        case let number as any BinaryFloatingPoint: self = Self.fraction(Double(number), "\(number)")
        case let number as Decimal:
            self =
                number.isNaN ? .other("NaN", type: "Decimal") : .number(NSDecimalNumber(decimal: number), "\(number)")
        default: self.init(structured: value)
        }
    }

    package init(_ parameters: [String: Any]) {
        self = .dictionary(parameters.sorted { $0.key < $1.key }.map { ($0.key, ParameterValue($0.value)) })
    }

    private init(structured value: Any) {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: self = mirror.children.first.map { ParameterValue($0.value) } ?? .null
        case .collection: self = .array(mirror.children.map { ParameterValue($0.value) })
        case .dictionary:
            self =
                (value as? [String: Any]).map { ParameterValue($0) } ?? .other("\(value)", type: "\(type(of: value))")
        default: self = value is NSNull ? .null : .other("\(value)", type: "\(type(of: value))")
        }
    }

    private static func integer(_ number: some BinaryInteger) -> ParameterValue {
        if let signed = Int64(exactly: number) { return .number(signed, "\(number)") }
        return UInt64(exactly: number).map { .number($0, "\(number)") }
            ?? .other("\(number)", type: "\(type(of: number))")
    }

    private static func fraction(_ number: Double, _ text: String) -> ParameterValue {
        number.isFinite ? .number(number, text) : .other(text, type: "Double")
    }

    /// The value in an optional, however deep; nil if there is none.
    package static func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any OptionalValue else { return value }
        return optional.wrapped.flatMap { unwrapped($0) }
    }

    /// The value as JSONSerialization takes it.
    package func json(at path: String = "") throws(RequestError) -> Any {
        switch self {
        case .null: return NSNull()
        case .bool(let bool): return bool
        case .number(let number, _): return number
        case .string(let text): return text
        case .array(let values):
            var array: [Any] = []
            for (index, value) in values.enumerated() { array.append(try value.json(at: "\(path)[\(index)]")) }
            return array
        case .dictionary(let members):
            var object: [String: Any] = [:]
            for (key, value) in members { object[key] = try value.json(at: path.isEmpty ? key : "\(path)[\(key)]") }
            return object
        case .other(let text, _): throw .parameter(path: path, value: text)
        }
    }
}

/// An optional inside of `Any`.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { map { $0 } }
}
