// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiUpstream

/// The times near to now that services have given a client in this session: the client sends them because it got them, and will again.
struct GivenTimes {
    /// Times that are remembered, and bytes of a response in which they are looked for. 65,536 and 1 MiB.
    private static let limit = (times: 65_536, bytes: 1024 * 1024)
    /// Bytes of a text that may be a time.
    private static let lengths = 10...35

    private var texts: Set<[UInt8]> = []

    /// Takes note of the times in a response.
    mutating func note(_ exchange: Exchange, _ unsteady: UnsteadyValues) {
        for field in exchange.head.fields { note(field.bytes, unsteady) }
        if case .bytes(let bytes) = exchange.content.storage, bytes.count <= Self.limit.bytes { note(bytes, unsteady) }
    }

    func contains(_ text: [UInt8]) -> Bool { texts.contains(text) }

    private mutating func note(_ bytes: [UInt8], _ unsteady: UnsteadyValues) {
        var index = 0
        while index < bytes.count {
            guard Self.isDigit(bytes[index]) else {
                index += 1
                continue
            }
            var end = index + 1
            while end < bytes.count, Self.isOfTime(bytes[end]) { end += 1 }
            if Self.lengths.contains(end - index), texts.count < Self.limit.times {
                let text = bytes[index..<end]
                if unsteady.isNow(String(decoding: text, as: UTF8.self)) { texts.insert(Array(text)) }
            }
            index = end
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private static func isOfTime(_ byte: UInt8) -> Bool { isDigit(byte) || ".:+-TZ".utf8.contains(byte) }
}

extension SentRequest {
    /// Takes note of the places at which the client's own clock stands, as far as a service has not given the time there, and of those that vary by the
    /// user's word.
    mutating func noteClocks(_ unsteady: UnsteadyValues, _ given: GivenTimes) {
        for (place, texts) in values {
            let isClock = texts.allSatisfy { value in
                guard var text = value.bytes else { return false }
                // A field is sent with its name.
                if case .field = place { text = Array(text.drop { $0 != ASCII.equals }.dropFirst()) }
                return unsteady.isClock(String(decoding: text, as: UTF8.self)) && !given.contains(text)
            }
            let digested = place.digestPlace
            if let digested, isClock { unasked?.moving.insert(digested) }
            if isClock || digested.map(unsteady.names) ?? false { clocks.insert(place) }
        }
        unasked?.settle(unsteady)
        // The target or the content as a whole has the time in it, too.
        for place in clocks {
            switch place {
            case .parameter: clocks.insert(.target)
            case .member, .field, .part: clocks.insert(.content)
            default: break
            }
        }
    }
}
