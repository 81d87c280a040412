// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Values by key, bounded in number and in cost: the one used longest ago goes first.
struct RecentlyUsed<Key: Hashable, Value> {
    private struct Entry {
        var value: Value
        var cost: Int
        var use: UInt64
    }

    private let countLimit: Int
    private let costLimit: Int
    private var entries: [Key: Entry] = [:]
    private(set) var totalCost = 0
    private var uses: UInt64 = 0

    init(countLimit: Int, costLimit: Int) {
        self.countLimit = countLimit
        self.costLimit = costLimit
    }

    var count: Int { entries.count }

    mutating func value(for key: Key) -> Value? {
        uses += 1
        entries[key]?.use = uses
        return entries[key]?.value
    }

    /// A value that alone costs more than all may is not kept.
    mutating func insert(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= costLimit, countLimit > 0 else { return }
        while entries.count >= countLimit || totalCost + cost > costLimit,
            let oldest = entries.min(by: { $0.value.use < $1.value.use })
        {
            remove(oldest.key)
        }
        uses += 1
        entries[key] = Entry(value: value, cost: cost, use: uses)
        totalCost += cost
    }

    mutating func removeAll(where isGone: (Key) -> Bool) {
        for key in entries.keys where isGone(key) { remove(key) }
    }

    private mutating func remove(_ key: Key) {
        if let entry = entries.removeValue(forKey: key) { totalCost -= entry.cost }
    }
}
