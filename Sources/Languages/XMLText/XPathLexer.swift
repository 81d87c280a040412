// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A token of an expression, and the byte it begins at.
struct XPathToken {
    enum Lexeme: Equatable {
        case number(Double)
        case literal(String)
        /// A name, perhaps with a prefix; `*` stands for any local name.
        case name(prefix: String?, local: String)
        case variable(String)
        /// `and`, `or`, `div`, `mod` and `*` if they stand between operands.
        case `operator`(String)
        case symbol(String)
    }

    var kind: Lexeme
    var offset: Int
}

/// Takes an expression apart (XPath 1.0 §3.7).
enum XPathLexer {
    private static let symbols = [
        "::", "..", "//", "!=", "<=", ">=", "(", ")", "[", "]", ".", "@", ",", "/", "|", "+", "-", "=", "<", ">",
    ]

    static func tokens(of text: String) throws(XPathError) -> [XPathToken] {
        let bytes = Array(text.utf8)
        var tokens: [XPathToken] = []
        var index = 0
        while index < bytes.count {
            let start = index
            let byte = bytes[index]
            func add(_ kind: XPathToken.Lexeme) { tokens.append(XPathToken(kind: kind, offset: start)) }
            if byte <= 0x20 {
                index += 1
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                guard let end = bytes[(index + 1)...].firstIndex(of: byte) else {
                    throw XPathError(offset: start, message: "a string that does not end")
                }
                add(.literal(String(decoding: bytes[(index + 1)..<end], as: UTF8.self)))
                index = end + 1
            } else if isDigit(byte) || byte == UInt8(ascii: ".") && index + 1 < bytes.count && isDigit(bytes[index + 1])
            {
                while index < bytes.count, isDigit(bytes[index]) { index += 1 }
                if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
                    index += 1
                    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
                }
                add(.number(XPathNumber.value(String(decoding: bytes[start..<index], as: UTF8.self))))
            } else if byte == UInt8(ascii: "$") {
                throw XPathError(offset: start, message: "variables are not known here")
            } else if byte == UInt8(ascii: "*") {
                index += 1
                add(isOperand(tokens.last) ? .operator("*") : .name(prefix: nil, local: "*"))
            } else if isNameStart(byte) {
                add(name(bytes, &index, isOperator: isOperand(tokens.last)))
            } else if let symbol = symbols.first(where: { bytes[index...].starts(with: $0.utf8) }) {
                index += symbol.utf8.count
                add(.symbol(symbol))
            } else {
                throw XPathError(offset: start, message: "a character that no expression has here")
            }
        }
        return tokens
    }

    /// Whether an operand ends with a token, so that an operator follows (XPath 1.0 §3.7).
    private static func isOperand(_ token: XPathToken?) -> Bool {
        switch token?.kind {
        case nil, .operator: false
        case .symbol(let symbol): [")", "]", "..", "."].contains(symbol)
        default: true
        }
    }

    private static func name(_ bytes: [UInt8], _ index: inout Int, isOperator: Bool) -> XPathToken.Lexeme {
        let first = word(bytes, &index)
        if isOperator, ["and", "or", "div", "mod"].contains(first) { return .operator(first) }
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: ":"), bytes[index + 1] != UInt8(ascii: ":") else {
            return .name(prefix: nil, local: first)
        }
        if bytes[index + 1] == UInt8(ascii: "*") {
            index += 2
            return .name(prefix: first, local: "*")
        }
        guard isNameStart(bytes[index + 1]) else { return .name(prefix: nil, local: first) }
        index += 1
        return .name(prefix: first, local: word(bytes, &index))
    }

    private static func word(_ bytes: [UInt8], _ index: inout Int) -> String {
        let start = index
        while index < bytes.count, isName(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    fileprivate static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
    private static func isNameStart(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_") || byte >= 0x80
    }
    private static func isName(_ byte: UInt8) -> Bool {
        isNameStart(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}

/// Numbers as XPath writes and reads them (XPath 1.0 §4.4 and §4.2).
enum XPathNumber {
    static func value(_ text: String) -> Double {
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return .nan }
        let written = bytes[first...last]
        // Swift also reads a plus sign, an exponent and words, which XPath does not.
        let digits = written.first == UInt8(ascii: "-") ? written.dropFirst() : written
        guard digits.allSatisfy({ XPathLexer.isDigit($0) || $0 == UInt8(ascii: ".") }) else { return .nan }
        return Double(String(decoding: written, as: UTF8.self)) ?? .nan
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        if number == 0 { return "0" }
        if let whole = Int(exactly: number) { return String(whole) }
        let written = number.description
        guard let mark = written.firstIndex(of: "e"), let power = Int(written[written.index(after: mark)...]) else {
            return written.hasSuffix(".0") ? String(written.dropLast(2)) : written
        }
        return plain(written[..<mark], power)
    }

    /// Writes a power of ten out.
    private static func plain(_ mantissa: Substring, _ power: Int) -> String {
        let sign = mantissa.hasPrefix("-") ? "-" : ""
        let parts = mantissa.drop { $0 == "-" }.split(separator: ".")
        var digits = parts.joined()
        if parts.count > 1, parts[1] == "0" { digits = String(parts[0]) }
        let point = (parts.first?.count ?? 0) + power
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
        return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    }
}
