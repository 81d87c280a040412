// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// An open-addressing table from 64-bit hashes to sets of stubs, three fifths full.
///
/// Hashes of different keys differ, or the builder starts again with another seed. A text that is looked up is compared with the key's
/// own, so that nothing that is found needs to be compared with it once more.
struct NodeTable: Sendable {
    /// A set of stubs, and where the text that leads to it stands in the pool: nowhere for a number or the step of a trie.
    struct Row {
        var node: NodeReference
        var key = PoolRange(start: 0, end: 0)
        var settled = SettledStub.none
    }

    /// The node and the stub that a slot leads to.
    struct Found: BitwiseCopyable {
        var node: NodeReference
        var settled: SettledStub
    }

    /// Half a line of the processor's cache.
    private struct Slot: BitwiseCopyable {
        /// 0 for a free slot.
        var hash: UInt64
        var key: PoolRange
        var found: Found
    }

    private let slots: FrozenArray<Slot>

    init(_ nodes: [UInt64: Row]) {
        let free = Slot(hash: 0, key: PoolRange(start: 0, end: 0), found: Self.nothing)
        var slots = [Slot](repeating: free, count: max(16, nodes.count * 5 / 3 + 1))
        for (hash, entry) in nodes {
            var place = Self.place(of: hash, in: slots.count)
            while slots[place].hash != 0 { place = place + 1 == slots.count ? 0 : place + 1 }
            slots[place] = Slot(hash: hash, key: entry.key, found: Found(node: entry.node, settled: entry.settled))
        }
        self.slots = FrozenArray(slots)
    }

    func deallocate() { slots.deallocate() }

    /// The set of stubs that a text leads to.
    @inline(__always)
    func find(_ hash: UInt64, _ key: Bytes, in pool: FrozenArray<UInt8>) -> Found {
        let slot = slot(hash)
        return slot.hash != 0 && key.equals(pool.slice(slot.key.start, slot.key.end)) ? slot.found : Self.nothing
    }

    /// The set of stubs that a hash leads to, of whatever text it is.
    @inline(__always)
    func find(_ hash: UInt64) -> Found { slot(hash).found }

    private static var nothing: Found { Found(node: .empty, settled: .none) }

    /// The slot of a hash, or a free one.
    @inline(__always)
    private func slot(_ hash: UInt64) -> Slot {
        var place = Self.place(of: hash, in: slots.count)
        while true {
            let slot = slots[place]
            if slot.hash == hash || slot.hash == 0 { return slot }
            place = place &+ 1 == slots.count ? 0 : place &+ 1
        }
    }

    @inline(__always)
    private static func place(of hash: UInt64, in count: Int) -> Int {
        Int(truncatingIfNeeded: ((hash >> 32) &* UInt64(truncatingIfNeeded: count)) >> 32)
    }
}
