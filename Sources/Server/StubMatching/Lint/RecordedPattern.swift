// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Patterns as recordings have them, whose range is plain.
enum RecordedPattern {
    /// How many fields a form has: `[^&]*(&[^&]*){2}` is 3.
    static func fieldCount(_ pattern: String) -> Int? {
        guard pattern.hasPrefix("[^&]*(&[^&]*){"), pattern.hasSuffix("}") else { return nil }
        return Int(pattern.dropFirst(14).dropLast()).map { $0 + 1 }
    }

    /// A field of a form: `(.*&)?a=1(&.*)?`; the value is nil if it may be any.
    static func field(_ pattern: String) -> (name: String, value: String?)? {
        guard pattern.hasPrefix("(.*&)?"), pattern.hasSuffix("(&.*)?") else { return nil }
        let inner = pattern.dropFirst(6).dropLast(6)
        let (text, rest) = literal(inner.utf8)
        guard let sign = text.firstIndex(of: "=") else { return nil }
        if let name = placeholder(rest) { return (String(text[..<sign]), name) }
        guard rest.isEmpty || rest.elementsEqual("[^&]+".utf8) else { return nil }
        return (String(text[..<sign]), rest.isEmpty ? String(text[text.index(after: sign)...]) : nil)
    }

    /// The last word of a value, `(.* )?redacted\.response\.token\.ann`, or the beginning of Basic credentials.
    static func word(_ pattern: String) -> String? {
        if pattern.hasPrefix("(?i:basic) +") {
            let (text, _) = literal(pattern.dropFirst(12).utf8)
            return text.isEmpty ? nil : "basic \(text)"
        }
        let isLast = pattern.hasPrefix("(.* )?")
        let last = isLast ? pattern.dropFirst(6) : pattern[...]
        if let name = placeholder(last.utf8) { return name }
        guard isLast else { return nil }
        let (text, rest) = literal(last.utf8)
        return rest.isEmpty && !text.isEmpty && !text.contains(" ") ? text : nil
    }

    /// The name of a placeholder that may have the form of its secret, `(redacted\.query\.cursor-4b1f0a|eyJ…)`: each has a form of its own.
    private static func placeholder(_ pattern: Substring.UTF8View) -> String? {
        guard pattern.first == UInt8(ascii: "("), pattern.last == UInt8(ascii: ")") else { return nil }
        let (text, rest) = literal(pattern.dropFirst())
        return rest.first == UInt8(ascii: "|") && text.hasPrefix("redacted.") ? text : nil
    }

    /// A part of a form: its name, all of its head, and its content; nil if that may be any.
    static func part(_ text: String) -> (name: String, head: String, content: String?)? {
        let start = "Content-Disposition: form-data; name=\""
        let hasName = text.hasPrefix(start)
        guard hasName || text.hasPrefix("Content-") else { return nil }
        // Some senders end lines with LF alone.
        let lineEnd = text.firstRange(of: "\r\n\r\n") == nil ? "\n" : "\r\n"
        guard let end = text.firstRange(of: lineEnd + lineEnd) else { return nil }
        let head = text[..<end.lowerBound]
        let text = text[end.upperBound...]
        let content = text.hasSuffix(lineEnd) ? String(text) : nil
        // No part without a name, as of multipart/related, has all the head of another.
        guard hasName else { return (String(head), String(head), content) }
        guard let quote = head.dropFirst(start.count).firstIndex(of: "\"") else { return nil }
        return (String(head[..<quote].dropFirst(start.count)), String(head), content)
    }

    private static let special = Set("^$.[]|()?*+{}".utf8)

    /// The literal text that a pattern begins with, and the rest of the pattern.
    private static func literal(_ pattern: Substring.UTF8View) -> (text: String, rest: Substring.UTF8View) {
        var bytes: [UInt8] = []
        var rest = pattern
        while let byte = rest.first, !special.contains(byte) {
            var next = rest.dropFirst()
            if byte == ASCII.backslash {
                // An escaped letter or digit is a class or a similar construct.
                guard let escaped = next.first, escaped < 0x80, !ASCII.isDigit(escaped),
                    ASCII.lowercased(escaped) &- 0x61 >= 26
                else { break }
                bytes.append(escaped)
                next = next.dropFirst()
            } else {
                bytes.append(byte)
            }
            rest = next
        }
        return (String(decoding: bytes, as: UTF8.self), rest)
    }
}
