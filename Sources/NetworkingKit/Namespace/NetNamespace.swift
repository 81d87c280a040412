// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// The members that this library adds to a type of somebody else, kept behind one name: `net`.
///
///     print(URLRequest(url: url).net.curlCommand)
///
/// A member is added by an extension for a base:
///
///     extension NetNamespace where Base == Data {
///         public var isJSON: Bool { (try? JSONSerialization.jsonObject(with: base)) != nil }
///     }
///
/// A `mutating` member changes the base: `request.net.authorize(token)`.
public struct NetNamespace<Base> {
    public var base: Base

    public init(_ base: Base) {
        self.base = base
    }
}

extension NetNamespace: Sendable where Base: Sendable {}

/// A type that has `net`; to conform takes no more than an empty extension.
///
///     extension URLComponents: @retroactive NetCompatible {}
public protocol NetCompatible {}

extension NetCompatible {
    /// What this library adds to the value.
    public var net: NetNamespace<Self> {
        get { NetNamespace(self) }
        set { self = newValue.base }
    }

    /// What this library adds to the type.
    public static var net: NetNamespace<Self>.Type {
        get { NetNamespace<Self>.self }
        // For the form that the prefix is published in; there is nothing to change.
        set {}
    }
}

extension Data: NetCompatible {}
extension URLRequest: NetCompatible {}
extension HTTPURLResponse: NetCompatible {}

extension Request {
    /// What this library adds to the request beside what its protocol says.
    public var net: NetNamespace<Self> {
        get { NetNamespace(self) }
        set { self = newValue.base }
    }
}

extension NetNamespace where Base: HTTPURLResponse {
    /// Type and subtype of the content in lower case, without parameters: `application/json` (RFC 9110 §8.3.1).
    ///
    /// Nil where there is no `Content-Type` or it is no media type.
    public var mediaType: String? {
        guard let field = base.value(forHTTPHeaderField: "Content-Type") else { return nil }
        let type = field.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        let parts = type.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ HTTPMethod(String($0)).isValid }) else { return nil }
        return type
    }

    /// Whether the content says that it is JSON: `application/json`, or a type that ends with `+json` (RFC 6839 §3.1).
    public var isJSON: Bool {
        guard let mediaType else { return false }
        return mediaType == "application/json" || mediaType.hasSuffix("+json")
    }

    /// A response that no service has sent, for doubles in tests.
    ///
    ///     let response = try HTTPURLResponse.net.plain(url, status: 404)
    public static func plain(
        _ url: URL, status: Int, headers: [String: String] = [:]
    ) throws(URLError) -> HTTPURLResponse {
        try .plain(url, status: status, headers: headers)
    }
}

extension NetNamespace where Base == URLRequest {
    /// A line for a POSIX shell that has curl send the request: method, headers by name, body.
    ///
    /// A body that is text of 64 KiB or less stands in the line, any other is piped in from base64; one that is a stream is read from
    /// standard input. Redirects are not followed. The line tells what the request does, credentials too.
    public var curlCommand: String { CurlCommand(request: base).text }
}

extension NetNamespace where Base: Request {
    /// A line for a POSIX shell that has curl send the request, without what a delegate adds.
    ///
    /// - Throws: `RequestError` where the parts make no request.
    public var curlCommand: String {
        get throws { try CurlCommand(base.wireRequest(delegate: [:])).text }
    }

    /// A line for a POSIX shell that has curl send the request as a networking would, with the headers of its delegate.
    ///
    /// - Throws: `RequestError` where the parts make no request.
    public func curlCommand(by networking: any Networking) throws -> String {
        let headers = networking.delegate?.headers(for: networking) ?? [:]
        return try networking.coders.use { try CurlCommand(base.wireRequest(delegate: headers)).text }
    }
}
