// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Finds channels by token: a slot's number below, its generation above, so that a stale token finds nothing.
struct ChannelTable {
    private var slots: [Channel?] = []
    private var generations: [UInt32] = []
    private var free: [UInt32] = []
    private(set) var count = 0

    subscript(token: UInt64) -> Channel? {
        let slot = Int(UInt32(truncatingIfNeeded: token))
        guard slot < slots.count, generations[slot] == UInt32(truncatingIfNeeded: token >> 32) else { return nil }
        return slots[slot]
    }

    mutating func insert(_ channel: Channel) -> UInt64 {
        let slot: UInt32
        if let reused = free.popLast() {
            slot = reused
            slots[Int(slot)] = channel
        } else {
            slot = UInt32(slots.count)
            slots.append(channel)
            // Generations start at 1, so that no token is 0.
            generations.append(1)
        }
        count += 1
        channel.token = UInt64(generations[Int(slot)]) << 32 | UInt64(slot)
        return channel.token
    }

    mutating func remove(_ token: UInt64) {
        guard self[token] != nil else { return }
        let slot = Int(UInt32(truncatingIfNeeded: token))
        slots[slot] = nil
        generations[slot] &+= 1
        free.append(UInt32(slot))
        count -= 1
    }
}
