// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The method of a request: any token, as written (RFC 9110 §9.1).
///
///     let method: HTTPMethod = "PURGE"
///
/// Building a request refuses a method that is not a token.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// `GET` (RFC 9110 §9.3.1).
    public static let get: HTTPMethod = "GET"
    /// `HEAD` (RFC 9110 §9.3.2).
    public static let head: HTTPMethod = "HEAD"
    /// `POST` (RFC 9110 §9.3.3).
    public static let post: HTTPMethod = "POST"
    /// `PUT` (RFC 9110 §9.3.4).
    public static let put: HTTPMethod = "PUT"
    /// `PATCH` (RFC 5789).
    public static let patch: HTTPMethod = "PATCH"
    /// `DELETE` (RFC 9110 §9.3.5).
    public static let delete: HTTPMethod = "DELETE"
    /// `OPTIONS` (RFC 9110 §9.3.7).
    public static let options: HTTPMethod = "OPTIONS"
    /// `TRACE` (RFC 9110 §9.3.8).
    public static let trace: HTTPMethod = "TRACE"
    /// `CONNECT` (RFC 9110 §9.3.6).
    public static let connect: HTTPMethod = "CONNECT"
    /// No registered method; some services have it for PUT.
    public static let update: HTTPMethod = "UPDATE"

    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a method of its name, which is sent as it is.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
        rawValue = value
    }

    public var description: String { rawValue }

    /// Whether the value is a token (RFC 9110 §5.6.2).
    public var isValid: Bool {
        !rawValue.isEmpty && rawValue.isAlphanumeric(or: "!#$%&'*+-.^_`|~")
    }
}

extension String {
    /// Whether there are letters of ASCII, digits and some others, and nothing else.
    func isAlphanumeric(or others: String) -> Bool {
        utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: others.utf8.contains(byte)
            }
        }
    }
}
