// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

/// Content by which requests are told apart: a short text as it is, all else by its digest.
enum SentContent {
    /// Bytes of a text that stands in a stub. 1 KiB.
    private static let textLimit = 1024
    /// In front of a digest; no text begins with it.
    private static let mark: UInt8 = 0xFF
    /// Stands in front of XML with ignored values.
    private static let xmlMark: UInt8 = 0xFE

    static func value(of content: [UInt8]) -> [UInt8] {
        if content.count <= textLimit, String(validating: content, as: UTF8.self) != nil { return content }
        return [mark] + Array(SHA256.text(of: content).utf8)
    }

    /// XML with `${xmlunit.ignore}` in the places of values that stand for anything.
    static func xml(_ text: String) -> [UInt8] { [xmlMark] + Array(text.utf8) }

    /// The matcher of a content.
    static func matcher(of value: [UInt8]) -> BodyMatcher {
        if value.first == xmlMark { return XMLContent.matcher(String(decoding: value.dropFirst(), as: UTF8.self)) }
        guard value.first == mark else { return .value(.equal(to: String(decoding: value, as: UTF8.self))) }
        return .value(.leaf(DigestPattern(String(decoding: value.dropFirst(), as: UTF8.self))))
    }

    /// The written part of it, to be searched for secrets.
    static func text(of value: [UInt8]) -> [UInt8] {
        value.first == xmlMark ? Array(value.dropFirst()) : value.first == mark ? [] : value
    }
}
