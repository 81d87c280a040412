// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// Reads a path's text into a query: `$`, the segments, the selectors. The filters are in `PathParser+Filter`.
struct PathParser {
    let bytes: [UInt8]
    let dialect: JSONPath.Dialect
    var index = 0
    var end: Int
    var nesting = 0
    /// Whether the innermost filter stands in parentheses whole.
    var isInJaywayFilter = false

    init(_ text: String, dialect: JSONPath.Dialect) {
        bytes = Array(text.utf8)
        self.dialect = dialect
        end = bytes.count
    }

    var isJayway: Bool { dialect == .jayway }

    mutating func document() throws(JSONPathError) -> PathQuery {
        if bytes.count > JSONPathLimits.bytes {
            throw JSONPathError(
                offset: JSONPathLimits.bytes, message: "the path is longer than \(JSONPathLimits.bytes) bytes")
        }
        if isJayway {
            skipSpace()
            while end > index, isSpace(bytes[end - 1]) { end -= 1 }
        }
        if index == end { throw failure("the path is empty; $ selects the whole document") }
        var query = PathQuery(isRelative: false)
        if current == UInt8(ascii: "$") || isJayway && current == UInt8(ascii: "@") {
            index += 1
        } else if !isJayway {
            throw failure("a path begins with $")
        } else if current != UInt8(ascii: "["), current != UInt8(ascii: ".") {
            // Jayway reads `a.b` as `$.a.b`.
            try afterDot(into: &query, isDescendant: false)
        }
        try segments(into: &query)
        if index < end { throw failure("expected '.' or '['\(found)") }
        return query
    }

    // MARK: Segments

