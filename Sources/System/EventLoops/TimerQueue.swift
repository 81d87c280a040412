// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Deadlines of channels, the nearest first: a binary heap.
///
/// A deadline is not taken out when its channel goes: it comes to nothing when it is due, since its token is stale by then.
struct TimerQueue {
    struct Entry {
        var deadline: UInt64
        var token: UInt64
    }

    private var heap: [Entry] = []

    var count: Int { heap.count }
    var next: UInt64? { heap.first?.deadline }

    mutating func insert(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].deadline < heap[parent].deadline else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes the nearest deadline if it is not after a given time.
    mutating func popDue(at now: UInt64) -> Entry? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return first
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].deadline < heap[least].deadline { least = child }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    /// Takes out the entries that a test finds stale.
    mutating func removeAll(where isStale: (Entry) -> Bool) {
        let live = heap.filter { !isStale($0) }
        heap.removeAll(keepingCapacity: true)
        for entry in live { insert(entry) }
    }
}
