// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

/// The fields of a request that select which part of a representation is sent.
struct ConditionalFields {
    var ifMatch: String?
    var ifNoneMatch: String?
    var ifModifiedSince: String?
    var ifUnmodifiedSince: String?
    var ifRange: String?
    var range: String?

    /// Whether a head has any of them; cheap, since nearly none does.
    static func arePresent(in head: borrowing RequestHead) -> Bool {
        for field in head.fields {
            let first = head.bytes[Int(field.name.start)] | 0x20
            if first == UInt8(ascii: "r"), field.name.count == 5 { return true }
            if first == UInt8(ascii: "i"), field.name.count >= 8, head.bytes[Int(field.name.start) + 2] == 0x2D {
                return true
            }
        }
        return false
    }

    /// Whether a stub itself matches one of them, and so decides the response.
    static func areAsked(of request: RequestPattern) -> Bool {
        request.conditions.contains { condition in
            guard case .header(let named) = condition else { return false }
            return names.contains(named.name)
        }
    }

    /// In lower case.
    private static let names: Set = [
        "range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
    ]

    init(_ head: borrowing RequestHead) {
        for field in head.fields {
            switch field.name.count {
            case 5 where head.equalsIgnoringCase(field.name, "range"):
                range = head.string(field.value)
            case 8 where head.equalsIgnoringCase(field.name, "if-match"):
                ifMatch = Self.joined(ifMatch, head.string(field.value))
            case 8 where head.equalsIgnoringCase(field.name, "if-range"):
                ifRange = head.string(field.value)
            case 13 where head.equalsIgnoringCase(field.name, "if-none-match"):
                ifNoneMatch = Self.joined(ifNoneMatch, head.string(field.value))
            case 17 where head.equalsIgnoringCase(field.name, "if-modified-since"):
                ifModifiedSince = head.string(field.value)
            case 19 where head.equalsIgnoringCase(field.name, "if-unmodified-since"):
                ifUnmodifiedSince = head.string(field.value)
            default: break
            }
        }
    }

    /// Several lines of a list are one list (RFC 9110 §5.3).
    private static func joined(_ first: String?, _ second: String) -> String {
        first.map { $0 + ", " + second } ?? second
    }
}
