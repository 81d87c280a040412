// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// Matchers of bytes that were sent, which need not be UTF-8 as the text of a stub is.
enum ByteMatcher {
    /// For a value that is these bytes; if they are not text, for a value that has those parts of them that are.
    static func equal(to bytes: [UInt8]) -> ValueMatcher {
        if let text = String(validating: bytes, as: UTF8.self) { return .equal(to: text) }
        let parts = containing(bytes)
        return parts.isEmpty ? anything : .and(parts)
    }

    /// For a value that has these bytes in it, each run of text for itself.
    static func containing(_ bytes: [UInt8]) -> [ValueMatcher] { texts(in: bytes).map { .contains($0) } }

    /// For a value that is empty, or present, as this one is: a credential, which is not written.
    static func present(_ bytes: [UInt8]) -> ValueMatcher {
        if bytes.isEmpty { return .equal(to: "") }
        // A pattern matches nothing but UTF-8.
        return String(validating: bytes, as: UTF8.self) == nil ? anything : .present
    }

    private static let anything = ValueMatcher.not(.absent)

    /// The longest runs of bytes that are UTF-8.
    private static func texts(in bytes: [UInt8]) -> [String] {
        var texts: [String] = []
        var text = ""
        var codec = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            let result = codec.decode(&iterator)
            if case .scalarValue(let scalar) = result {
                text.unicodeScalars.append(scalar)
                continue
            }
            if !text.isEmpty { texts.append(text) }
            text = ""
            if case .emptyInput = result { return texts }
        }
    }
}

extension ValueMatcher {
    /// Any text but an empty one.
    static var present: ValueMatcher { .matching(".+") }

    /// A pattern for the whole value.
    static func matching(_ pattern: String) -> ValueMatcher { .matches(Pattern(pattern)) }

    /// Just this text.
    static func equal(to text: String) -> ValueMatcher { .equalTo(text, caseInsensitive: false) }
}
