// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A few large things that are dear to make: beyond a number of bytes, that which was used longest ago is forgotten.
struct RecentlyUsed<Element: AnyObject> {
    /// How many there are at most. 256.
    static var mostElements: Int { 256 }

    private let limit: Int
    /// The one used longest ago first.
    private var kept: [(element: Element, bytes: Int)] = []
    private var bytes = 0

    /// - Parameter limit: bytes of all of them; an element that has more by itself is kept alone.
    init(limit: Int) {
        self.limit = limit
    }

    mutating func use(_ element: Element) {
        guard kept.last?.element !== element, let index = kept.firstIndex(where: { $0.element === element }) else {
            return
        }
        kept.append(kept.remove(at: index))
    }

    /// Takes note of bytes that are kept with an element, more of a known one.
    ///
    /// - Returns: the elements that are forgotten for them.
    mutating func add(_ count: Int, to element: Element) -> [Element] {
        use(element)
        if kept.last?.element === element {
            kept[kept.count - 1].bytes += count
        } else {
            kept.append((element, count))
        }
        bytes += count
        var forgotten: [Element] = []
        while kept.count > 1, bytes > limit || kept.count > Self.mostElements {
            let oldest = kept.removeFirst()
            bytes -= oldest.bytes
            forgotten.append(oldest.element)
        }
        return forgotten
    }
}
