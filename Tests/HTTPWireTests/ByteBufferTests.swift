// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiHTTPWire

/// A buffer beside an array, and how much memory it takes for what it holds.
@Suite(.supervised) struct ByteBufferTests {
    @Test(arguments: [(40, 2000), (3000, 400), (30_000, 100)])
    func `bytes come out in order, and the memory grows only for what it cannot hold`(most: Int, rounds: Int) {
        var random = SplitMix(seed: 12)
        let buffer = ByteBuffer()
        var (held, next) = ([UInt8](), UInt8(0))
        func bytes(_ count: Int) -> [UInt8] {
            next &+= 1
            return [UInt8](repeating: next, count: max(0, count - 1)) + (count > 0 ? [next &+ 128] : [])
        }
        for _ in 0..<rounds {
            let before = buffer.capacity
            var needed = held.count
            switch random.below(6) {
            case 0:
                let room = before - held.count
                let more = bytes(random.pick([random.below(most), room, room + 1]))
                needed += more.count
                buffer.append(more)
                held += more
            case 1:
                needed += 1
                let space = buffer.space()
                #expect(!space.isEmpty)
                let more = bytes(min(space.count, random.below(most)))
                space.copyBytes(from: more)
                buffer.filled(more.count)
                held += more
            case 2:
                let more = bytes(random.below(most))
                needed += more.count
                let space = buffer.space(atLeast: more.count)
                #expect(space.count >= more.count)
                space.copyBytes(from: more)
                buffer.filled(more.count)
                held += more
            case 3 where random.chance(5):
                buffer.removeAll()
                held = []
                #expect(buffer.capacity == (before > ByteBuffer.keptCapacity ? ByteBuffer.initialCapacity : before))
                continue
            case 3 where random.chance(5):
                buffer.growForBulk()
                #expect(buffer.capacity == max(before, min(before * 4, ByteBuffer.bulkCapacity)))
                continue
            default:
                let count = random.pick([held.count, random.below(held.count + 1), random.below(held.count + 1)])
                buffer.consume(count)
                held.removeFirst(count)
            }
            #expect(Array(buffer.readable) == held && buffer.count == held.count)
            #expect(buffer.isEmpty == held.isEmpty)
            // The smallest power of two that is enough, if it did not fit.
            var expected = before
            while expected < needed { expected *= 2 }
            #expect(buffer.capacity == expected, "\(before) for \(needed)")
            if buffer.capacity > 1 << 20 {
                buffer.removeAll()
                held = []
            }
        }
    }

    @Test func `an empty buffer keeps as much memory as it may`() {
        for (count, kept) in [
            (ByteBuffer.keptCapacity, ByteBuffer.keptCapacity),
            (ByteBuffer.keptCapacity + 1, ByteBuffer.initialCapacity),
        ] {
            let buffer = ByteBuffer()
            buffer.append([UInt8](repeating: 1, count: count))
            buffer.removeAll()
            #expect(buffer.capacity == kept && buffer.isEmpty)
        }
    }
}
