// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time of day.
package enum WallClock {
    private static let last = Mutex<UInt64>(0)

    /// To the millisecond, such as `2026-11-20T10:00:00.000Z` (RFC 3339), and later each time: the order of recordings is reported by it.
    package static var now: String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let millisecond = UInt64(max(0, time.tv_sec)) &* 1000 + UInt64(max(0, time.tv_nsec)) / 1_000_000
        let next = last.withLock { last in
            // A clock that is set back does not hold the recordings up.
            last = millisecond <= last && last - millisecond < 60_000 ? last + 1 : millisecond
            return last
        }
        return DateText.utc(nanosecond: next &* 1_000_000)
    }
}
