// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiHTTPWire

/// The frames that a client may send, of those that cost more than they ask for.
@Suite(.supervised) struct FrameBudgetTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `frames are taken up to the size, and then as time allows more`() {
        var budget = FrameBudget(size: 3, perSecond: 10)
        var taken: [Bool] = []
        // Three at once, then one every 100 ms, and after a long time no more than the size.
        for (moment, count) in [(0, 4), (99, 1), (100, 2), (199, 1), (201, 2), (10_000, 4)] as [(UInt64, Int)] {
            for _ in 0..<count { taken.append(budget.take(now: Self.second + moment * 1_000_000)) }
        }
        let story = taken.map { $0 ? "+" : "-" }.joined()
        #expect(story == "+++--+--+-+++-")
        budget.refill(2)
        let refilled = (0..<3).map { _ in budget.take(now: Self.second + 10_000_000_000) }
        #expect(refilled == [true, true, false])
        budget.refill(9)
        let full = (0..<4).map { _ in budget.take(now: Self.second + 10_000_000_000) }
        #expect(full == [true, true, true, false])
    }

    private static func offences(_ count: Int, _ note: () -> FloodGuard.Offence?) -> (
        free: Int, offence: FloodGuard.Offence?
    ) {
        for free in 0..<count {
            if let offence = note() { return (free, offence) }
        }
        return (count, nil)
    }

    @Test func `each kind of frame has its own bound`() {
        for (kind, length, endsStream, free, offence) in [
            (0, 0, false, 100, .empty), (0, 1, false, 2000, nil), (0, 0, true, 2000, nil), (1, 0, false, 100, .empty),
            (1, 1, false, 2000, nil), (9, 0, false, 16, .continuations), (9, 1, false, 16, .continuations),
            (3, 4, false, 2000, nil),
            (8, 4, false, 1000, .windowUpdates), (6, 8, false, 1000, .control), (4, 0, false, 1000, .control),
            (2, 5, false, 1000, .control), (99, 0, false, 1000, .control),
        ] as [(UInt8, Int, Bool, Int, FloodGuard.Offence?)] {
            var watch = FloodGuard()
            let seen = Self.offences(2000) {
                watch.note(kind: kind, length: length, endsStream: endsStream, now: Self.second)
            }
            #expect(seen.free == free && seen.offence == offence, "\(kind) \(length)")
        }
        for (note, offence) in [
            ({ $0.noteReset(now: Self.second) }, .resets), ({ $0.noteStreamError(now: Self.second) }, .streamErrors),
            ({ $0.noteRefused(now: Self.second) }, .refused),
        ] as [((inout FloodGuard) -> FloodGuard.Offence?, FloodGuard.Offence)] {
            var watch = FloodGuard()
            let seen = Self.offences(2000) { note(&watch) }
            #expect(seen.free == 500 && seen.offence == offence)
        }
    }

    @Test func `a header section begins its count of continuations, and a request and sent bytes allow more`() {
        var watch = FloodGuard()
        func note(_ kind: UInt8) -> FloodGuard.Offence? {
            watch.note(kind: kind, length: 4, endsStream: false, now: Self.second)
        }
        for _ in 0..<3 {
            #expect(note(1) == nil)
            #expect(Self.offences(16) { note(9) }.offence == nil)
        }
        #expect(note(9) == .continuations)
        #expect(Self.offences(2000) { note(8) }.free == 1000)
        #expect(Self.offences(2000) { note(6) }.free == 1000)
        watch.noteRequest()
        #expect(Self.offences(9) { note(8) }.free == 4)
        #expect(Self.offences(9) { note(6) }.free == 2)
        for (bytes, isAll, free) in [(1023, false, 0), (1, false, 1), (3072, false, 3), (10, true, 4), (1014, true, 5)]
        {
            watch.noteSent(bytes, isAll: isAll)
            #expect(Self.offences(9) { note(8) }.free == free, "\(bytes)")
        }
    }
}
