// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The text that takes the place of a secret: `redacted.` and a place, of characters that need no escape in URLs,
/// headers, forms, JSON and XML.
enum Placeholder {
    static let start = Array("redacted.".utf8)
    /// 100 bytes: a longer place is cut.
    static let limit = 100
    /// The bytes that are kept free for `-2` and its like.
    private static let reserve = 8

    /// The placeholder of a place.
    static func of(_ place: String) -> String {
        var bytes = start
        for scalar in place.unicodeScalars {
            if bytes.count == limit - reserve { break }
            let byte = UInt8(exactly: scalar.value).flatMap { ByteClass.placeholder.contains($0) ? $0 : nil }
            bytes.append(byte ?? UInt8(ascii: "-"))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The place of a secret behind a name that is, or holds, another.
    static let unnamed = "name"

    /// Whether a value is a placeholder and nothing else.
    static func isWhole(_ value: Bytes) -> Bool {
        if isWholeName(value) { return true }
        guard value.count > start.count else { return false }
        return formed(in: value, at: 0)?.end == value.count
    }

    /// The placeholder that begins at a place of a text and has the form of its secret: its end, and its name if that can be read.
    static func formed(in text: Bytes, at index: Int) -> (end: Int, name: String?)? {
        if let token = TokenPlaceholder.find(in: text, at: index) { return (token.end, token.name) }
        return (UUIDPlaceholder.end(in: text, at: index) ?? PEMPlaceholder.end(in: text, at: index)).map { ($0, nil) }
    }

    /// A placeholder of a name in the form of a value; nil for a value that has none of these.
    ///
    /// - Parameters:
    ///   - written: the value as it stands in its text, which may escape line ends.
    ///   - holdsSecret: whether a text holds a secret, which no placeholder may have in it.
    static func formed(
        _ name: String, like value: [UInt8], written: [UInt8], holdsSecret: ([UInt8]) -> Bool
    ) -> [UInt8]? {
        TokenPlaceholder.text(name, like: value, holdsSecret: holdsSecret) ?? UUIDPlaceholder.text(name, like: value)
            ?? PEMPlaceholder.text(like: written)
    }

    /// Whether a value is the name of a placeholder and nothing else.
    static func isWholeName(_ value: Bytes) -> Bool {
        value.has(start, at: 0) && value.count <= limit && value.count > start.count
            && value.allSatisfy(ByteClass.placeholder.contains)
    }

    /// Whether a value ends like the beginning of a placeholder, such as the word `redacted`: looked for, it would be found where a placeholder
    /// stands, and be replaced there again each time.
    static func begins(atTheEndOf value: Bytes) -> Bool {
        (6...start.count).contains { value.count >= $0 && value.suffix($0).elementsEqual(start.prefix($0)) }
    }

    /// Whether a placeholder stands somewhere in a value.
    static func stands(in value: Bytes) -> Bool {
        guard value.count > start.count else { return false }
        return (0..<value.count - start.count).contains {
            value[$0] == start[0] && value.has(start, at: $0) || formed(in: value, at: $0) != nil
        }
    }
}
