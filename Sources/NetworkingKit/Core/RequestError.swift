// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// Why the parts of a request make none.
public enum RequestError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    /// The method is no token (RFC 9110 §5.6.2).
    case method(String)
    /// The name of a field is no token, or its value holds CR, LF or NUL (RFC 9110 §5.5).
    case header(name: String, value: String)
    case url(String)

    public var description: String {
        switch self {
        case .method(let method): "\(method.debugDescription) is no method: a method is a token such as GET"
        case .header(let name, let value):
            "\(name.debugDescription): \(value.debugDescription) is no field: a name is a token, a value has no line break and no NUL"
        case .url(let url): "\(url.debugDescription) is no URL that a query can be added to"
        }
    }

    public var errorDescription: String? { description }
}
