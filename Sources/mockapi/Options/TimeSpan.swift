// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

/// A span of time on the command line: `250ms`, `60s`.
struct TimeSpan: ExpressibleByArgument, CustomStringConvertible {
    let duration: Duration

    init(_ duration: Duration) {
        self.duration = duration
    }

    init?(argument: String) {
        let digits = argument.prefix { $0.isNumber }
        // Longer than a year is as good as for ever, and keeps sums of nanoseconds in range.
        guard let number = Int(digits), number <= 31_536_000_000 else { return nil }
        switch argument.dropFirst(digits.count) {
        case "ms": duration = .milliseconds(number)
        case "s" where number <= 31_536_000: duration = .seconds(number)
        default: return nil
        }
    }

    var description: String {
        let (seconds, attoseconds) = duration.components
        return attoseconds == 0 ? "\(seconds)s" : "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)ms"
    }

    var defaultValueDescription: String { description }
}
