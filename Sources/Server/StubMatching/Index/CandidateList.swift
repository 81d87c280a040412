// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The stubs of one of several indexes that a request leads to, best rank first.
struct CandidateList {
    let index: StubIndex
    /// The number of the request's method in the index.
    let method: UInt16
    /// The priority of the next stub; the last of all if there is none.
    private(set) var priority = Int.max
    private var next: (rank: UInt32, settled: SettledStub)?
    /// Lists that are merged; none if `ranks` has all.
    private var cursors: [Cursor] = []
    private var ranks: ArraySlice<UInt32>

    /// - Parameter ranks: those of all the cursors, sorted; none if the cursors are few and are merged.
    init(of index: StubIndex, method: UInt16, _ cursors: Growable<Cursor>, _ ranks: [UInt32]) {
        self.index = index
        self.method = method
        self.ranks = ranks[...]
        if ranks.isEmpty { self.cursors = (0..<cursors.count).map { cursors[$0] } }
        advance()
    }

    /// Takes the stub with the best rank that is left; nil if there is none.
    mutating func takeNext() -> (rank: UInt32, settled: SettledStub)? {
        defer { advance() }
        return next
    }

    private mutating func advance() {
        let last = next?.rank
        // Two values of one parameter can lead to the same stub.
        repeat {
            if let rank = ranks.popFirst() {
                next = (rank, .none)
            } else {
                next = cursors.isEmpty ? nil : index.tables.takeNext(&cursors)
            }
        } while next != nil && next?.rank == last
        priority = next.map { index.priority(of: $0.rank) } ?? .max
    }
}

/// Cursors in any order.
protocol CursorList {
    var count: Int { get }
    subscript(place: Int) -> Cursor { get set }
    /// Removes an element; the last takes its place.
    mutating func swapRemove(_ place: Int)
}

extension Growable: CursorList where Element == Cursor {}

extension [Cursor]: CursorList {
    mutating func swapRemove(_ place: Int) {
        swapAt(place, count - 1)
        removeLast()
    }
}

extension IndexTables {
    /// Takes the best rank that is left in the lists.
    @inline(__always)
    func takeNext(_ cursors: inout some CursorList) -> (rank: UInt32, settled: SettledStub) {
        var best = 0
        var place = 1
        while place < cursors.count {
            if cursors[place].rank < cursors[best].rank { best = place }
            place &+= 1
        }
        var cursor = cursors[best]
        let next = (cursor.rank, cursor.settled)
        if cursor.next < cursor.end {
            cursor.rank = ranks[cursor.next]
            cursor.next &+= 1
            cursors[best] = cursor
        } else {
            cursors.swapRemove(best)
        }
        return next
    }
}
