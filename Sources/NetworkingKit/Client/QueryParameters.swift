// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// Parameters as the names and values of a query or a form.
enum QueryParameters {
    static func items(_ parameters: [String: Any]) throws(ClientError.RequestFailure) -> [URLQueryItem] {
        var items: [URLQueryItem] = []
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            guard let value = unwrapped(value) else { continue }
            for value in value as? [Any] ?? [value] {
                guard let value = unwrapped(value) else { continue }
                items.append(URLQueryItem(name: name, value: try text(value, name)))
            }
        }
        return items
    }

    /// - Returns: nil for a name without a value.
    private static func text(_ value: Any, _ name: String) throws(ClientError.RequestFailure) -> String? {
        switch value {
        case is NSNull: nil
        case let value as any LosslessStringConvertible: value.description
        case let value as NSNumber: value.description
        case let value as any RawRepresentable: try text(value.rawValue, name)
        case let value as URL: value.absoluteString
        case let value as UUID: value.uuidString
        default: throw .value(name: name, type: "\(type(of: value))")
        }
    }

    private static func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any OptionalValue else { return value }
        return optional.wrapped
    }
}

/// An optional inside of `Any`.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { map { $0 } }
}
