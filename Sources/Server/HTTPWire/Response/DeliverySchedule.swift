// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How much of a response may be on its way at which time.
///
/// Times are nanoseconds of a clock that the caller reads.
package struct DeliverySchedule: Sendable {
    /// How often a response with a rate gets bytes to send. 50 ms.
    private static let tick: UInt64 = 50_000_000

    private let start: UInt64
    private let pace: Delivery.Pace
    private let total: Int

    /// - Parameters:
    ///   - total: bytes of content that are to be sent in all.
    ///   - now: when the response was ready.
    package init(_ delivery: Delivery, total: Int, now: UInt64) {
        start = now &+ delivery.delay
        self.total = total
        pace =
            switch delivery.pace {
            case .parts(let count, let pause) where count > 0 && pause > 0 && total > 0:
                .parts(count: min(count, total), pause: pause)
            case .rate(let rate) where rate > 0: .rate(rate)
            default: .atOnce
            }
    }

    /// Bytes of content that may have been sent by a given time; nil if the head has to wait.
    package func allowance(at now: UInt64) -> Int? {
        guard now >= start else { return nil }
        switch pace {
        case .atOnce: return total
        case .parts(let count, let pause):
            let pauses = (now - start) / pause
            if pauses == 0 { return nil }
            return pauses >= UInt64(count) ? total : Int(pauses) * (total / count)
        case .rate(let rate):
            return rated(rate, ticks: (now - start) / Self.tick)
        }
    }

    /// When more may be sent than at a given time; nil if all may.
    package func next(after now: UInt64) -> UInt64? {
        guard now >= start else {
            if case .parts(_, let pause) = pace { return start + pause }
            return start
        }
        switch pace {
        case .atOnce: return nil
        case .parts(let count, let pause):
            let pauses = (now - start) / pause
            return pauses >= UInt64(count) ? nil : start + pause * (pauses + 1)
        case .rate(let rate):
            let ticks = (now - start) / Self.tick
            let sent = rated(rate, ticks: ticks)
            guard sent < total else { return nil }
            // A slow rate gives a byte only every so many ticks.
            let nextByte = (Double(sent) + 1) / Double(rate) * 1e9 / Double(Self.tick)
            return start + Self.tick * max(ticks + 1, UInt64(nextByte.rounded(.up)))
        }
    }

    private func rated(_ rate: Int, ticks: UInt64) -> Int {
        let bytes = Double(rate) * Double(ticks) * Double(Self.tick) / 1e9
        return bytes >= Double(total) ? total : Int(bytes)
    }
}
