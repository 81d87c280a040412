// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO
import MockapiTestSupport
import Testing

@testable import MockapiHTTPWire

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The queue beside a list of pieces: small ones that follow each other are one.
@Suite(.supervised) struct OutputQueueTests {
    private enum Kind {
        case small
        case large
        case file
    }

    private struct Piece {
        let kind: Kind
        var bytes: ArraySlice<UInt8>
    }

    private static let file = OpenFile(descriptor: -1)

    private static func append(_ random: inout SplitMix, to queue: OutputQueue, _ pieces: inout [Piece]) {
        let count = random.pick([0, 1, 30, OutputQueue.copyLimit, OutputQueue.copyLimit + 1, 9000])
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &+ pieces.count) }
        if random.chance(20) {
            queue.append(BodySource.file(file, 100..<100 + count))
            // A file's bytes are told by their places.
            let places = (0..<count).map { UInt8(truncatingIfNeeded: 100 + $0) }
            if count > 0 { pieces.append(Piece(kind: .file, bytes: places[...])) }
            return
        }
        switch random.below(3) {
        case 0: queue.append(bytes)
        case 1: queue.append(BodySource.parts([.slice([9] + bytes + [9], 1..<count + 1), .none]))
        default: queue.append(bytes, 0..<count)
        }
        if count > OutputQueue.copyLimit {
            pieces.append(Piece(kind: .large, bytes: bytes[...]))
        } else if let last = pieces.indices.last, pieces[last].kind == .small {
            pieces[last].bytes += bytes
        } else if count > 0 {
            pieces.append(Piece(kind: .small, bytes: bytes[...]))
        }
    }

    private static func read(_ front: OutputQueue.Front) -> (kind: Kind, bytes: [UInt8])? {
        switch front {
        case .nothing: nil
        case .run(let bytes): (.small, Array(bytes))
        case .bytes(let bytes, let range): (.large, Array(bytes[range]))
        case .file(_, let range): (.file, range.map { UInt8(truncatingIfNeeded: $0) })
        }
    }

    @Test func `pieces go out as they came in, one by one`() {
        var random = SplitMix(seed: 14)
        let queue = OutputQueue()
        var pieces: [Piece] = []
        for _ in 0..<1200 {
            if random.chance(50) {
                Self.append(&random, to: queue, &pieces)
            } else {
                let all = pieces.reduce(0) { $0 + $1.bytes.count }
                var left = random.pick([all, pieces.first?.bytes.count ?? 0, random.below(all + 1)])
                queue.sent(left)
                while left > 0, let first = pieces.first {
                    let taken = min(left, first.bytes.count)
                    pieces[0].bytes = first.bytes.dropFirst(taken)
                    if pieces[0].bytes.isEmpty { pieces.removeFirst() }
                    left -= taken
                }
            }
            if random.chance(2) {
                queue.removeAll()
                pieces = []
            }
            #expect(queue.count == pieces.reduce(0) { $0 + $1.bytes.count } && queue.isEmpty == pieces.isEmpty)
            let front = Self.read(queue.front())
            #expect(front?.kind == pieces.first?.kind && front?.bytes == pieces.first.map { Array($0.bytes) })
            #expect(queue.hasMoreBehindFront == (pieces.count > 1))
            let kinds = pieces.map(\.kind)
            #expect(
                queue.isSimple
                    == (kinds.count < 2 && kinds != [.large] || kinds.first == .file
                        || kinds.starts(with: [.small, .file])))
            let most = random.below(4)
            var gathered: [[UInt8]] = []
            withUnsafeTemporaryAllocation(of: iovec.self, capacity: most) { room in
                for piece in room[..<queue.gather(into: room)] {
                    gathered.append(Array(UnsafeRawBufferPointer(start: piece.iov_base, count: piece.iov_len)))
                }
            }
            #expect(gathered == pieces.prefix { $0.kind != .file }.prefix(most).map { Array($0.bytes) })
        }
    }

    @Test func `a file that is shorter than it was cannot be copied`() {
        let queue = OutputQueue()
        #expect(!queue.append(OpenFile(descriptor: open("/dev/null", O_RDONLY)), 0..<9))
        #expect(queue.append(OpenFile(descriptor: open("/dev/zero", O_RDONLY)), 0..<9) && queue.count == 9)
    }
}
