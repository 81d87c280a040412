// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where matching takes the time from, unless the scratch says that it stands still.
package struct MatchClock: Sendable {
    /// Seconds and nanoseconds since 1970.
    package let now: @Sendable () -> (seconds: Int, nanoseconds: Int)

    package init(_ now: @escaping @Sendable () -> (seconds: Int, nanoseconds: Int)) {
        self.now = now
    }

    package static let system = MatchClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return (Int(time.tv_sec), Int(time.tv_nsec))
    }
}
