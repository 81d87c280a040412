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
    /// An `APIRequest` goes nowhere.
    case noBaseURL(request: String)
    /// A path has a query or a fragment.
    case path(String)
    /// Parameters that are to go into a query are no dictionary.
    case parameters(method: HTTPMethod, type: String)
    /// A value has no form in a query or a form.
    case value(name: String, type: String)
    /// A value is no JSON.
    case body(type: String)
    /// A property of a request is of a type that cannot be sent.
    case property(String, of: String, type: String, expected: String)
    /// A double was not made for this request.
    case unexpected(curl: String)

    public var description: String {
        switch self {
        case .method(let method): "\(method.debugDescription) is no method: a method is a token such as GET"
        case .header(let name, let value):
            "\(name.debugDescription): \(value.debugDescription) is no field: a name is a token, a value has no line break and no NUL"
        case .url(let url): "\(url.debugDescription) is no URL that a query can be added to"
        case .noBaseURL(let request):
            "\(request) has no base URL: give it a `baseURL`, or send it with a client that has one"
        case .path(let path):
            "\(path.debugDescription) is no path: a query goes into `queryParameters`, and a fragment is never sent"
        case .parameters(let method, let type):
            "the parameters of \(method) are \(type): those of a query are a dictionary with names as keys"
        case .value(let name, let type):
            "\(name.debugDescription) is \(type): a value of a query or a form is text, a number, a Bool, NSNull or an array of these"
        case .body(let type):
            "\(type) is no JSON: use dictionaries, arrays, strings, numbers, Bool and NSNull, or `JSONBodyParameters` of an Encodable"
        case .property(let name, let request, let type, let expected):
            "`\(name)` of \(request) is \(type), which is not sent: make it \(expected)"
        case .unexpected(let curl): "the double does not expect this request: \(curl)"
        }
    }

    public var errorDescription: String? { description }
}
