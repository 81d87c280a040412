// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The grammar of field lines (RFC 9110 §5).
package enum HeaderText {
    /// Whether a text is a token (RFC 9110 §5.6.2): a method or a field name.
    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// The first byte that a field value or a reason phrase cannot hold (RFC 9110 §5.5): a control character that is no tab.
    package static func controlCharacter(in text: String) -> UInt8? {
        text.utf8.first { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
    }

    /// A control character as messages name it.
    static func name(ofControl byte: UInt8) -> String {
        switch byte {
        case 0: "NUL"
        case 0x0A: "LF"
        case 0x0D: "CR"
        default: "the control character 0x\(String(byte, radix: 16))"
        }
    }

    /// Lines of the message's framing, which are the server's and are not replayed.
    package static let framing: Set<String> = [
        "content-length", "transfer-encoding", "connection", "keep-alive", "date",
    ]

    /// Whether a percent sign with two hexadecimal digits stands in a text (RFC 3986 §2.1).
    static func hasPercentCode(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return false }
        return text.split(separator: "%", omittingEmptySubsequences: false).dropFirst().contains { part in
            let digits = part.prefix(2)
            return digits.count == 2 && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
        }
    }

    /// Without the spaces and tabs at both ends, which are no part of a field value (RFC 9110 §5.5).
    package static func trimmed(_ text: Substring) -> String {
        var slice = text.utf8[...]
        while let first = slice.first, first == 0x20 || first == 0x09 { slice.removeFirst() }
        while let last = slice.last, last == 0x20 || last == 0x09 { slice.removeLast() }
        return String(Substring(slice))
    }
}
