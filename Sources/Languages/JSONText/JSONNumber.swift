// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A JSON number as it was written; equality is by value, exact at any size (`1`, `1.0` and `10e-1` are equal).
package struct JSONNumber: Sendable {
    /// The literal as it stands in the text, for instance `1.50` or `9223372036854775808`.
    package let literal: String

    /// - Parameter literal: a number in JSON's grammar (RFC 8259 §6).
    package init(literal: String) {
        self.literal = literal
    }

    /// The value as an integer; nil if it has a fraction or does not fit.
    package var integer: Int? {
        if let value = Int(literal) { return value }
        let form = canonical
        guard form.exponent >= 0, form.exponent < 19 else { return nil }
        return Int((form.isNegative ? "-" : "") + form.digits + String(repeating: "0", count: form.exponent))
    }

    /// The nearest double.
    package var double: Double { Double(literal) ?? .nan }

    /// A text that two numbers share if they are equal, and only then.
    package var canonicalText: String {
        let bytes = literal.utf8
        // Most numbers are integers that already stand so.
        if bytes.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }), bytes.last != UInt8(ascii: "0") {
            return literal
        }
        let form = canonical
        return (form.isNegative ? "-" : "") + form.digits + (form.exponent == 0 ? "" : "e\(form.exponent)")
    }

    /// How the value stands to another, exactly: less than 0 for a smaller one, 0 for an equal one, more for a greater one.
    package func compare(to other: JSONNumber) -> Int {
        let (left, right) = (canonical, other.canonical)
        func sign(_ isNegative: Bool, _ digits: String) -> Int { digits == "0" ? 0 : isNegative ? -1 : 1 }
        let (mine, theirs) = (sign(left.isNegative, left.digits), sign(right.isNegative, right.digits))
        if mine != theirs || mine == 0 { return mine - theirs }
        let (size, otherSize) = (left.digits.utf8.count &+ left.exponent, right.digits.utf8.count &+ right.exponent)
        if size != otherSize { return size < otherSize ? -mine : mine }
        // Without zeros at either end, the digits of one size stand in the order of their values.
        if left.digits == right.digits { return 0 }
        return left.digits.utf8.lexicographicallyPrecedes(right.digits.utf8) ? -mine : mine
    }

    /// The value as sign, digits without zeros at either end, and a power of ten.
    private var canonical: (isNegative: Bool, digits: String, exponent: Int) {
        var digits: [UInt8] = []
        var isNegative = false
        var exponent = 0
        var isFraction = false
        var bytes = literal.utf8[...]
        if bytes.first == UInt8(ascii: "-") {
            isNegative = true
            bytes = bytes.dropFirst()
        }
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "."):
                isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                let written = String(decoding: bytes, as: UTF8.self)
                // An exponent of more than 18 digits is not a number anybody meant; it is kept apart from all others.
                exponent = exponent &+ (Int(written) ?? (written.hasPrefix("-") ? -Int(Int32.max) : Int(Int32.max)))
                bytes = bytes[bytes.endIndex...]
            default:
                digits.append(byte)
                if isFraction { exponent -= 1 }
            }
        }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent &+= 1
        }
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        if significant.isEmpty { return (false, "0", 0) }
        return (isNegative, String(decoding: significant, as: UTF8.self), exponent)
    }
}

extension JSONNumber: Equatable {
    package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.literal == right.literal || left.canonical == right.canonical
    }
}
