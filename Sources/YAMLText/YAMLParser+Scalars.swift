// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

/// The texts of YAML: plain, quoted, and blocks (YAML 1.2.2 §7.3 and §8.1), and what plain ones are (§10.3, the core schema).
extension YAMLParser {
    // MARK: Keys

    /// Whether a key stands here: a text on one line with a colon behind it, and a space or the line's end behind that.
    func isKey(at start: Int) -> Bool {
        guard start < bytes.count else { return false }
        var place = start
        func isColon(_ place: Int) -> Bool {
            place < bytes.count && bytes[place] == UInt8(ascii: ":")
                && Self.isBlank(place + 1 < bytes.count ? bytes[place + 1] : nil)
        }
        let quote = bytes[start]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            place += 1
            while place < bytes.count, bytes[place] != quote, !Self.isBreak(bytes[place]) {
                place += quote == UInt8(ascii: "\"") && bytes[place] == UInt8(ascii: "\\") ? 2 : 1
                if place + 1 < bytes.count, bytes[place] == quote, bytes[place + 1] == quote, quote == UInt8(ascii: "'")
                {
                    place += 2
                }
            }
            guard place < bytes.count, bytes[place] == quote else { return false }
            place += 1
            while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
            return isColon(place)
        }
        if ",[]{}#*!|>%@`".utf8.contains(quote) { return false }
        while place < bytes.count, !Self.isBreak(bytes[place]) {
            if isColon(place) { return true }
            if bytes[place] == UInt8(ascii: "#"), place > start, Self.isSpace(bytes[place - 1]) { return false }
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
        while !(byte == UInt8(ascii: ":") && Self.isBlank(index + 1 < bytes.count ? bytes[index + 1] : nil)) {
            index += 1
        }
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
        while Self.isBreak(byte), index < bytes.count {
            let (place, line) = (index, lineStart)
            var breaks = 0
            while index < bytes.count, Self.isBreak(byte) {
                skipBreak()
                breaks += 1
                skipSpaces()
            }
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
        default: break
        }
        var text = plainLine(inFlow: true)
        guard !text.isEmpty else { throw failure("a value is expected here") }
        while Self.isBreak(byte), index < bytes.count {
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

    /// What of a plain text stands on this line, without spaces around it.
    private mutating func plainLine(inFlow: Bool) -> ArraySlice<UInt8> {
        let start = index
        while let byte, !Self.isBreak(byte) {
            if byte == UInt8(ascii: ":") {
                let next = index + 1 < bytes.count ? bytes[index + 1] : nil
                if Self.isBlank(next) { break }
                if inFlow, let next, ",[]{}".utf8.contains(next) { break }
            }
            if byte == UInt8(ascii: "#"), index > start, Self.isSpace(bytes[index - 1]) { break }
            if inFlow, ",[]{}".utf8.contains(byte) { break }
            index += 1
        }
        return Self.trimmed(bytes[start..<index])
    }

    // MARK: Quoted texts

    private mutating func singleQuoted() throws(JSONError) -> String {
        let start = index
        index += 1
        var text: [UInt8] = []
        while let byte {
            if byte == UInt8(ascii: "'") {
                index += 1
                guard self.byte == byte else { return String(decoding: text, as: UTF8.self) }
                text.append(byte)
                index += 1
            } else if Self.isBreak(byte) {
                fold(into: &text, from: 0)
            } else {
                text.append(byte)
                index += 1
            }
        }
        throw JSONError(offset: start, message: "the text's closing quote is missing")
    }

    /// Takes line breaks within quotes: one is a space, more are one less (§6.5).
    private mutating func fold(into text: inout [UInt8], from kept: Int) {
        while text.count > kept, Self.isSpace(text.last) { text.removeLast() }
        var breaks = 0
        while index < bytes.count, Self.isBreak(byte) {
            skipBreak()
            breaks += 1
            skipSpaces()
        }
        text += breaks == 1 ? [0x20] : Array(repeating: 0x0A, count: breaks - 1)
    }

    private mutating func doubleQuoted() throws(JSONError) -> String {
        let start = index
        index += 1
        var text: [UInt8] = []
        // Spaces that were escaped are not trimmed.
        var kept = 0
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                index += 1
                if Self.isBreak(self.byte), index < bytes.count {
                    skipBreak()
                    skipSpaces()
                } else {
                    try escape(into: &text)
                }
                kept = text.count
            case 0x0A, 0x0D: fold(into: &text, from: kept)
            default:
                text.append(byte)
                index += 1
            }
        }
        throw JSONError(offset: start, message: "the text's closing quote is missing")
    }

