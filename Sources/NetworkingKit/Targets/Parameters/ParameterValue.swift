// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// A parameter, by the form it takes in a query or in JSON.
enum ParameterValue {
    case null
    case bool(Bool)
    /// A number as JSONSerialization takes it, and its text.
    case number(Any, String)
    case string(String)
    case array([ParameterValue])
    /// By sorted keys.
    case dictionary([(key: String, value: ParameterValue)])
    /// Anything else, by its description, and its type.
    case other(String, type: String)

    init(_ value: Any) {
        // By the exact type: a number may be asked for a Boolean, and gives one.
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

    init(_ parameters: [String: Any]) {
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

    /// What is in an optional, however deep; nil where that is nothing.
    static func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any OptionalValue else { return value }
        return optional.wrapped.flatMap { unwrapped($0) }
    }

    /// The value as JSONSerialization takes it.
    func json(at path: String = "") throws(ParameterError) -> Any {
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
        case .other(let text, _): throw ParameterError(path: path, value: text)
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
