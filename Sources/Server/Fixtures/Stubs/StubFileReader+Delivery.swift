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

    /// The keys that each fault takes beside it; the first of a list is one it cannot do without.
    private static let companions: [String: [String]] = [
        "TRUNCATE_BODY": ["afterBytes"], "SLOW_BODY": ["bytesPerSecond"], "RST_STREAM": ["errorCode", "afterBytes"],
        "GOAWAY": ["errorCode", "afterThisStream"], "STALL": ["afterBytes"], "EMPTY_RESPONSE": ["scope"],
        "CONNECTION_RESET_BY_PEER": ["scope"], "MALFORMED_RESPONSE_CHUNK": ["scope"],
        "RANDOM_DATA_THEN_CLOSE": ["scope"],
    ]

    /// Reads the fault of a response; nil if there is none, or if it is impossible.
    mutating func fault(of cursor: Cursor) -> Fault? {
        let name = cursor[.fault]?.node.string
        for key in ["afterBytes", "bytesPerSecond", "errorCode", "afterThisStream", "scope"] {
            guard let written = cursor[key], !(name.flatMap { Self.companions[$0] } ?? []).contains(key) else {
                continue
            }
            let users = ObjectKey.faultNames.filter { Self.companions[$0]?.contains(key) ?? false }
            let names = users.joined(separator: ", ")
            report(.error, "\"\(key)\" has no meaning here; it goes with the faults \(names)", at: written)
        }
        guard let name, let written = cursor[.fault] else { return nil }
        let afterBytes = cursor[.afterBytes]?.node.number?.integer
        switch name {
        case "EMPTY_RESPONSE": return .emptyResponse
        case "CONNECTION_RESET_BY_PEER": return .connectionResetByPeer
        case "MALFORMED_RESPONSE_CHUNK": return .malformedResponseChunk
        case "RANDOM_DATA_THEN_CLOSE": return .randomDataThenClose
        case "TRUNCATE_BODY":
            guard let afterBytes else { return missing("afterBytes", of: name, at: written) }
            return .truncateBody(afterBytes: afterBytes)
        case "SLOW_BODY":
            guard let rate = cursor[.bytesPerSecond]?.node.number?.integer else {
                return missing("bytesPerSecond", of: name, at: written)
            }
            if cursor[.chunkedDribbleDelay] != nil {
                report(.error, "SLOW_BODY and \"chunkedDribbleDelay\" both set the pace of the body", at: written)
            }
            return .slowBody(bytesPerSecond: rate)
        case "WRONG_CONTENT_LENGTH": return .wrongContentLength
        case "BAD_GZIP": return .badGzip
        case "RST_STREAM":
            return .resetStream(code: errorCode(cursor) ?? HTTP2ErrorCode.internalError, afterBytes: afterBytes)
        case "REFUSED_STREAM": return .refusedStream
        case "GOAWAY":
            return .goAway(
                code: errorCode(cursor) ?? 0, afterThisStream: cursor[.afterThisStream]?.node.bool ?? true)
        case "STALL": return .stall(afterBytes: afterBytes)
        default: return nil
        }
    }

    private mutating func missing(_ key: String, of fault: String, at cursor: Cursor) -> Fault? {
        // A key of the wrong kind has been reported already.
        report(.error, "\(fault) needs \"\(key)\" beside it", at: cursor)
        return nil
    }

    private func errorCode(_ cursor: Cursor) -> UInt32? {
        guard let written = cursor[.errorCode]?.node else { return nil }
        if let name = written.string { return HTTP2ErrorCode.number(of: name) }
        return written.number?.integer.flatMap(UInt32.init(exactly:))
    }
}
