// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Moments as ISO 8601 writes them, in UTC with milliseconds: `2026-11-20T10:00:00.000Z`.
enum Timestamp {
    static func format(nanoseconds: UInt64) -> String {
        let milliseconds = Int(nanoseconds / 1_000_000)
        let second = milliseconds / 1000
        let date = CivilDate(daysSince1970: second / 86400)
        let time = second % 86400
        return
            "\(date.year)-\(padded(date.month))-\(padded(date.day))T\(padded(time / 3600)):\(padded(time / 60 % 60)):"
            + "\(padded(time % 60)).\(padded(milliseconds % 1000, 3))Z"
    }

    fileprivate static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Moments as people read them off a clock: `10:00:00.123`, in the zone of the machine.
struct WallClockText {
    private var second: UInt64 = .max
    /// The hour, minute and second of the last moment.
    private var prefix = ""

    init() {}

    mutating func text(_ nanoseconds: UInt64) -> String {
        let current = nanoseconds / 1_000_000_000
        if current != second {
            second = current
            var time = time_t(clamping: current)
            var parts = tm()
            localtime_r(&time, &parts)
            prefix = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Timestamp.padded(Int($0)) }.joined(
                separator: ":")
        }
        return prefix + "." + Timestamp.padded(Int(nanoseconds / 1_000_000 % 1000), 3)
    }
}
