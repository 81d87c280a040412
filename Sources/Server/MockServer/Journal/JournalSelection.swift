// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Which entries of a journal are meant; all if nothing is said.
struct JournalFilter: Sendable {
    /// Only requests that nothing matched.
    var isUnmatched = false
    /// Only the requests that this stub matched, by its id.
    var stub: String?
    /// Only the requests that came then or later, in seconds since 1970.
    var since: Double?
    /// Only the request of this number.
    var sequence: UInt64?
    /// No more than so many, the newest.
    var limit: Int?
    /// Only the requests of higher numbers.
    var after: UInt64 = 0
    /// Not the requests of these numbers.
    var removed: Set<UInt64> = []

    /// Whether a request is in the journal at all.
    func keeps(_ sequence: UInt64) -> Bool { sequence > after && (removed.isEmpty || !removed.contains(sequence)) }

    /// - Parameter bytes: all of the entry.
    func admits(_ record: JournalRecord, _ bytes: UnsafeRawBufferPointer) -> Bool {
        if !keeps(record.sequence) { return false }
        if isUnmatched, record.outcome != JournalRecord.Outcome.miss.rawValue { return false }
        if let sequence, record.sequence != sequence { return false }
        if let since, record.receivedSeconds < since { return false }
        if let stub, JournalReader(bytes).stubID != stub { return false }
        return true
    }
}

/// Where the entries lie that are meant, oldest first: looked up in the fixed part of each entry; none is read yet.
struct JournalSelection: Sendable {
    struct Place: Sendable {
        let sequence: UInt64
        let ring: Int
        let place: JournalRing.Place
    }

    /// The key that links an abandonment to the newest request of its stream, or of its connection of HTTP/1.1.
    struct Stream: Hashable, Sendable {
        let connection: UInt64
        let number: UInt32
    }

    /// How many places beyond the limit are held before the oldest are let go of.
    private static let slack = 4096

    private(set) var places: [Place] = []
    /// How many entries there are, whether meant or not.
    private(set) var total = 0
    /// The abandonments, by the request's number.
    private(set) var abandonments: [UInt64: Abandonment] = [:]

    /// The numbers of all entries that are there, removed or not.
    static func sequences(of rings: [JournalRing]) -> [UInt64] {
        JournalSelection(of: rings, JournalFilter(), abandoned: [:]).places.map(\.sequence)
    }

    init(of rings: [JournalRing], _ filter: JournalFilter, abandoned: [Stream: Abandonment]) {
        var last: [Stream: UInt64] = [:]
        for (index, ring) in rings.enumerated() {
            var found: [Place] = []
            ring.forEach(filter) { glimpse in
                if filter.keeps(glimpse.sequence) { total += 1 }
                // A connection of HTTP/1.1 has one response under way, its last.
                if !abandoned.isEmpty, abandoned[glimpse.stream] != nil {
                    last[glimpse.stream] = max(last[glimpse.stream] ?? 0, glimpse.sequence)
                }
                guard glimpse.isMeant else { return }
                found.append(Place(sequence: glimpse.sequence, ring: index, place: glimpse.place))
                if let limit = filter.limit, found.count > Self.slack, found.count - Self.slack >= limit {
                    found.removeFirst(found.count - limit)
                }
            }
            places += found
        }
        places.sort { $0.sequence < $1.sequence }
        if let limit = filter.limit { places.removeFirst(max(0, places.count - limit)) }
        for (stream, sequence) in last { abandonments[sequence] = abandoned[stream] }
    }
}
