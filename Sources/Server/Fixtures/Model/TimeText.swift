// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Spans of time as people write them: `250ms`, `0.5s`, `60s`, `5m`, `1h`.
package enum TimeText {
    /// A year: a longer time is as good as for ever, and sums of nanoseconds stay in range.
    private static let longest = 31_536_000_000

    /// The form that a text has to have, in words.
    package static let expectation = "numbers of ms, s, m or h, a year at most, such as 250ms, 0.5s or 5m"

    /// Whole milliseconds; nil for a text that is not a span, and one longer than a year.
    package static func milliseconds(_ text: String) -> Int? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let units = ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000]
        guard let unit = units[String(text.dropFirst(number.count))],
            let milliseconds = milliseconds(number, of: unit), milliseconds <= longest
        else { return nil }
        return milliseconds
    }

    /// Whole milliseconds; nil for a text that is not a number, or has parts of one.
    private static func milliseconds(_ text: Substring, of unit: Int) -> Int? {
        let parts = text.split(ascii: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.count <= 11 }) else { return nil }
        let places = parts.count == 2 ? parts[1].count : 0
        let scale = (0..<places).reduce(1) { factor, _ in factor * 10 }
        // Eleven digits and eleven behind the point, by an hour: more than an Int has.
        guard let whole = Int(parts[0]), let fraction = places == 0 ? 0 : Int(parts[1]) else { return nil }
        let (product, overflows) = fraction.multipliedReportingOverflow(by: unit)
        let (high, alsoOverflows) = whole.multipliedReportingOverflow(by: unit)
        guard !overflows, !alsoOverflows, product % scale == 0 else { return nil }
        return high + product / scale
    }
}
