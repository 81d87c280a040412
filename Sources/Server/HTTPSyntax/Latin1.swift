// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Text of ISO 8859-1, with each byte as the character of its number: field lines were once written in it, and may still be
/// (RFC 9110 §5.5).
package enum Latin1 {
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }

    /// The bytes of a text; a character that has none is a question mark.
    package static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
    }

    /// The first character of a text that has no byte.
    package static func characterBeyond(in text: String) -> Unicode.Scalar? {
        text.unicodeScalars.first { $0.value > 0xFF }
    }

    /// Bytes as the text of UTF-8 that they are, or else of ISO 8859-1.
    package static func read(_ bytes: [UInt8]) -> (text: String, isLatin1: Bool) {
        if let text = String(validating: bytes, as: UTF8.self) { return (text, false) }
        return (text(bytes), true)
    }
}
