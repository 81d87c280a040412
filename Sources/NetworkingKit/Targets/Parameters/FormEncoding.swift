// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// How parameters become the names and values of a query or a form, sorted by name: the one rule for all of the library.
public struct FormEncoding: Hashable, Sendable {
    public enum Arrays: Hashable, Sendable {
        /// `key=a&key=b`
        case repeated
        /// `key[]=a&key[]=b`
        case brackets
        /// `key[0]=a&key[1]=b`
        case indexInBrackets
    }

    public enum Booleans: Hashable, Sendable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal
    }

    /// Repeated names, `true` and `false`, `NSNull` as a name alone; what has no text is refused.
    public static let plain = FormEncoding()

    public var arrays: Arrays
    public var booleans: Booleans
    /// Whether `NSNull` is its name alone; else it is left out, as nil always is.
    public var namesNulls: Bool
    /// Whether dictionaries are `key[sub]=a` and whatever has no text is there by its description; else both are refused.
    public var takesAnything: Bool

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
            // A list of Any keeps what its values are, such as an enum by its raw value.
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

    /// The text of what is known to have one.
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
