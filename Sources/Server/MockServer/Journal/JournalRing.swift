// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The journal of one loop: entries one after the other in a bounded run of memory, the oldest giving way to the newest.
///
/// Writing is a copy under a lock that only a reader ever contends for, and that never for longer than it takes to look at
/// `JournalRing.glance` entries or to copy one.
final class JournalRing: Sendable {
    /// Where an entry lies: that it is still there shows in its number.
    struct Place: Sendable {
        /// Counts the entries of the ring from 0.
        var number: UInt64
        var offset: Int
    }

    /// The part of an entry that is seen without reading it.
    struct Glimpse: Sendable {
        let sequence: UInt64
        let stream: JournalSelection.Stream
        let place: Place
        /// Whether it is one of those that are meant.
        let isMeant: Bool
    }

    /// How many entries are looked at before a writer has its turn. 1,024.
    private static let glance = 1024

    /// The memory of a ring whatever the others have: several times the largest possible head. 128 KiB.
    static let least = 128 * 1024

    private let ring: Mutex<Storage>

    /// - Parameters:
    ///   - limit: bytes, at most.
    ///   - budget: the source of its growth, beyond the least; nil for as much as its limit.
    init(limit: Int, _ budget: JournalBudget? = nil) {
        ring = Mutex(Storage(limit: limit / 16 * 16, budget))
    }

    /// - Parameters:
    ///   - names: those of the stub or file that matched; nil if none did.
    ///   - bodySize: the whole body's size; nil if this is it.
    /// - Returns: nil if there is no room for its head.
    @discardableResult
    func append(
        _ record: JournalRecord, names: JournalNames?, head: borrowing RequestHead, trailers: [RequestHead.Field],
        body: [UInt8], bodySize: Int? = nil
    ) -> Place? {
        ring.withLock {
            $0.append(record, names: names, head: head, trailers: trailers, body: body, bodySize: bodySize)
        }
    }

    /// Adds to an entry, which may have given way, the facts that have become known since it was written.
    ///
    /// - Parameter names: those of the response's source; if they differ from the entry's, it stays as it is.
    /// - Returns: whether all is written; false if the entry has other names.
    func amend(_ place: Place, _ record: JournalRecord, names: JournalNames?) -> Bool {
        ring.withLock { $0.amend(place, record, names: names) }
    }

    /// Takes an entry back, whose place another takes.
    func supersede(_ place: Place) {
        ring.withLock { $0.supersede(place) }
    }

    /// How many entries there have been, those without room among them.
    var written: Int { ring.withLock { $0.written } }

    /// Shows all entries in turn, oldest first, without copying them.
    func forEach(_ filter: JournalFilter, _ body: (Glimpse) -> Void) {
        var next: Place?
        repeat {
            let (glimpses, place) = ring.withLock { $0.look(from: next, count: Self.glance, filter) }
            for glimpse in glimpses { body(glimpse) }
            next = place
        } while next != nil
    }

    /// A copy of one entry; nil if it has given way to newer ones.
    func entry(at place: Place) -> [UInt8]? {
        ring.withLock { $0.entry(at: place) }
    }

    /// Bytes of all entries.
    var size: Int {
        ring.withLock { $0.size }
    }

    func removeAll() {
        ring.withLock { $0.removeAll() }
    }
}

/// Entries from `start` to `end`, which may lie behind the wrap: then those up to `wrap` come first.
///
/// The oldest gives way only if the memory has reached its limit, so that an entry stays where it was written.
private struct Storage: ~Copyable {
    private static let initialCapacity = 64 * 1024
    /// The most of a body that an entry keeps: its size is a number of 32 bits. 512 MiB.
    private static let mostOfEntry = 512 * 1024 * 1024

    private let limit: Int
    private let budget: JournalBudget?
    /// Entries that found no room, and those that others have replaced.
    private var homeless = 0
    private var superseded = 0
    private var memory: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0
    /// Where the older part ends; nil if the entries lie in one run.
    private var wrap: Int?
    /// The number of the oldest entry, and that of the next one.
    private var first: UInt64 = 0
    private var next: UInt64 = 0

    init(limit: Int, _ budget: JournalBudget?) {
        self.limit = limit
        self.budget = budget
        memory = Self.memory(nil, of: min(limit, Self.initialCapacity)) ?? Self.noMemory
    }

