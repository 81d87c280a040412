// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// Dates of HTTP (RFC 9110 §5.6.7).
enum HTTPDate {
    /// The form that is sent, and the two obsolete ones.
    private static let formats = [
        "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, or one of the two obsolete forms; nil if it is not a date.
    static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        return formats.lazy.compactMap { format in
            formatter.dateFormat = format
            return formatter.date(from: text)
        }.first
    }
}
