// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The form of a text, by its bytes alone.
package enum TextLook {
    /// Whether it is 8-4-4-4-12 hexadecimal digits (RFC 9562 §4).
    package static func isUUID(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.count == 36 else { return false }
        for (index, byte) in bytes.enumerated() {
            let isHyphen = index == 8 || index == 13 || index == 18 || index == 23
            if isHyphen ? byte != UInt8(ascii: "-") : ASCII.hexValue(byte) == nil { return false }
        }
        return true
    }

    /// The day that a text begins with, as `2026-11-20` (RFC 3339 §5.6); nil if there is none, or no such day.
    package static func day(_ bytes: some Collection<UInt8>) -> GregorianDay? {
        var numbers = (year: 0, month: 0, day: 0)
        var count = 0
        for byte in bytes.prefix(10) {
            let isHyphen = count == 4 || count == 7
            guard isHyphen ? byte == UInt8(ascii: "-") : ASCII.isDigit(byte) else { return nil }
            let digit = Int(byte &- UInt8(ascii: "0"))
            switch count {
            case 0..<4: numbers.year = numbers.year * 10 + digit
            case 5, 6: numbers.month = numbers.month * 10 + digit
            case 8, 9: numbers.day = numbers.day * 10 + digit
            default: break
            }
            count += 1
        }
        guard count == 10, (1...12).contains(numbers.month),
            (1...GregorianDay.days(in: numbers.month, of: numbers.year)).contains(numbers.day)
        else { return nil }
        return GregorianDay(year: numbers.year, month: numbers.month, day: numbers.day)
    }
}
