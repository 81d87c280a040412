// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage
import Synchronization

/// The journal of one loop: entries one behind the other in a bounded run of memory, the oldest giving way to the newest.
///
/// Writing is a copy under a lock that only a reader ever contends for.
final class JournalRing: Sendable {
    private let ring: Mutex<Storage>

    /// - Parameter limit: bytes, at most.
    init(limit: Int) {
        ring = Mutex(Storage(limit: limit / 16 * 16))
    }

    func append(
        _ record: JournalRecord, head: borrowing RequestHead, trailers: [RequestHead.Field], body: [UInt8]
    ) {
        ring.withLock { $0.append(record, head: head, trailers: trailers, body: body) }
    }

    /// A copy of all entries, oldest first, to be read without holding up the loop.
    func snapshot() -> [UInt8] {
        ring.withLock { $0.snapshot() }
    }

    func removeAll() {
        ring.withLock { $0.removeAll() }
    }

    /// The generation of the oldest entry; nil where there is none.
    var oldestGeneration: UInt64? {
        ring.withLock { $0.oldestGeneration }
    }
}

/// Entries from `start` to `end`, which may lie behind the wrap: then those up to `wrap` come first.
private struct Storage: ~Copyable {
    private static let initialCapacity = 64 * 1024

    private let limit: Int
    private var memory: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0
    /// Where the older part ends; nil where the entries lie in one run.
    private var wrap: Int?

    init(limit: Int) {
        self.limit = limit
        memory = .allocate(byteCount: min(limit, Self.initialCapacity), alignment: 16)
    }

    deinit {
        memory.deallocate()
    }

    private var isEmpty: Bool { start == end && wrap == nil }

    mutating func append(
        _ record: JournalRecord, head: borrowing RequestHead, trailers: [RequestHead.Field], body: [UInt8]
    ) {
        var record = record
        let fixed = MemoryLayout<JournalRecord>.stride
        let ranges = (head.fields.count + trailers.count) * MemoryLayout<RequestHead.Field>.stride
        // A head is kept whole; a body may take its entry to a quarter of the ring, and is kept in part where it is longer.
        let bare = fixed + ranges + head.bytes.count
        guard bare <= limit - 16 else { return }
        let kept = min(body.count, max(0, limit / 4 - bare))
        let size = (fixed + ranges + head.bytes.count + kept + 15) / 16 * 16
        record.size = Int32(size)
        record.fieldCount = Int32(head.fields.count)
        record.trailerCount = Int32(trailers.count)
        record.headSize = Int32(head.bytes.count)
        record.keptBodySize = Int32(kept)
        record.bodySize = Int64(body.count)
        makeRoom(size)
        var target = UnsafeMutableRawBufferPointer(rebasing: memory[end..<end + size])
        target.storeBytes(of: record, as: JournalRecord.self)
        target = UnsafeMutableRawBufferPointer(rebasing: target[fixed...])
        for part in [head.fields, trailers] where !part.isEmpty {
            part.withUnsafeBytes { bytes in
                target.copyMemory(from: bytes)
                target = UnsafeMutableRawBufferPointer(rebasing: target[bytes.count...])
            }
        }
        head.bytes.withUnsafeBytes { bytes in
            target.copyMemory(from: bytes)
            target = UnsafeMutableRawBufferPointer(rebasing: target[bytes.count...])
        }
        body.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<kept])) }
        end += size
    }

    /// Makes `end` the start of a free run, growing up to the limit, then giving up the oldest entries.
    private mutating func makeRoom(_ size: Int) {
        if wrap == nil, end + size > memory.count, memory.count < limit { grow(for: size) }
        if wrap == nil, end + size > memory.count {
            wrap = end
            end = 0
        }
        while wrap != nil, end + size > start {
            start += Int(memory.loadUnaligned(fromByteOffset: start, as: Int32.self))
            if start == wrap {
                start = 0
                wrap = nil
                if end + size > memory.count {
                    wrap = end
                    end = 0
                }
            }
        }
    }

    private mutating func grow(for size: Int) {
        let capacity = min(limit, max(memory.count * 2, end - start + size))
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<end]))
        memory.deallocate()
        memory = larger
        end -= start
        start = 0
    }

    func snapshot() -> [UInt8] {
        if let wrap { return Array(memory[start..<wrap]) + Array(memory[0..<end]) }
        return Array(memory[start..<end])
    }

    mutating func removeAll() {
        start = 0
        end = 0
        wrap = nil
    }

    var oldestGeneration: UInt64? {
        isEmpty ? nil : memory.loadUnaligned(fromByteOffset: start, as: JournalRecord.self).generation
    }
}
