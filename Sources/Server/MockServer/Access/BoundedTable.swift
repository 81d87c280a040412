// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Values by a text that clients choose or are given; if it is full, the older half is forgotten.
struct BoundedTable<Value> {
    /// How many there are at most. 10,000.
    static var limit: Int { 10_000 }

    private var values: [String: Value] = [:]
    /// The oldest first.
    private var order: [String] = []

    var count: Int { values.count }

    subscript(key: String) -> Value? {
        get { values[key] }
        set {
            guard let newValue else {
                values[key] = nil
                return
            }
            guard values.updateValue(newValue, forKey: key) == nil else { return }
            order.append(key)
            guard order.count > Self.limit else { return }
            for key in order.prefix(Self.limit / 2) { values[key] = nil }
            order.removeFirst(Self.limit / 2)
        }
    }
}
