// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Times as people read them off a clock: `10:00:00.123`, in the zone of the machine.
struct WallClockText {
    private var second: UInt64 = .max
    /// The hour, minute and second of the last time.
    private var prefix = ""

    init() {}

    mutating func text(_ nanoseconds: UInt64) -> String {
        let current = nanoseconds / 1_000_000_000
        if current != second {
            second = current
            var time = time_t(clamping: current)
            var parts = tm()
            localtime_r(&time, &parts)
            prefix = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { DateText.padded(Int($0)) }.joined(
                separator: ":")
        }
        return prefix + "." + DateText.padded(Int(nanoseconds / 1_000_000 % 1000), 3)
    }
}
