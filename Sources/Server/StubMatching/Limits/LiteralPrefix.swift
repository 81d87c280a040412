// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Finds the bytes that every match of a pattern starts with, so that most patterns are passed over without being run.
enum LiteralPrefix {
    /// The prefix; empty if the pattern has none or a construct that this reader does not follow.
    static func of(_ pattern: String) -> [UInt8] {
        let bytes = Array(pattern.utf8)
        if !isOneBranch(bytes) { return [] }
        var prefix: [UInt8] = []
        var lastStart = 0
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            var next = index + 1
            if byte == ASCII.backslash {
                guard next < bytes.count, isPunctuation(bytes[next]) else { break }
                byte = bytes[next]
                next += 1
            } else if special.contains(byte) {
                break
            }
            // A quantifier belongs to the last character, whole.
            if byte & 0xC0 != 0x80 { lastStart = prefix.count }
            prefix.append(byte)
            index = next
        }
        if index < bytes.count, quantifiers.contains(bytes[index]) { prefix.removeSubrange(lastStart...) }
        return prefix
    }

    private static let special = Set("^$.[]|()?*+{}".utf8)
    private static let quantifiers = Set("?*+{".utf8)
    /// The characters that may follow `(?` without changing how the rest of the pattern is read.
    private static let plainGroups = Set(":=!<>|P".utf8)

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !ASCII.isDigit(byte) && ASCII.lowercased(byte) &- 0x61 >= 26
    }

    /// Whether the pattern has no alternative outside all groups; false also if it switches options or quotes.
    private static func isOneBranch(_ bytes: [UInt8]) -> Bool {
        var depth = 0
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case ASCII.backslash:
                index += 1
                guard index < bytes.count else { return false }
                if bytes[index] == UInt8(ascii: "Q") || bytes[index] == UInt8(ascii: "c") { return false }
            case UInt8(ascii: "["):
                guard let end = endOfClass(bytes, from: index) else { return false }
                index = end
            case UInt8(ascii: "("):
                depth += 1
                guard index + 2 < bytes.count else { return false }
                if bytes[index + 1] == UInt8(ascii: "*") { return false }
                if bytes[index + 1] == ASCII.question, !plainGroups.contains(bytes[index + 2]) { return false }
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "|") where depth == 0: return false
            default: break
            }
            index += 1
        }
        return true
    }

    /// Where the `]` of a character class stands.
    private static func endOfClass(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start + 1
        if index < bytes.count, bytes[index] == UInt8(ascii: "^") { index += 1 }
        if index < bytes.count, bytes[index] == UInt8(ascii: "]") { index += 1 }
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "]"): return index
            case ASCII.backslash:
                index += 1
                if index < bytes.count, bytes[index] == UInt8(ascii: "Q") { return nil }
            case UInt8(ascii: "[") where index + 1 < bytes.count && bytes[index + 1] == ASCII.colon:
                while index + 1 < bytes.count, bytes[index] != ASCII.colon || bytes[index + 1] != UInt8(ascii: "]") {
                    index += 1
                }
                index += 1
            default: break
            }
            index += 1
        }
        return nil
    }
}
