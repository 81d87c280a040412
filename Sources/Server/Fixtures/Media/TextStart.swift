// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// Finds the kind of a text by its beginning, if nothing else names it.
enum TextStart {
    /// A head of this many bytes may be cut out of a longer text. 512, the part of a large file that is read.
    static let wholeBelow = Content.headLength

    /// Whether bytes are the beginning of a text in UTF-8: no other control characters than white space, backspace and escape.
    static func isText(_ head: [UInt8]) -> Bool {
        let control = head.contains { $0 < 0x20 && !($0 >= 0x08 && $0 <= 0x0D && $0 != 0x0B) && $0 != 0x1B }
        if head.isEmpty || control { return false }
        if String(validating: head, as: UTF8.self) != nil { return true }
        // The last character may be cut in two.
        guard head.count >= wholeBelow else { return false }
        return (1...3).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
    }

    /// The extension for a text: json, xml, svg, html, or txt.
    static func fileExtension(_ head: [UInt8]) -> String {
        var text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
        text = text.drop { $0 <= 0x20 }
        if isJSON(head) { return "json" }
        guard text.first == UInt8(ascii: "<") else { return "txt" }
        let start = String(decoding: text.prefix(wholeBelow), as: UTF8.self).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return "html" }
        if start.hasPrefix("<svg") || start.hasPrefix("<!doctype svg") { return "svg" }
        guard start.hasPrefix("<?xml") || start.hasPrefix("<!--") else { return "txt" }
        if start.contains("<svg") || start.contains("<!doctype svg") { return "svg" }
        if start.contains("<html") || start.contains("<!doctype html") { return "html" }
        return start.hasPrefix("<?xml") ? "xml" : "txt"
    }

    /// Whether bytes are, or begin, an object or a list of JSON.
    static func isJSONDocument(_ head: [UInt8]) -> Bool {
        guard let first = head.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return false }
        return isJSON(head)
    }

    private static func isJSON(_ head: [UInt8]) -> Bool {
        do throws(JSONError) {
            try JSONParser.check(head)
            return true
        } catch {
            guard head.count >= wholeBelow, let first = head.first(where: { $0 > 0x20 }) else { return false }
            // In a head of a longer text, all is well up to the value that is cut.
            let isCut = error.offset + 8 >= head.count || head[error.offset] == UInt8(ascii: "\"")
            return isCut && (first == UInt8(ascii: "{") || first == UInt8(ascii: "["))
        }
    }
}
