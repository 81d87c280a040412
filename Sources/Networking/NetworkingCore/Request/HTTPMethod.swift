// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The method of a request: any token, as written (RFC 9110 §9.1).
///
///     let method: HTTPMethod = "PURGE"
///
/// Building a request refuses a method that is not a token.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public static let get: HTTPMethod = "GET"
    public static let head: HTTPMethod = "HEAD"
    public static let post: HTTPMethod = "POST"
    public static let put: HTTPMethod = "PUT"
    public static let patch: HTTPMethod = "PATCH"
    public static let delete: HTTPMethod = "DELETE"
    public static let options: HTTPMethod = "OPTIONS"
    public static let trace: HTTPMethod = "TRACE"
    public static let connect: HTTPMethod = "CONNECT"
    /// No registered method; some services have it for PUT.
    public static let update: HTTPMethod = "UPDATE"

    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

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