    mutating func segments(into query: inout PathQuery) throws(JSONPathError) {
        while true {
            let before = index
            skipSpace()
            guard let byte = current, byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") else {
                index = before
                break
            }
            if !query.functions.isEmpty, !isFunctionAhead {
                throw failure("nothing but another function can follow a function")
            }
            if byte == UInt8(ascii: "[") {
                let selectors = try brackets()
                query.segments.append(PathQuery.Segment(isDescendant: false, selectors: selectors))
                continue
            }
            index += 1
            let isDescendant = current == UInt8(ascii: ".")
            if isDescendant { index += 1 }
            try afterDot(into: &query, isDescendant: isDescendant)
        }
        query.settle()
    }

    private var isFunctionAhead: Bool {
        guard current == UInt8(ascii: ".") else { return false }
        var ahead = index + 1
        while ahead < end, isNameByte(bytes[ahead]) { ahead += 1 }
        return ahead < end && bytes[ahead] == UInt8(ascii: "(")
    }

    /// Reads the part behind `.` or `..`: a name, a wildcard, brackets, or one of Jayway's functions.
    private mutating func afterDot(into query: inout PathQuery, isDescendant: Bool) throws(JSONPathError) {
        switch current {
        case UInt8(ascii: "*"):
            index += 1
            query.segments.append(PathQuery.Segment(isDescendant: isDescendant, selectors: [.wildcard]))
        case UInt8(ascii: "[") where isDescendant || isJayway:
            let selectors = try brackets()
            query.segments.append(PathQuery.Segment(isDescendant: isDescendant, selectors: selectors))
        default:
            let start = index
            let name = try memberName()
            if isJayway, current == UInt8(ascii: "(") {
                if isDescendant { throw failure("a function behind '..'; write it behind '.'", at: start) }
                query.functions.append(try function(name, at: start))
            } else {
                query.segments.append(PathQuery.Segment(isDescendant: isDescendant, selectors: [.name(name)]))
            }
        }
    }

    /// Reads the shorthand of a name (RFC 9535 §2.5.1.1), in Jayway's dialect with all that cannot be mistaken.
    private mutating func memberName() throws(JSONPathError) -> String {
        let start = index
        while let byte = current, isNameByte(byte) {
            if !isJayway, index == start, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                throw failure("a name behind '.' cannot begin with a digit; write ['…']")
            }
            index += 1
        }
        if index == start { throw failure("expected a name, '*' or '['\(found)") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static let notInNames = Set(" \t\r\n.[](){}*,?<>=!~&|'\"".utf8)

    private func isNameByte(_ byte: UInt8) -> Bool {
        if byte >= 0x80 || isAlphanumeric(byte) || byte == UInt8(ascii: "_") { return true }
        return isJayway && byte >= 0x20 && byte != 0x7F && !Self.notInNames.contains(byte)
    }

    // MARK: Selectors

    /// Reads `[…]` with one selector or several.
    private mutating func brackets() throws(JSONPathError) -> [PathQuery.Selector] {
        let start = index
        index += 1
        var selectors: [PathQuery.Selector] = []
        while true {
            skipSpace()
            if selectors.isEmpty, current == UInt8(ascii: "]") {
                throw failure("empty brackets; [*] selects everything", at: start)
            }
            selectors.append(try selector())
            skipSpace()
            switch current {
            case UInt8(ascii: ","): index += 1
            case UInt8(ascii: "]"):
                index += 1
                return selectors
            default: throw failure("expected ',' or ']'\(found)")
            }
        }
    }

    private mutating func selector() throws(JSONPathError) -> PathQuery.Selector {
        switch current ?? 0 {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .name(try string())
        case UInt8(ascii: "*"):
            index += 1
            return .wildcard
        case UInt8(ascii: "?"):
            index += 1
            return .filter(try filter())
        case UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try indexOrSlice()
        case UInt8(ascii: "("): throw failure("scripts such as (@.length-1) are not supported; write [-1]")
        default: throw failure("expected a name in quotes, an index, a slice, '*' or '?'\(found)")
        }
    }

    private mutating func indexOrSlice() throws(JSONPathError) -> PathQuery.Selector {
        let start = try integer()
        let afterStart = index
        skipSpace()
        guard current == UInt8(ascii: ":") else {
            guard let start else { throw failure("expected an index\(found)") }
            index = afterStart
            return .index(start)
        }
        index += 1
        skipSpace()
        let end = try integer()
        skipSpace()
        guard current == UInt8(ascii: ":") else { return .slice(start: start, end: end, step: 1) }
        index += 1
        skipSpace()
        return .slice(start: start, end: end, step: try integer() ?? 1)
    }

    /// Reads an integer within ±(2^53 - 1) (RFC 9535 §2.1); nil if none stands here.
    private mutating func integer() throws(JSONPathError) -> Int? {
        let start = index
        let isNegative = current == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let first = index
        var value = 0
        while let byte = current, byte &- UInt8(ascii: "0") < 10 {
            value = value * 10 + Int(byte &- UInt8(ascii: "0"))
            if value > 1 << 53 - 1 { throw failure("an integer beyond ±(2^53 - 1)", at: start) }
            index += 1
        }
        if index == first {
            if isNegative { throw failure("'-' without digits", at: start) }
            return nil
        }
        if bytes[first] == UInt8(ascii: "0"), index > first + 1 || isNegative {
            throw failure("an integer with a zero in front, or -0", at: start)
        }
        return isNegative ? -value : value
    }

    // MARK: Strings

    /// Reads a string in quotes of either kind with its escapes (RFC 9535 §2.3.1.1).
    mutating func string() throws(JSONPathError) -> String {
        let start = index
        guard let quote = current else { throw failure("expected a string\(found)") }
        index += 1
        var content: [UInt8] = []
        while let byte = current {
            if byte == quote {
                index += 1
                return String(decoding: content, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") {
                try escape(quote: quote, into: &content)
            } else if byte < 0x20, !isInJaywayFilter {
                throw failure("a control character in a string")
            } else {
                content.append(byte)
                index += 1
            }
        }
        throw failure("a string that does not end", at: start)
    }

    private mutating func escape(quote: UInt8, into content: inout [UInt8]) throws(JSONPathError) {
        let start = index
        index += 1
        guard let byte = current else { throw failure("a string that does not end", at: start) }
        index += 1
        switch byte {
        case quote, UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): content += String(Character(try unicodeEscape(at: start))).utf8
        // Jayway takes the character behind a backslash for itself, such as the other kind of quote.
        case 0x21..<0x7F where isInJaywayFilter && !isAlphanumeric(byte): content.append(byte)
        default: throw failure("an unknown escape in a string", at: start)
        }
    }

    private mutating func unicodeEscape(at start: Int) throws(JSONPathError) -> Unicode.Scalar {
        let unit = try hexadecimal(at: start)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit & 0xFC00 == 0xD800, take("\\u") else { throw failure("half a surrogate pair", at: start) }
        let low = try hexadecimal(at: start)
        guard low & 0xFC00 == 0xDC00,
            let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF)
        else { throw failure("half a surrogate pair", at: start) }
        return scalar
    }

    private mutating func hexadecimal(at start: Int) throws(JSONPathError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = current.flatMap(JSONParser.hexadecimalDigit) else {
                throw failure("expected four hexadecimal digits", at: start)
            }
            unit = unit << 4 | digit
            index += 1
        }
        return unit
    }

    // MARK: Helpers

    var current: UInt8? { index < end ? bytes[index] : nil }

    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    mutating func skipSpace() {
        while let byte = current, isSpace(byte) { index += 1 }
    }

    func failure(_ message: String, at offset: Int? = nil) -> JSONPathError {
        JSONPathError(offset: offset ?? index, message: message)
    }

    var found: String {
        guard index < end else { return ", found the end of the path" }
        let rest = bytes[index..<min(end, index + 4)]
        var first = String(decoding: rest, as: UTF8.self).unicodeScalars.prefix(1)
        if let scalar = first.first, scalar.value < 0x20 || scalar.value == 0x7F {
            first = "U+\(String(scalar.value, radix: 16, uppercase: true))".unicodeScalars[...]
        }
        return ", found '\(String(first))'"
    }

    /// Counts one level more, which the caller takes back.
    mutating func enter() throws(JSONPathError) {
        nesting += 1
        if nesting > JSONPathLimits.nesting {
            throw failure("more than \(JSONPathLimits.nesting) filters, parentheses and lists within each other")
        }
    }
}
