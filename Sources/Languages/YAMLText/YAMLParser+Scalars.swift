// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// The texts of YAML: plain, quoted, and blocks (YAML 1.2.2 §7.3 and §8.1), and the types of plain ones (§10.3, the core schema).
extension YAMLParser {
    // MARK: Keys

    /// Whether a key stands here: a text on one line with a colon behind it, and a space or the line's end behind that.
    func isKey(at start: Int) -> Bool {
        guard let quote = byte(at: start) else { return false }
        var place = start
        func isColon(_ place: Int) -> Bool {
            byte(at: place) == UInt8(ascii: ":") && Self.isBlank(byte(at: place + 1))
        }
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            place += 1
            while let sign = byte(at: place), sign != quote, !Self.isBreak(sign) {
                place += quote == UInt8(ascii: "\"") && sign == UInt8(ascii: "\\") ? 2 : 1
                if quote == UInt8(ascii: "'"), byte(at: place) == quote, byte(at: place + 1) == quote { place += 2 }
            }
            guard byte(at: place) == quote else { return false }
            place += 1
            while Self.isSpace(byte(at: place)) { place += 1 }
            return isColon(place)
        }
        if ",[]{}#*!|>%@`".utf8.contains(quote) { return false }
        while !Self.isBreak(byte(at: place)) {
            if isColon(place) { return true }
            if bytes[place] == UInt8(ascii: "#"), Self.isSpace(bytes[place - 1]) { return false }
            place += 1
        }
        return false
    }

    /// The key here; the colon is next, behind spaces.
    mutating func key() throws(JSONError) -> String {
        switch byte {
        case UInt8(ascii: "\""): return try doubleQuoted()
        case UInt8(ascii: "'"): return try singleQuoted()
        default: break
        }
        let start = index
        while !(byte == UInt8(ascii: ":") && Self.isBlank(next)) { index += 1 }
        return String(decoding: Self.trimmed(bytes[start..<index]), as: UTF8.self)
    }

    static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text
        while isSpace(text.last) { text.removeLast() }
        return text.drop { isSpace($0) }
    }

    // MARK: Scalars

    /// A quoted or plain text of a block, which may go on on lines that are indented more than its parent.
    mutating func scalar(parent: Int) throws(JSONError) -> JSONNode {
        let start = index
        switch byte {
        case UInt8(ascii: "\""): return JSONNode(.string(try doubleQuoted()), offset: start)
        case UInt8(ascii: "'"): return JSONNode(.string(try singleQuoted()), offset: start)
        case let sign? where ",]}#%@`".utf8.contains(sign): throw failure("a value cannot begin with this character")
        default: break
        }
        var text = plainLine(inFlow: false)
        while isAtBreak {
            let (place, line) = (index, lineStart)
            let breaks = skipBreaks()
            guard index < bytes.count, column > parent, byte != UInt8(ascii: "#"), !isMarker else {
                (index, lineStart) = (place, line)
                break
            }
            text += breaks == 1 ? [0x20] : Array(repeating: 0x0A, count: breaks - 1)
            text += plainLine(inFlow: false)
        }
        return Self.resolved(String(decoding: text, as: UTF8.self), at: start)
    }

    /// A quoted or plain text in a list or map of brackets.
    mutating func flowScalar() throws(JSONError) -> JSONNode {
        let start = index
        switch byte {
        case UInt8(ascii: "\""): return JSONNode(.string(try doubleQuoted()), offset: start)
        case UInt8(ascii: "'"): return JSONNode(.string(try singleQuoted()), offset: start)
        case let sign? where "%@`".utf8.contains(sign): throw failure("a value cannot begin with this character")
        default: break
        }
        var text = plainLine(inFlow: true)
        guard !text.isEmpty else { throw failure("a value is expected here") }
        while isAtBreak {
            let (place, line) = (index, lineStart)
            skipBreak()
            skipSpaces()
            guard let byte, !Self.isBreak(byte), !",[]{}#:".utf8.contains(byte) else {
                (index, lineStart) = (place, line)
                break
            }
            text.append(0x20)
            text += plainLine(inFlow: true)
        }
        return Self.resolved(String(decoding: text, as: UTF8.self), at: start)
    }

    /// The part of a plain scalar that stands on this line, without spaces around it.
    mutating func plainLine(inFlow: Bool) -> ArraySlice<UInt8> {
        let start = index
        while let byte, !Self.isBreak(byte) {
            if byte == UInt8(ascii: ":") {
                if Self.isBlank(next) { break }
                if inFlow, let next, ",[]{}".utf8.contains(next) { break }
            }
            if byte == UInt8(ascii: "#"), Self.isSpace(bytes[index - 1]) { break }
            if inFlow, ",[]{}".utf8.contains(byte) { break }
            index += 1
        }
        return Self.trimmed(bytes[start..<index])
    }

    // MARK: The core schema

    /// The value that a plain scalar stands for.
    static func resolved(_ text: String, at offset: Int) -> JSONNode {
        switch text {
        case "", "~", "null", "Null", "NULL": return JSONNode(.null, offset: offset)
        case "true", "True", "TRUE": return JSONNode(.bool(true), offset: offset)
        case "false", "False", "FALSE": return JSONNode(.bool(false), offset: offset)
        default: break
        }
        if let literal = number(text) { return JSONNode(.number(JSONNumber(literal: literal)), offset: offset) }
        return JSONNode(.string(text), offset: offset)
    }

    /// A number in JSON's grammar; nil for a text that is not a number.
    static func number(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        if let radix = bytes.starts(with: "0x".utf8) ? 16 : bytes.starts(with: "0o".utf8) ? 8 : nil {
            // Swift's numbers may have a sign here.
            return bytes[2...].contains { "+-".utf8.contains($0) }
                ? nil : UInt64(text.dropFirst(2), radix: radix).map(String.init)
        }
        var place = 0
        var literal: [UInt8] = []
        var here: UInt8? { place < bytes.count ? bytes[place] : nil }
        if let sign = here, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            if sign == UInt8(ascii: "-") { literal.append(sign) }
            place = 1
        }
        func digits() -> ArraySlice<UInt8> {
            let part = bytes[place...].prefix { $0 &- 0x30 < 10 }
            place = part.endIndex
            return part
        }
        let whole = digits()
        literal += whole.drop { $0 == 0x30 }
        if literal.last.map({ $0 == UInt8(ascii: "-") }) ?? true { literal.append(0x30) }
        var hasDigits = !whole.isEmpty
        if here == UInt8(ascii: ".") {
            place += 1
            let fraction = digits()
            if !fraction.isEmpty { literal += [UInt8(ascii: ".")] + fraction }
            hasDigits = hasDigits || !fraction.isEmpty
        }
        guard hasDigits else { return nil }
        if here == UInt8(ascii: "e") || here == UInt8(ascii: "E") {
            place += 1
            literal.append(UInt8(ascii: "e"))
            if let sign = here, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                literal.append(sign)
                place += 1
            }
            let exponent = digits()
            if exponent.isEmpty { return nil }
            literal += exponent
        }
        return place == bytes.count ? String(decoding: literal, as: UTF8.self) : nil
    }
}
