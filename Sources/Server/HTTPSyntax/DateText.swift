// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Dates and times of ISO 8601 in full.
package enum DateText {
    /// `2026-11-20T10:00:00Z` (RFC 3339).
    ///
    /// - Parameter second: since 1970.
    package static func utc(second: Int) -> String { "\(upToSecond(second))Z" }

    /// The same with milliseconds: `2026-11-20T10:00:00.000Z`.
    ///
    /// - Parameter nanosecond: since 1970.
    package static func utc(nanosecond: UInt64) -> String {
        let millisecond = Int(nanosecond / 1_000_000)
        return "\(upToSecond(millisecond / 1000)).\(padded(millisecond % 1000, 3))Z"
    }

    private static func upToSecond(_ second: Int) -> String {
        let date = GregorianDay(daysSince1970: second / 86400)
        let time = second % 86400
        return "\(date.year)-\(padded(date.month))-\(padded(date.day))"
            + "T\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60))"
    }

    /// A number with zeros in front of it up to a width.
    package static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Reads `2026-11-20T10:00:00Z`, with a fraction and an offset such as `+01:00` if there are any; nil for anything else.
    ///
    /// - Returns: seconds since 1970.
    package static func seconds(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count, bytes[range].allSatisfy(ASCII.isDigit) else { return nil }
            return Int(String(decoding: bytes[range], as: UTF8.self))
        }
        guard bytes.count >= 20, let day = TextLook.day(bytes), bytes[10] | 0x20 == 0x74, bytes[13] == 0x3A,
            bytes[16] == 0x3A, let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
        else { return nil }
        var zone = 19
        var fraction = 0.0
        if bytes[zone] == 0x2E {
            var end = zone + 1
            while end < bytes.count, ASCII.isDigit(bytes[end]) { end += 1 }
            fraction = Double("0" + String(decoding: bytes[zone..<end], as: UTF8.self)) ?? 0
            zone = end
        }
        guard zone < bytes.count else { return nil }
        var offset = 0
        if bytes[zone] == 0x2B || bytes[zone] == 0x2D {
            guard bytes.count == zone + 6, let hours = number(zone + 1..<zone + 3),
                let minutes = number(zone + 4..<zone + 6)
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[zone] == 0x2B ? 60 : -60)
        } else if bytes[zone] | 0x20 != 0x7A || bytes.count != zone + 1 {
            return nil
        }
        return Double(day.daysSince1970 * 86400 + hour * 3600 + minute * 60 + second - offset) + fraction
    }
}
