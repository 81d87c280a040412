// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time of day.
package enum WallClock {
    /// To the second, such as `2026-11-20T10:00:00Z` (RFC 3339).
    package static var now: String {
        let seconds = time(nil)
        let date = CivilDate(daysSince1970: seconds / 86400)
        let second = seconds % 86400
        let parts = [date.month, date.day, second / 3600, second / 60 % 60, second % 60].map { number in
            number < 10 ? "0\(number)" : "\(number)"
        }
        return "\(date.year)-\(parts[0])-\(parts[1])T\(parts[2]):\(parts[3]):\(parts[4])Z"
    }
}
