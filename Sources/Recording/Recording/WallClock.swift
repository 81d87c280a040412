// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time of day.
package enum WallClock {
    /// To the second, such as `2026-11-20T10:00:00Z` (RFC 3339).
    package static var now: String { DateText.utc(second: time(nil)) }
}
