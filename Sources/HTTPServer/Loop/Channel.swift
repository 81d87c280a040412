// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Something a loop watches: a descriptor with what is done when it is ready.
///
/// A channel belongs to its loop: it is made, used and closed there.
class Channel {
    let descriptor: Int32
    let loop: EventLoop
    /// Names the channel in events and timers; 0 until it is registered.
    fileprivate(set) var token: UInt64 = 0

    init(descriptor: Int32, loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// The descriptor can be read or written, or has ended; edge-triggered.
    func ready(_ event: PollEvent) {}
    /// A deadline has come.
    func due(now: UInt64) {}
    /// What `EventLoop.resume` asked for: go on where a turn was too short.
    func resumed() {}
}

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
