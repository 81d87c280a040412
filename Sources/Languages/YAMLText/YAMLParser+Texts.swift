// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// Texts in quotes, and blocks of text.
extension YAMLParser {
    // MARK: Quoted texts

    mutating func singleQuoted() throws(JSONError) -> String {
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
    mutating func fold(into text: inout [UInt8], from kept: Int) {
        while text.count > kept, Self.isSpace(text.last) { text.removeLast() }
        let breaks = skipBreaks()
        text += breaks == 1 ? [0x20] : Array(repeating: 0x0A, count: breaks - 1)
    }

    mutating func doubleQuoted() throws(JSONError) -> String {
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
                if isAtBreak {
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

    static let escapes: [UInt8: String] = [
        UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "t"): "\t",
        0x09: "\t", UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{B}", UInt8(ascii: "f"): "\u{C}",
        UInt8(ascii: "r"): "\r", UInt8(ascii: "e"): "\u{1B}", 0x20: " ", UInt8(ascii: "\""): "\"",
        UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\", UInt8(ascii: "N"): "\u{85}", UInt8(ascii: "_"): "\u{A0}",
        UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
    ]

    mutating func escape(into text: inout [UInt8]) throws(JSONError) {
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
        if count == 4, (0xD800..<0xDC00).contains(code), byte == UInt8(ascii: "\\"), next == UInt8(ascii: "u") {
            // A pair of surrogates, as JSON writes it.
            index += 2
            let low = try digits(4)
            guard (0xDC00..<0xE000).contains(low) else { throw failure("there is no such character") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw failure("there is no such character") }
        text += String(Character(scalar)).utf8
    }

    mutating func digits(_ count: Int) throws(JSONError) -> UInt32 {
        let digits = bytes[index...].prefix(count).compactMap(JSONParser.hexadecimalDigit)
        guard digits.count == count else { throw failure("\(count) hexadecimal digits are missing here") }
        index += count
        return digits.reduce(0) { $0 << 4 | $1 }
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
        // The part of the next line that was looked at does not belong to the text.
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
    static func folded(_ lines: [ArraySlice<UInt8>]) -> [UInt8] {
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
}
