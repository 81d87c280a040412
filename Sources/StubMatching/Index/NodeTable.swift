// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// An open-addressing table from 64-bit hashes to sets of stubs, at most half full.
///
/// The keys themselves are not kept: hashes of different keys differ, or the builder starts again with another seed, and
/// every stub that is found compares its own bytes.
struct NodeTable: Sendable {
    private struct Slot: BitwiseCopyable {
        /// 0 for a free slot.
        var hash: UInt64
        var node: NodeReference
    }

    private let slots: FrozenArray<Slot>
    private let mask: Int

    init(_ nodes: [UInt64: NodeReference]) {
        var capacity = 16
        while capacity < nodes.count * 2 { capacity *= 2 }
        var slots = [Slot](repeating: Slot(hash: 0, node: .empty), count: capacity)
        for (hash, node) in nodes {
            var place = Int(truncatingIfNeeded: hash) & (capacity - 1)
            while slots[place].hash != 0 { place = (place + 1) & (capacity - 1) }
            slots[place] = Slot(hash: hash, node: node)
        }
        self.slots = FrozenArray(slots)
        mask = capacity - 1
    }

    func deallocate() { slots.deallocate() }

    @inline(__always)
    func find(_ hash: UInt64) -> NodeReference {
        var place = Int(truncatingIfNeeded: hash) & mask
        while true {
            let slot = slots[place]
            if slot.hash == hash { return slot.node }
            if slot.hash == 0 { return .empty }
            place = (place &+ 1) & mask
        }
    }
}
