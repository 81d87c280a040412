// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

extension StubFileReader {
    /// Reads the delays of a response.
    mutating func delay(of cursor: Cursor) -> ResponseDelay {
        var delay = ResponseDelay()
        delay.fixedMilliseconds = cursor[.fixedDelayMilliseconds]?.node.number?.integer ?? 0
        if let written = cursor[.delayDistribution], written.node.object != nil {
            delay.distribution = distribution(written)
        }
        if let written = cursor[.chunkedDribbleDelay], written.node.object != nil {
            delay.dribble = dribble(written)
        }
        return delay
    }

    private mutating func dribble(_ cursor: Cursor) -> ResponseDelay.Dribble? {
        guard let chunks = required(.numberOfChunks, of: cursor)?.integer,
            let duration = required(.totalDuration, of: cursor)?.integer
        else { return nil }
        return ResponseDelay.Dribble(chunks: chunks, milliseconds: duration)
    }

    mutating func distribution(_ cursor: Cursor, of name: String = "delayDistribution") -> ResponseDelay.Distribution? {
        switch cursor[.type]?.node.string {
        case "fixed":
            return required(.milliseconds, of: cursor)?.integer.map { .fixed($0) }
        case "uniform":
            guard let lower = required(.lower, of: cursor)?.integer, let upper = required(.upper, of: cursor)?.integer
            else { return nil }
            guard lower <= upper else {
                report(
                    .error, "\"lower\" is \(lower) and \"upper\" \(upper): \"lower\" must not be greater", at: cursor)
                return nil
            }
            return .uniform(lower: lower, upper: upper)
        case "lognormal":
            guard let median = required(.median, of: cursor)?.double, let sigma = required(.sigma, of: cursor)?.double
            else { return nil }
            let maximum = cursor[.maxValue] == nil ? nil : required(.maxValue, of: cursor)?.double
            return .lognormal(median: median, sigma: sigma, maximum: maximum)
        default:
            if cursor[.type] == nil {
                report(
                    .error, "\"\(name)\" needs \"type\": \"fixed\", \"uniform\" or \"lognormal\"", at: cursor)
            }
            return nil
        }
    }

    /// The number of a key that has to be there; it is not negative.
    private mutating func required(_ name: KeyName, of cursor: Cursor) -> JSONNumber? {
        guard let written = cursor[name] else {
            report(.error, "\"\(name.rawValue)\" is missing", at: cursor)
            return nil
        }
        guard let number = written.node.number else { return nil }
        guard number.double >= 0 else {
            report(.error, "\"\(name.rawValue)\" is less than 0", at: written)
            return nil
        }
        return number
    }
}
