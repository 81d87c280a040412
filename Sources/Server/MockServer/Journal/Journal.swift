// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// The requests that a server has seen and what answered them: bounded in bytes, on unless its limit is 0.
///
/// Each loop writes a ring of its own; reading merges them by one sequence number. An entry is there before the last
/// byte of its response is sent, so that a client that has its response finds its request.
public final class Journal: Sendable {
    private let rings: [JournalRing]
    private let counter = Atomic<UInt64>(0)
    private let abandonments = Mutex(Abandonments())
    /// Entries that are kept no longer, though their bytes are still there, by their numbers.
    private let removed = Mutex<Set<UInt64>>([])
    /// The misses of its requests, in words.
    let misses = MissTexts()
    /// The events of its requests besides their responses.
    let subEvents = SubEvents()
    /// Tells of each entry.
    let arrivals = Notices()
    /// Whether requests are kept at all.
    public let isEnabled: Bool

    /// The least size of a ring: several times the largest head there can be. 128 KiB.
    private static let leastRing = 128 * 1024

    /// - Parameter limit: bytes over all rings, shared out evenly; 0 keeps nothing.
    init(limit: Int, rings count: Int) {
        isEnabled = limit > 0
        rings = isEnabled ? (0..<count).map { _ in JournalRing(limit: max(limit / count, Self.leastRing)) } : []
    }

    func ring(_ index: Int) -> JournalRing? { isEnabled ? rings[index] : nil }

    func nextSequence() -> UInt64 {
        counter.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Notes that a client has given up a response.
    func note(_ abandonment: Abandonment, connection: UInt64, stream: UInt32) {
        guard isEnabled else { return }
        abandonments.withLock {
            $0.add(abandonment, to: JournalSelection.Stream(connection: connection, number: stream))
        }
    }

    /// The places of the entries that are meant, in one look at each that is kept.
    func select(_ filter: JournalFilter = JournalFilter()) -> JournalSelection {
        var filter = filter
        filter.removed = removed.withLock { $0 }
        return JournalSelection(of: rings, filter, abandoned: abandonments.withLock { $0.all })
    }

    /// Forgets single entries.
    func remove(_ sequences: some Sequence<UInt64>) {
        let kept = Set(select().places.map(\.sequence))
        removed.withLock { removed in
            // Of those that have given way since, nothing needs to be known.
            removed = Set(JournalSelection.sequences(of: rings)).intersection(removed)
            removed.formUnion(kept.intersection(sequences))
        }
    }

    /// Reads one entry; nil where it has given way since it was selected.
    func entry(_ place: JournalSelection.Place, of selection: JournalSelection) -> JournalEntry? {
        rings[place.ring].entry(at: place.place)?.withUnsafeBytes { bytes in
            JournalReader(bytes).entry(abandonment: selection.abandonments[place.sequence])
        }
    }

    private func entries(_ filter: JournalFilter) -> [JournalEntry] {
        let selection = select(filter)
        return selection.places.compactMap { entry($0, of: selection) }
    }

    /// All entries kept, oldest first.
    public var entries: [JournalEntry] { entries(JournalFilter()) }

    /// The entries that nothing matched, oldest first.
    public var unmatched: [JournalEntry] { entries(JournalFilter(isUnmatched: true)) }

    /// The newest entry.
    package var newest: JournalEntry? { entries(JournalFilter(limit: 1)).last }

    /// How many requests came, whether their entries are kept or not.
    var total: Int { Int(counter.load(ordering: .relaxed)) }

    /// Bytes of all entries.
    var size: Int { rings.reduce(0) { $0 + $1.size } }

    /// Forgets all entries.
    public func removeAll() {
        for ring in rings { ring.removeAll() }
        abandonments.withLock { $0 = Abandonments() }
        removed.withLock { $0 = [] }
        misses.removeAll()
        subEvents.removeAll()
    }
}

/// The responses that clients gave up.
private struct Abandonments {
    /// How many are remembered; beyond it the older half is forgotten. 10,000.
    private static let limit = 10_000

    private(set) var all: [JournalSelection.Stream: Abandonment] = [:]
    /// The oldest first.
    private var order: [JournalSelection.Stream] = []

    mutating func add(_ abandonment: Abandonment, to stream: JournalSelection.Stream) {
        if order.count == Self.limit {
            for stream in order.prefix(Self.limit / 2) { all[stream] = nil }
            order.removeFirst(Self.limit / 2)
        }
        if all.updateValue(abandonment, forKey: stream) == nil { order.append(stream) }
    }
}