    /// So many bytes in the place of others, which are kept: large ones are moved by the system, without a copy of them.
    ///
    /// - Returns: nil if the system has no such memory; the others are then as they were.
    private static func memory(_ old: UnsafeMutableRawPointer?, of count: Int) -> UnsafeMutableRawBufferPointer? {
        realloc(old, count).map { UnsafeMutableRawBufferPointer(start: $0, count: count) }
    }

    /// Without memory, an entry finds no room.
    private static var noMemory: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(start: nil, count: 0) }

    deinit {
        free(memory.baseAddress)
    }

    var written: Int { Int(clamping: next) + homeless - superseded }

    mutating func amend(_ place: JournalRing.Place, _ record: JournalRecord, names: JournalNames?) -> Bool {
        guard first..<next ~= place.number else { return true }
        var old = memory.loadUnaligned(fromByteOffset: place.offset, as: JournalRecord.self)
        let start =
            place.offset + MemoryLayout<JournalRecord>.stride + Int(old.headSize)
            + Int(old.fieldCount + old.trailerCount) * MemoryLayout<RequestHead.Field>.stride
        let size = Int(old.fileSize + old.idSize + max(0, old.nameSize))
        guard memory[start..<start + size].elementsEqual(names?.bytes ?? []) else { return false }
        (old.status, old.outcome, old.duration) = (record.status, record.outcome, record.duration)
        (old.addedDelay, old.responseSize) = (record.addedDelay, record.responseSize)
        (old.fault, old.sendsNoHead) = (record.fault, record.sendsNoHead)
        memory.storeBytes(of: old, toByteOffset: place.offset, as: JournalRecord.self)
        return true
    }

    mutating func supersede(_ place: JournalRing.Place) {
        guard first..<next ~= place.number else { return }
        var record = memory.loadUnaligned(fromByteOffset: place.offset, as: JournalRecord.self)
        record.outcome = JournalRecord.superseded
        memory.storeBytes(of: record, toByteOffset: place.offset, as: JournalRecord.self)
        superseded += 1
    }

    mutating func append(
        _ record: JournalRecord, names: JournalNames?, head: borrowing RequestHead, trailers: [RequestHead.Field],
        body: [UInt8], bodySize: Int?
    ) -> JournalRing.Place? {
        var record = record
        let fixed = MemoryLayout<JournalRecord>.stride
        let ranges = (head.fields.count + trailers.count) * MemoryLayout<RequestHead.Field>.stride
        // A head is kept whole; a body may take its entry to a quarter of the ring, and is kept in part if it is longer.
        let bare = fixed + ranges + head.bytes.count + (names?.bytes.count ?? 0)
        let wanted = bare + min(body.count, max(0, min(limit / 4, Self.mostOfEntry) - bare))
        // More than it takes: sizes are rounded, as are the shares of a budget.
        if wrap == nil, end + wanted + 64 > memory.count, memory.count < limit { grow(for: wanted + 64) }
        guard bare <= memory.count - 16 else {
            homeless += 1
            return nil
        }
        // If the others have taken the room, a body may take half of the rest.
        let most = wanted <= memory.count - 16 ? wanted : max(bare, memory.count / 2 - 16)
        let kept = max(0, min(wanted, most) - bare)
        let size = (bare + kept + 15) / 16 * 16
        record.size = Int32(size)
        record.fieldCount = Int32(head.fields.count)
        record.trailerCount = Int32(trailers.count)
        record.headSize = Int32(head.bytes.count)
        record.fileSize = names?.fileSize ?? 0
        record.idSize = names?.idSize ?? 0
        record.nameSize = names?.nameSize ?? 0
        record.keptBodySize = Int32(kept)
        record.bodySize = Int64(bodySize ?? body.count)
        makeRoom(size)
        let place = JournalRing.Place(number: next, offset: end)
        var target = UnsafeMutableRawBufferPointer(rebasing: memory[end..<end + size])
        target.storeBytes(of: record, as: JournalRecord.self)
        target = UnsafeMutableRawBufferPointer(rebasing: target[fixed...])
        head.fields.withUnsafeBytes { Self.copy($0, to: &target) }
        trailers.withUnsafeBytes { Self.copy($0, to: &target) }
        head.bytes.withUnsafeBytes { Self.copy($0, to: &target) }
        if let names { names.bytes.withUnsafeBytes { Self.copy($0, to: &target) } }
        body.withUnsafeBytes { Self.copy(UnsafeRawBufferPointer(rebasing: $0[..<kept]), to: &target) }
        end += size
        next += 1
        return place
    }

    /// Copies bytes to the start of a memory, which then begins behind them.
    private static func copy(_ bytes: UnsafeRawBufferPointer, to target: inout UnsafeMutableRawBufferPointer) {
        if bytes.isEmpty { return }
        target.copyMemory(from: bytes)
        target = UnsafeMutableRawBufferPointer(rebasing: target[bytes.count...])
    }

    /// Makes `end` the start of a free run, growing up to the limit, then giving up the oldest entries.
    private mutating func makeRoom(_ size: Int) {
        if wrap == nil, end + size > memory.count {
            wrap = end
            end = 0
        }
        while wrap != nil, end + size > start {
            start += entrySize(at: start)
            first += 1
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

    /// Takes more memory, as long as no entry has given way.
    private mutating func grow(for size: Int) {
        let wanted = min(limit, max(memory.count * 2, end + size))
        // The least is its own.
        let owned = max(0, JournalRing.least - memory.count)
        let taken = budget?.take(wanted - memory.count - owned)
        let capacity = (taken.map { memory.count + owned + $0 } ?? wanted) / 16 * 16
        guard capacity > memory.count else { return }
        guard let larger = Self.memory(memory.baseAddress, of: capacity) else {
            budget?.give(taken ?? 0)
            return
        }
        memory = larger
    }

    private func entrySize(at offset: Int) -> Int {
        Int(memory.loadUnaligned(fromByteOffset: offset, as: Int32.self))
    }

    private func bytes(at offset: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory[offset..<offset + entrySize(at: offset)])
    }

    /// Shows entries from a place on, or from the oldest if that one has given way.
    ///
    /// - Returns: the place after the last one shown; nil at the end.
    func look(
        from place: JournalRing.Place?, count: Int, _ filter: JournalFilter
    ) -> ([JournalRing.Glimpse], next: JournalRing.Place?) {
        var place = place ?? JournalRing.Place(number: first, offset: start)
        if place.number < first { place = JournalRing.Place(number: first, offset: start) }
        var glimpses: [JournalRing.Glimpse] = []
        while glimpses.count < count, place.number < next {
            let bytes = bytes(at: place.offset)
            let record = bytes.loadUnaligned(as: JournalRecord.self)
            if record.outcome != JournalRecord.superseded {
                glimpses.append(
                    JournalRing.Glimpse(
                        sequence: record.sequence,
                        stream: JournalSelection.Stream(connection: record.connection, number: record.stream),
                        place: place, isMeant: filter.admits(record, bytes)))
            }
            place.number += 1
            place.offset += bytes.count
            if place.offset == wrap { place.offset = 0 }
        }
        return (glimpses, place.number < next ? place : nil)
    }

    func entry(at place: JournalRing.Place) -> [UInt8]? {
        first..<next ~= place.number ? Array(bytes(at: place.offset)) : nil
    }

    var size: Int {
        wrap.map { $0 - start + end } ?? end - start
    }

    mutating func removeAll() {
        if memory.count > JournalRing.least, let budget {
            budget.give(memory.count - JournalRing.least)
            free(memory.baseAddress)
            memory = Self.memory(nil, of: min(limit, JournalRing.least)) ?? Self.noMemory
        }
        start = 0
        end = 0
        wrap = nil
        first = next
    }
}

/// The memory that the rings of a journal grow by, in bytes: one limit for all of them.
final class JournalBudget: Sendable {
    private let rest: Mutex<Int>

    init(_ limit: Int) {
        rest = Mutex(max(0, limit))
    }

    /// - Returns: as much as is wanted, or the rest.
    func take(_ wanted: Int) -> Int {
        rest.withLock { rest in
            let given = min(rest, max(0, wanted)) / 16 * 16
            rest -= given
            return given
        }
    }

    func give(_ bytes: Int) { rest.withLock { $0 += bytes } }
}
