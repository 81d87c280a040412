// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The clocks of the server, in nanoseconds.
package enum Clock {
    /// Runs on whatever happens to the time of day; for durations and time-outs.
    package static func monotonic() -> UInt64 { read(CLOCK_MONOTONIC) }

    /// Since 1970; for dates.
    package static func wall() -> UInt64 { read(CLOCK_REALTIME) }

    /// The time that the calling thread has had of processors.
    package static func thread() -> UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

    /// The time of day in seconds since 1970.
    package static var seconds: Double { Double(wall()) / 1e9 }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