    private static let escapes: [UInt8: String] = [
        UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "t"): "\t",
        0x09: "\t", UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{B}", UInt8(ascii: "f"): "\u{C}",
        UInt8(ascii: "r"): "\r", UInt8(ascii: "e"): "\u{1B}", 0x20: " ", UInt8(ascii: "\""): "\"",
        UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\", UInt8(ascii: "N"): "\u{85}", UInt8(ascii: "_"): "\u{A0}",
        UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
    ]

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard let sign = byte else { throw failure("the text ends within a quoted text") }
        if let plain = Self.escapes[sign] {
            index += 1
            text += plain.utf8
            return
        }
        let count: Int
        switch sign {
        case UInt8(ascii: "x"): count = 2
        case UInt8(ascii: "u"): count = 4
        case UInt8(ascii: "U"): count = 8
        default: throw failure("there is no such escape")
        }
        index += 1
        var code = try digits(count)
        if count == 4, (0xD800..<0xDC00).contains(code), byte == UInt8(ascii: "\\"), index + 1 < bytes.count,
            bytes[index + 1] == UInt8(ascii: "u")
        {
            // A pair of surrogates, as JSON writes it.
            index += 2
            let low = try digits(4)
            guard (0xDC00..<0xE000).contains(low) else { throw failure("there is no such character") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw failure("there is no such character") }
        text += String(Character(scalar)).utf8
    }

    private mutating func digits(_ count: Int) throws(JSONError) -> UInt32 {
        guard index + count <= bytes.count,
            let code = UInt32(String(decoding: bytes[index..<index + count], as: UTF8.self), radix: 16)
        else { throw failure("\(count) hexadecimal digits are missing here") }
        index += count
        return code
    }

    // MARK: Blocks of text

    /// A text behind `|` or `>`.
    mutating func blockText(parent: Int) throws(JSONError) -> String {
        let isFolded = byte == UInt8(ascii: ">")
        index += 1
        var chomping: UInt8?
        var indentation: Int?
        while let sign = byte, !Self.isBlank(sign) {
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
                chomping = sign
            } else if (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(sign) {
                indentation = max(parent, 0) + Int(sign - UInt8(ascii: "0"))
            } else {
                throw failure("\(isFolded ? ">" : "|") takes +, - and a digit")
            }
            index += 1
        }
        while !Self.isBreak(byte) { index += 1 }
        skipBreak()
        var lines: [ArraySlice<UInt8>] = []
        while index < bytes.count {
            while byte == 0x20, indentation.map({ column < $0 }) ?? true { index += 1 }
            if Self.isBreak(byte) {
                lines.append([])
                skipBreak()
                continue
            }
            if indentation == nil {
                guard column > parent else { break }
                indentation = column
            }
            guard column >= indentation ?? 0, !isMarker else { break }
            let start = index
            while !Self.isBreak(byte) { index += 1 }
            lines.append(bytes[start..<index])
            skipBreak()
        }
        // What was looked at of the next line is not part of it.
        index = lineStart
        var trailing = 0
        while lines.last?.isEmpty ?? false {
            lines.removeLast()
            trailing += 1
        }
        var text = isFolded ? Self.folded(lines) : Array(lines.joined(separator: [0x0A]))
        if chomping == UInt8(ascii: "+") {
            text += Array(repeating: 0x0A, count: trailing + (lines.isEmpty ? 0 : 1))
        } else if chomping == nil, !lines.isEmpty {
            text.append(0x0A)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Lines joined by spaces, but for those that are indented more (§8.1.3).
    private static func folded(_ lines: [ArraySlice<UInt8>]) -> [UInt8] {
        var text: [UInt8] = []
        var empty = 0
        var wasIndented: Bool?
        for line in lines {
            if line.isEmpty {
                empty += 1
                continue
            }
            let isIndented = isSpace(line.first)
            if let before = wasIndented {
                if before || isIndented {
                    text += Array(repeating: 0x0A, count: empty + 1)
                } else {
                    text += empty == 0 ? [0x20] : Array(repeating: 0x0A, count: empty)
                }
            } else {
                text += Array(repeating: 0x0A, count: empty)
            }
            text += line
            empty = 0
            wasIndented = isIndented
        }
        return text
    }

    // MARK: The core schema

    /// What a plain text is.
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

    /// A number in JSON's grammar; nil for what is none.
    private static func number(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        if text.hasPrefix("0x") { return UInt64(text.dropFirst(2), radix: 16).map(String.init) }
        if text.hasPrefix("0o") { return UInt64(text.dropFirst(2), radix: 8).map(String.init) }
        var place = 0
        var literal: [UInt8] = []
        if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            if sign == UInt8(ascii: "-") { literal.append(sign) }
            place = 1
        }
        func digits() -> ArraySlice<UInt8> {
            let part = bytes[place...].prefix { $0 &- 0x30 < 10 }
            place = part.endIndex
            return part
        }
        let whole = digits()
        literal += whole.count > 1 ? Array(whole.drop { $0 == 0x30 }) : Array(whole)
        if literal.last.map({ $0 == UInt8(ascii: "-") }) ?? true { literal.append(0x30) }
        var hasDigits = !whole.isEmpty
        if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
            place += 1
            let fraction = digits()
            if !fraction.isEmpty { literal += [UInt8(ascii: ".")] + fraction }
            hasDigits = hasDigits || !fraction.isEmpty
        }
        guard hasDigits else { return nil }
        if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
            place += 1
            literal.append(UInt8(ascii: "e"))
            if place < bytes.count, bytes[place] == UInt8(ascii: "-") || bytes[place] == UInt8(ascii: "+") {
                literal.append(bytes[place])
                place += 1
            }
            let exponent = digits()
            if exponent.isEmpty { return nil }
            literal += exponent
        }
        return place == bytes.count ? String(decoding: literal, as: UTF8.self) : nil
    }
}
