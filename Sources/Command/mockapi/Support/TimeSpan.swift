// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// A span of time on the command line: `250ms`, `0.5s`, `60s`, `5m`, `1h`.
struct TimeSpan: CustomStringConvertible {
    let duration: Duration

    init(_ duration: Duration) {
        self.duration = duration
    }

    @Sendable static func parse(_ argument: String) throws -> TimeSpan {
        guard let milliseconds = TimeText.milliseconds(argument) else {
            throw ValueFailure(description: "times are \(TimeText.expectation)")
        }
        return TimeSpan(.milliseconds(milliseconds))
    }

    var description: String {
        let (seconds, attoseconds) = duration.components
        return attoseconds == 0 ? "\(seconds)s" : "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)ms"
    }
}
