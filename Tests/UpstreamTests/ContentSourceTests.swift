// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiUpstream

/// The content of a request as libcurl reads it, beside a list of bytes that is read by hand.
@Suite(.supervised) struct ContentSourceTests {
    private static func read(_ source: inout ContentSource, _ room: Int) -> (ContentSource.Reading, [UInt8]) {
        var buffer = [UInt8](repeating: 0xAA, count: room)
        let reading = buffer.withUnsafeMutableBytes { source.read(into: $0) }
        if case .bytes(let count) = reading { return (reading, Array(buffer[..<count])) }
        #expect(buffer.allSatisfy { $0 == 0xAA })
        return (reading, [])
    }

    @Test func `bytes that are all there are read in order, and again from any place`() throws {
        #expect(ContentSource(.none) == nil)
        var random = SplitMix(seed: 4)
        for _ in 0..<300 {
            let bytes = (0..<random.below(12)).map { UInt8($0) }
            var source = try #require(ContentSource(.bytes(bytes)))
            var place = 0
            #expect(source.length == bytes.count)
            for _ in 0..<20 {
                #expect(source.canRestart)
                if random.chance(20) {
                    let next = random.below(bytes.count + 3)
                    let isThere = next <= bytes.count
                    let isFound = source.seek(to: next)
                    #expect(isFound == isThere)
                    if isThere { place = next }
                }
                let room = 1 + random.below(5)
                let (reading, read) = Self.read(&source, room)
                let count = min(room, bytes.count - place)
                #expect(reading == (count == 0 ? .end : .bytes(count)))
                #expect(read == Array(bytes[place..<place + count]))
                place += count
            }
        }
    }

    @Test func `chunks are read as they come, up to the length that was announced and no further`() throws {
        var random = SplitMix(seed: 5)
        for _ in 0..<3000 {
            let chunks = (0..<random.below(4)).map { _ in (0..<random.below(4)).map { _ in UInt8(random.below(256)) } }
            let total = chunks.reduce(0) { $0 + $1.count }
            let length = random.pick([nil, total, max(0, total - 1), total + 1])
            let body = UpstreamRequestBody.chunks(length: length) { nil }
            var source = try #require(ContentSource(body))
            #expect(source.length == length && source.canRestart)
            var (sent, next) = ([UInt8](), 0)
            let room = 1 + random.below(4)
            var end: ContentSource.Reading?
            while end == nil {
                let (reading, read) = Self.read(&source, room)
                #expect(!source.canRestart)
                switch reading {
                case .bytes: sent += read
                case .empty:
                    #expect(length != sent.count)
                    source.supply(next < chunks.count ? chunks[next] : nil)
                    next += 1
                case .end, .wrongLength: end = reading
                }
                #expect(sent.count <= length ?? total)
                // What has gone is gone.
                for place in Set([0, sent.count, sent.count + 1]) {
                    let isFound = source.seek(to: place)
                    #expect(isFound == (place == sent.count))
                }
            }
            let all = chunks.flatMap { $0 }
            #expect(sent == Array(all.prefix(sent.count)))
            if let length, length < total {
                // The announced bytes may have gone before the next are looked at.
                if end == .end {
                    #expect(sent.count == length)
                } else {
                    guard case .wrongLength(let count) = end else { continue }
                    #expect(count > length && count <= length + room)
                }
            } else if let length, length > total {
                #expect(end == .wrongLength(total))
            } else {
                #expect(end == .end && sent == all)
            }
        }
    }
}
