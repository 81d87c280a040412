// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// The requests that a server has seen and the sources of their responses: bounded in bytes, on unless its limit is 0.
///
/// Each loop writes a ring of its own, which grows as long as all of them are within the limit; reading merges them by one
/// sequence number. An entry is there before the last byte of its response is sent, so that a client that has its response
/// finds its request. An entry that gives way, or is deleted by a client, has been judged: see `RequestJudge`.
public final class Journal: Sendable {
    private let rings: [JournalRing]
    private let counter = Atomic<UInt64>(0)
    private let abandonments = Mutex(Abandonments())
    /// Entries that are kept no longer, though their bytes are still there, or a possible recording of them is, by their numbers.
    private let removed = Mutex<Set<UInt64>>([])
    /// How many of the newest entries are shown; nil for all that there is room for.
    private let mostEntries: Int?
    /// The highest number of an entry that is shown no more since there are so many newer ones, as it was when one was last removed.
    private let hidden = Atomic<UInt64>(0)
    /// The number of the last request before all was forgotten.
    private let forgotten = Atomic<UInt64>(0)
    /// The misses of its requests, in words.
    let misses = MissTexts()
    /// The events of its requests besides their responses.
    let subEvents: SubEvents
    /// The responses to its requests, if these are kept.
    let responses = SentResponses()
    /// Notifies of each entry.
    let arrivals = Notices()
    /// Whether requests are kept at all.
    public let isEnabled: Bool
    /// Counts the basis of verdicts; nil if nobody asks for any.
    let judge: RequestJudge?
    /// Whether there is one: asked before it, since an object that is passed takes counting.
    let isJudged: Bool
    /// The number of the last request before a test had the journal forget all, and how many had been written then.
    private let chapterStart = Mutex<(sequence: UInt64, written: Int)>((0, 0))

    /// - Parameters:
    ///   - limit: bytes over all rings, the least of each aside; 0 keeps nothing.
    ///   - entries: how many of the newest are shown; nil for all.
    ///   - judges: whether verdicts are asked for.
    init(limit: Int, entries: Int? = nil, rings count: Int, judges: Bool = false) {
        isEnabled = limit > 0
        mostEntries = entries
        isJudged = judges
        judge = judges ? RequestJudge() : nil
        subEvents = SubEvents { [judge] in judge?.failed($0, $1) }
        let budget = JournalBudget(limit - count * JournalRing.least)
        rings = isEnabled ? (0..<count).map { _ in JournalRing(limit: max(limit, JournalRing.least), budget) } : []
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
    ///
    /// - Parameter isBounded: without those that are shown no more since there are so many newer ones.
    func select(_ filter: JournalFilter = JournalFilter(), isBounded: Bool = true) -> JournalSelection {
        var filter = filter
        filter.removed = removed.withLock { $0 }
        if isBounded { filter.after = lastHidden(filter.removed) }
        return JournalSelection(of: rings, filter, abandoned: abandonments.withLock { $0.all })
    }

    /// The number that those of all shown entries are higher than: a request that waits has one, and no entry yet.
    private func lastHidden(_ removed: Set<UInt64>) -> UInt64 {
        guard let mostEntries else { return 0 }
        guard mostEntries > 0 else { return .max }
        let hidden = hidden.load(ordering: .relaxed)
        let filter = JournalFilter(limit: mostEntries, after: hidden, removed: removed)
        let newest = JournalSelection(of: rings, filter, abandoned: [:]).places
        guard newest.count == mostEntries, let oldest = newest.first else { return hidden }
        return oldest.sequence - 1
    }

    /// Those of some requests whose entries have given way to later ones: not those that a client has deleted.
    func givenWay(_ sequences: Set<UInt64>) -> Set<UInt64> {
        let forgotten = forgotten.load(ordering: .relaxed)
        let removed = removed.withLock { $0 }
        return sequences.filter { $0 > forgotten && !removed.contains($0) }
            .subtracting(JournalSelection.sequences(of: rings))
    }

    /// Forgets single entries.
    ///
    /// - Parameter recordable: the requests that can be recorded, whether their entries are still there or not.
    func remove(_ sequences: some Sequence<UInt64>, recordable: Set<UInt64>) {
        // Entries that newer ones have hidden stay hidden without them.
        hidden.max(lastHidden(removed.withLock { $0 }), ordering: .relaxed)
        let known = recordable.union(JournalSelection.sequences(of: rings))
        removed.withLock { removed in
            // An entry that has given way since, and cannot be recorded, need not be known.
            removed = known.intersection(removed)
            removed.formUnion(known.intersection(sequences))
        }
    }

    /// Reads one entry; nil if it has given way since it was selected.
    func entry(_ place: JournalSelection.Place, of selection: JournalSelection) -> JournalEntry? {
        rings[place.ring].entry(at: place.place)?.withUnsafeBytes { bytes in
            JournalReader(bytes).entry(abandonment: selection.abandonments[place.sequence])
        }
    }

    private func entries(_ filter: JournalFilter, isBounded: Bool = true) -> [JournalEntry] {
        let selection = select(filter, isBounded: isBounded)
        return selection.places.compactMap { entry($0, of: selection) }
    }

    /// All entries shown, oldest first.
    public var entries: [JournalEntry] { entries(JournalFilter()) }

    /// All entries kept, shown or not, oldest first.
    var allKept: [JournalEntry] { entries(JournalFilter(), isBounded: false) }

    /// The entries that nothing matched, oldest first.
    public var unmatched: [JournalEntry] { entries(JournalFilter(isUnmatched: true)) }

    /// The newest entry.
    package var newest: JournalEntry? { entries(JournalFilter(limit: 1)).last }

    /// How many requests came, whether their entries are kept or not.
    var total: Int { Int(counter.load(ordering: .relaxed)) }

    /// Bytes of all entries.
    var size: Int { rings.reduce(0) { $0 + $1.size } }

    /// The entries that are kept, oldest first, and how many of those that came are gone.
    var evidence: (entries: [JournalEntry], lost: Int) {
        let start = chapterStart.withLock { $0 }
        // Counted before they are read: an entry that comes in between is not taken for lost.
        let written = isEnabled ? rings.reduce(0) { $0 + $1.written } : total
        let entries = entries
        return (entries, max(0, written - start.written - entries.count))
    }

    /// The number of the last request that a test has forgotten.
    var chapter: UInt64 { chapterStart.withLock { $0.sequence } }

    /// Forgets all entries, and the verdicts on them: a test that does this begins again.
    public func removeAll() {
        let written = isEnabled ? rings.reduce(0) { $0 + $1.written } : total
        chapterStart.withLock { $0 = (counter.load(ordering: .relaxed), written) }
        forget()
        judge?.begin()
    }

    /// Forgets all entries, as a client may ask for: the verdicts on them stay.
    func forget() {
        forgotten.store(counter.load(ordering: .relaxed), ordering: .relaxed)
        for ring in rings { ring.removeAll() }
        abandonments.withLock { $0 = Abandonments() }
        removed.withLock { $0 = [] }
        misses.removeAll()
        subEvents.removeAll()
        responses.removeAll()
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

extension Journal: CustomReflectable {
    /// Shows nothing, as that of `MockServer`.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
