// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// A number of any size and precision, exactly.
struct Decimal: Sendable {
    private var isNegative: Bool
    /// The digits, each 0 to 9, without zeros at either end; empty for zero.
    private var digits: [UInt8]
    /// The power of ten that the digits are multiplied by.
    private var exponent: Int

    init(_ number: JSONNumber) {
        let text = Array(number.canonicalText.utf8)
        isNegative = text.first == UInt8(ascii: "-")
        var rest = text[...]
        if isNegative { rest = rest.dropFirst() }
        let mark = rest.firstIndex(of: UInt8(ascii: "e")) ?? rest.endIndex
        digits = rest[..<mark].map { $0 &- UInt8(ascii: "0") }
        exponent = mark < rest.endIndex ? Int(String(decoding: rest[(mark + 1)...], as: UTF8.self)) ?? 0 : 0
        // Integers may come as they stand.
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        let zeros = digits.prefix { $0 == 0 }.count
        digits.removeFirst(zeros)
        if digits.isEmpty { (isNegative, exponent) = (false, 0) }
    }

    var isInteger: Bool { exponent >= 0 }
    var isZero: Bool { digits.isEmpty }
    var isBelowZero: Bool { isNegative }
    /// The cost of an operation on the number, in digits.
    var digitCount: Int { digits.count }

    static func < (left: Decimal, right: Decimal) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.isSmaller(than: left) : left.isSmaller(than: right)
    }

    /// Compares without signs.
    private func isSmaller(than other: Decimal) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
        let (size, otherSize) = (digits.count &+ exponent, other.digits.count &+ other.exponent)
        if size != otherSize { return size < otherSize }
        return digits.lexicographicallyPrecedes(other.digits)
    }

    /// Whether the number is a whole multiple of another; nil if finding out would cost too much.
    func isMultiple(of divisor: Decimal) -> Bool? {
        if digits.isEmpty { return true }
        if divisor.digits.isEmpty { return false }
        let zeros = exponent &- divisor.exponent
        // The digits do not end in 0, so no power of ten can be missing.
        if zeros < 0 { return false }
        if divisor.digits == [1] { return true }
        if divisor.digits.count <= 18 {
            return remainder(by: divisor.digits.reduce(0) { $0 * 10 + UInt64($1) }, zeros) == 0
        }
        guard zeros <= 4096, (digits.count + zeros) * divisor.digits.count <= 1 << 20 else { return nil }
        return isMultiple(ofDigits: divisor.digits, zeros)
    }

    private func remainder(by divisor: UInt64, _ zeros: Int) -> UInt64 {
        func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
            divisor.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
        }
        var result: UInt64 = 0
        for digit in digits { result = (product(result, 10 % divisor) + UInt64(digit) % divisor) % divisor }
        var (power, base, left) = (1 % divisor, 10 % divisor, zeros)
        while left > 0 {
            if left & 1 == 1 { power = product(power, base) }
            base = product(base, base)
            left >>= 1
        }
        return product(result, power)
    }

    /// Long division, digit by digit, whose quotient is not kept.
    private func isMultiple(ofDigits divisor: [UInt8], _ zeros: Int) -> Bool {
        // The lowest digit first; one more than the divisor has.
        var rest = [UInt8](repeating: 0, count: divisor.count + 1)
        let low = Array(divisor.reversed()) + [0]
        for position in 0..<(digits.count + zeros) {
            rest.removeLast()
            rest.insert(position < digits.count ? digits[position] : 0, at: 0)
            while !rest.reversed().lexicographicallyPrecedes(low.reversed()) {
                var borrow: UInt8 = 0
                for index in rest.indices {
                    let take = low[index] + borrow
                    borrow = rest[index] < take ? 1 : 0
                    rest[index] = rest[index] + borrow * 10 - take
                }
            }
        }
        return rest.allSatisfy { $0 == 0 }
    }
}
