// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What the content of requests takes of a server's memory, by what has come of it.
@Suite(.supervised) struct ContentMemoryTests {
    private func append(_ count: Int, to request: inout Request, announced: Int, _ limits: RequestLimits) -> Bool {
        [UInt8](repeating: 0x61, count: count).withUnsafeBufferPointer {
            request.append($0, announced: announced, limits)
        }
    }

    @Test func `content is not copied when more than half of it is there`() {
        var random = SplitMix(seed: 31)
        for _ in 0..<60 {
            let (announced, piece) = (70_000 + random.below(400_000), 1_000 + random.below(64_000))
            var request = Request()
            var copied = 0
            while request.body.count < announced {
                let before = (count: request.body.count, capacity: request.body.capacity)
                let count = min(piece, announced - before.count)
                #expect(append(count, to: &request, announced: announced, RequestLimits()))
                if request.body.capacity != before.capacity { copied = before.count }
            }
            // The allocator gives a page more than is asked for.
            #expect(copied <= announced / 2 + 4096, "\(announced) bytes in pieces of \(piece)")
        }
    }

    @Test func `room is made for what has come, not for what is announced`() {
        var request = Request()
        #expect(append(1, to: &request, announced: 1 << 24, RequestLimits()))
        #expect(request.body.capacity < 17 * 1024)
        #expect(append(20_000, to: &request, announced: 1 << 24, RequestLimits()))
        #expect(request.body.capacity < 48 * 1024)
    }

    @Test func `what is counted is the memory that content takes, which is more than has come`() {
        var limits = RequestLimits(maxBody: 128 * 1024)
        limits.maxContent = 128 * 1024
        var first = Request()
        // 40,000 bytes have come, and there is room for all 100,000: two steps of 64 KiB, and all there is.
        #expect(append(40_000, to: &first, announced: 100_000, limits))
        var second = Request()
        #expect(!append(20_000, to: &second, announced: 20_000, limits))
        first = Request()
        #expect(append(20_000, to: &second, announced: 40_000, limits))
    }

    @Test(arguments: [65_537, 100_000, 131_071])
    func `content of the largest size finds room where all contents together may be no larger`(size: Int) {
        var limits = RequestLimits(maxBody: size)
        limits.maxContent = 1
        var request = Request()
        #expect(append(size, to: &request, announced: size, limits))
        #expect(request.body.count == size)
    }
}
