// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPMessage
import HTTPServer
import HTTPTypes
import Synchronization

/// What requests a server has seen and what answered them: bounded in bytes, always on.
///
/// Each loop writes a ring of its own; reading merges them by one sequence number. An entry is there before the last byte of
/// its answer is sent, so that a client that has its answer finds its request.
public final class Journal: Sendable {
    private let rings: [JournalRing]
    private let counter = Atomic<UInt64>(0)
    /// The sets of fixtures that entries may still refer to, by generation.
    private let sets: Mutex<[UInt64: FixtureSet]>
    /// What clients gave up, the oldest first.
    private let abandonments = Mutex<[(connection: UInt64, stream: UInt32, abandonment: Abandonment)]>([])
    /// Whether requests are kept at all.
    public let isEnabled: Bool

    /// How many answers that clients gave up are remembered. 10,000.
    private static let abandonmentLimit = 10_000

    /// How many sets of fixtures are kept whether or not an entry refers to them. 8.
    private static let recentSets = 8

    /// What a ring holds at least: the largest head there can be, several times. 128 KiB.
    private static let leastRing = 128 * 1024

    /// - Parameter limit: bytes over all rings, shared out evenly; 0 keeps nothing.
    init(limit: Int, rings count: Int) {
        isEnabled = limit > 0
        rings = isEnabled ? (0..<count).map { _ in JournalRing(limit: max(limit / count, Self.leastRing)) } : []
        sets = Mutex([:])
    }

    func ring(_ index: Int) -> JournalRing? { isEnabled ? rings[index] : nil }

    func nextSequence() -> UInt64 {
        counter.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Keeps a set of fixtures for the entries that will refer to it, and forgets those no entry refers to any more.
    func use(_ set: FixtureSet, generation: UInt64) {
        let oldest = rings.compactMap(\.oldestGeneration).min() ?? generation
        sets.withLock { sets in
            sets[generation] = set
            // The sets before this one may still answer requests: each loop takes up the new one in its turn.
            let recent = sets.keys.sorted().suffix(Self.recentSets).min() ?? generation
            sets = sets.filter { $0.key >= min(oldest, recent) }
        }
    }

    /// Notes that a client has given up an answer.
    func note(_ abandonment: Abandonment, connection: UInt64, stream: UInt32) {
        guard isEnabled else { return }
        abandonments.withLock { all in
            if all.count == Self.abandonmentLimit { all.removeFirst(Self.abandonmentLimit / 2) }
            all.append((connection, stream, abandonment))
        }
    }

    /// All entries kept, oldest first.
    public var entries: [JournalEntry] {
        let sets = sets.withLock { $0 }
        var entries = rings.flatMap { JournalReader(bytes: $0.snapshot(), sets: sets).entries() }
            .sorted { $0.sequence < $1.sequence }
        for (connection, stream, abandonment) in abandonments.withLock({ $0 }) {
            // A connection of HTTP/1.1 has one answer under way, its last.
            let index = entries.lastIndex { $0.connection == connection && $0.stream ?? 0 == Int(stream) }
            if let index { entries[index].abandonment = abandonment }
        }
        return entries
    }

    /// The entries that nothing matched, oldest first.
    public var unmatched: [JournalEntry] {
        entries.filter { $0.answer == .unmatched }
    }

    /// Forgets all entries.
    public func removeAll() {
        for ring in rings { ring.removeAll() }
        abandonments.withLock { $0.removeAll() }
    }
}
