// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// Values that are written in a filter.
extension PathParser {
    mutating func literal() throws(JSONPathError) -> JSONNode {
        guard let byte = current else { throw failure("expected a literal\(found)") }
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "["): return .array(try list())
        case UInt8(ascii: "{"): return JSONNode(.object(try object()))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return JSONNode(.number(try number()))
        default:
            if takeWord("true") { return .bool(true) }
            if takeWord("false") { return .bool(false) }
            if takeWord("null") { return .null }
            throw failure("expected a query, a literal or a function\(found)")
        }
    }

    mutating func takeWord(_ word: StaticString) -> Bool {
        let start = index
        guard take(word) else { return false }
        if let byte = current, isAlphanumeric(byte) || byte == UInt8(ascii: "_") {
            index = start
            return false
        }
        return true
    }

    mutating func list() throws(JSONPathError) -> [JSONNode] {
        try enter()
        defer { nesting -= 1 }
        index += 1
        var elements: [JSONNode] = []
        skipSpace()
        while current != UInt8(ascii: "]") || !elements.isEmpty {
            skipSpace()
            elements.append(try literal())
            skipSpace()
            if current == UInt8(ascii: "]") { break }
            guard current == UInt8(ascii: ",") else { throw failure("expected ',' or ']'\(found)") }
            index += 1
        }
        index += 1
        return elements
    }

    mutating func object() throws(JSONPathError) -> JSONObject {
        try enter()
        defer { nesting -= 1 }
        index += 1
        var members: [JSONObject.Member] = []
        skipSpace()
        while current != UInt8(ascii: "}") || !members.isEmpty {
            skipSpace()
            guard current == UInt8(ascii: "'") || current == UInt8(ascii: "\"") else {
                throw failure("expected a name in quotes\(found)")
            }
            let name = try string()
            skipSpace()
            guard current == UInt8(ascii: ":") else { throw failure("expected ':'\(found)") }
            index += 1
            skipSpace()
            members.append(JSONObject.Member(name: name, value: try literal()))
            skipSpace()
            if current == UInt8(ascii: "}") { break }
            guard current == UInt8(ascii: ",") else { throw failure("expected ',' or '}'\(found)") }
            index += 1
        }
        index += 1
        return JSONObject(members)
    }

    /// Reads a number in JSON's grammar; `-0` is one here (RFC 9535 §2.3.5.1).
    mutating func number() throws(JSONPathError) -> JSONNumber {
        let start = index
        if current == UInt8(ascii: "-") { index += 1 }
        if current == UInt8(ascii: "0") {
            index += 1
            if let byte = current, byte &- UInt8(ascii: "0") < 10 {
                throw failure("a number with a zero in front", at: start)
            }
        } else {
            try digits(from: start)
        }
        if current == UInt8(ascii: ".") {
            index += 1
            try digits(from: start)
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            index += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { index += 1 }
            try digits(from: start)
        }
        return JSONNumber(literal: String(decoding: bytes[start..<index], as: UTF8.self))
    }

    mutating func digits(from start: Int) throws(JSONPathError) {
        let first = index
        while let byte = current, byte &- UInt8(ascii: "0") < 10 { index += 1 }
        if index == first { throw failure("a number without digits", at: start) }
    }

    /// Reads Jayway's `/…/flags`.
    mutating func pattern() throws(JSONPathError) -> CompiledPattern {
        let start = index
        let close = endOfQuoted(from: index, by: UInt8(ascii: "/"))
        guard close < end else { throw failure("a pattern that does not end", at: start) }
        var text: [UInt8] = []
        var position = start + 1
        while position < close {
            // An escaped slash is a slash, anything else escaped is the pattern's.
            if bytes[position] == UInt8(ascii: "\\") {
                position += 1
                if bytes[position] != UInt8(ascii: "/") { text.append(UInt8(ascii: "\\")) }
            }
            text.append(bytes[position])
            position += 1
        }
        index = close + 1
        let flagStart = index
        while let byte = current, isAlphanumeric(byte) { index += 1 }
        let flags = String(decoding: bytes[flagStart..<index], as: UTF8.self)
        guard let pattern = CompiledPattern.jayway(String(decoding: text, as: UTF8.self), flags: flags) else {
            throw failure("the pattern is broken, or a flag is none of dimsuxU", at: start)
        }
        return pattern
    }
}
