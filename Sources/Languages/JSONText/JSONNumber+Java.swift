// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension JSONNumber {
    /// The text that Jayway gives: of a number with a fraction or an exponent, that of a `double` of Java, such as `1.0E8`; else the literal.
    package var javaText: String {
        let isDouble = literal.utf8.count <= Self.longestDouble && literal.utf8.contains { ".eE".utf8.contains($0) }
        return (isDouble ? Self.javaDouble(literal) : nil) ?? literal
    }

    /// A number in a template as Handlebars.java reads it: an `int`, or else a `double`.
    package static func javaLiteral(_ text: String) -> String {
        if let integer = Int32(text) { return String(integer) }
        return javaDouble(text) ?? text
    }

    /// Characters of a literal beyond which Jayway keeps all its digits. 18.
    private static let longestDouble = 18

    /// Zeros that a number without its exponent has besides its digits at most. 40.
    private static let mostZeros: UInt = 40

    /// The text that Jackson gives: that of a `BigDecimal` of Java without an exponent; the literal of a number that has too many zeros then.
    ///
    /// - Parameter keepsZeros: whether zeros at the end of a fraction stay.
    package func plainText(keepsZeros: Bool) -> String {
        let parts = literal.utf8.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = parts[0].drop { $0 == UInt8(ascii: "-") }
        let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }
        let exponent = parts.count > 1 ? Int(String(Substring(parts[1]))) : 0
        guard let exponent, exponent.magnitude <= Self.mostZeros else { return literal }
        var digits = Array(whole) + mantissa.dropFirst(whole.count + 1)
        // How many of the digits are behind the point; below 0 for zeros in front of it.
        var scale = mantissa.count - whole.count - (mantissa.count > whole.count ? 1 : 0) - exponent
        while !keepsZeros, scale > 0, digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            scale -= 1
        }
        digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
        let isZero = digits.isEmpty
        if !isZero { digits += repeatElement(UInt8(ascii: "0"), count: max(0, -scale)) }
        digits = Array(repeating: UInt8(ascii: "0"), count: max(0, max(0, scale) + 1 - digits.count)) + digits
        if scale > 0 { digits.insert(UInt8(ascii: "."), at: digits.count - scale) }
        return (literal.hasPrefix("-") && !isZero ? "-" : "") + String(decoding: digits, as: UTF8.self)
    }

    /// A number as `Double.toString` of Java writes it; nil for none.
    private static func javaDouble(_ literal: String) -> String? {
        guard let value = Double(literal), value.isFinite else { return nil }
        let sign = value.sign == .minus ? "-" : ""
        // Swift writes the same digits: as few as tell the number from others.
        let parts = "\(value.magnitude)".utf8.split(separator: UInt8(ascii: "e"))
        let mantissa = parts[0].split(separator: UInt8(ascii: "."))
        let exponent = parts.count > 1 ? Int(String(Substring(parts[1]))) ?? 0 : 0
        let all = mantissa.joined()
        let leading = all.prefix { $0 == UInt8(ascii: "0") }.count
        var digits = Array(all.dropFirst(leading))
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        guard !digits.isEmpty else { return sign + "0.0" }
        func text(_ digits: some Sequence<UInt8>) -> String { String(decoding: Array(digits), as: UTF8.self) }
        func fraction(_ digits: some Collection<UInt8>) -> String { digits.isEmpty ? "0" : text(digits) }
        // The value is 0.digits times ten to the power of this.
        let point = mantissa[0].count + exponent - leading
        if point > 7 || point < -2 {
            return "\(sign)\(text(digits.prefix(1))).\(fraction(digits.dropFirst()))E\(point - 1)"
        }
        if point <= 0 { return "\(sign)0.\(String(repeating: "0", count: -point))\(text(digits))" }
        let zeros = String(repeating: "0", count: max(0, point - digits.count))
        return "\(sign)\(text(digits.prefix(point)))\(zeros).\(fraction(digits.dropFirst(point)))"
    }
}

extension JSONNode {
    /// The value with other texts for its numbers, such as Java's; nil if nothing changes.
    package func withNumbers(_ text: (JSONNumber) -> String) -> JSONNode? {
        switch value {
        case .number(let number):
            let text = text(number)
            return text == number.literal ? nil : JSONNode(.number(JSONNumber(literal: text)))
        case .array(let elements):
            let changed = elements.map { $0.withNumbers(text) }
            if changed.allSatisfy({ $0 == nil }) { return nil }
            return .array(zip(changed, elements).map { $0 ?? $1 })
        case .object(let object):
            let changed = object.members.map { $0.value.withNumbers(text) }
            if changed.allSatisfy({ $0 == nil }) { return nil }
            return JSONNode(
                .object(
                    JSONObject(
                        zip(changed, object.members).map { .init(name: $1.name, value: $0 ?? $1.value) })))
        case .null, .bool, .string: return nil
        }
    }
}
