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
        func number(at place: Int, upTo most: Int) -> Int? {
            guard bytes[place..<place + 2].allSatisfy(ASCII.isDigit),
                let number = Int(String(decoding: bytes[place..<place + 2], as: UTF8.self)), number <= most
            else { return nil }
            return number
        }
        guard bytes.count >= 20, let day = TextLook.day(bytes), bytes[10] | 0x20 == 0x74, bytes[13] == ASCII.colon,
            bytes[16] == ASCII.colon, let hour = number(at: 11, upTo: 23), let minute = number(at: 14, upTo: 59),
            let second = number(at: 17, upTo: 60)
        else { return nil }
        var zone = 19
        var fraction = 0.0
        if bytes[zone] == 0x2E {
            var end = zone + 1
            while end < bytes.count, ASCII.isDigit(bytes[end]) { end += 1 }
            guard end > zone + 1, end < bytes.count else { return nil }
            fraction = Double("0" + String(decoding: bytes[zone..<end], as: UTF8.self)) ?? 0
            zone = end
        }
        var offset = 0
        if bytes[zone] == 0x2B || bytes[zone] == 0x2D {
            guard bytes.count == zone + 6, bytes[zone + 3] == ASCII.colon,
                let hours = number(at: zone + 1, upTo: 23), let minutes = number(at: zone + 4, upTo: 59)
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[zone] == 0x2B ? 60 : -60)
        } else if bytes[zone] | 0x20 != 0x7A || bytes.count != zone + 1 {
            return nil
        }
        return Double(day.daysSince1970 * 86400 + hour * 3600 + minute * 60 + second - offset) + fraction
    }
}
