// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Pairs the members of one list with members of another, each with one of its own.
enum Pairing {
    /// Whether every member on the left can have a partner (augmenting paths; each pair is judged at most once).
    ///
    /// - Parameter fits: whether a left and a right member may be a pair.
    static func isComplete(_ left: Int, _ right: Int, fits: (Int, Int) -> Bool) -> Bool {
        unpaired(left, right, fits: fits) == nil
    }

    /// The first left member that is left without a partner; nil where all have one.
    static func unpaired(_ left: Int, _ right: Int, fits: (Int, Int) -> Bool) -> Int? {
        if left > right { return right }
        var partners = [Int](repeating: -1, count: right)
        // Most lists stand in the same order.
        var known = [UInt8](repeating: 0, count: left * right)
        func judge(_ one: Int, _ other: Int) -> Bool {
            let place = one * right + other
            if known[place] == 0 { known[place] = fits(one, other) ? 2 : 1 }
            return known[place] == 2
        }
        for member in 0..<left where partners[member] < 0 && judge(member, member) { partners[member] = member }
        let paired = Set(partners)
        for member in 0..<left where !paired.contains(member) {
            var parents = [Int](repeating: -1, count: right)
            var isSeen = [Bool](repeating: false, count: right)
            var queue = [member]
            var position = 0
            var free: Int?
            search: while position < queue.count {
                let current = queue[position]
                position += 1
                for other in 0..<right where !isSeen[other] && judge(current, other) {
                    isSeen[other] = true
                    parents[other] = current
                    if partners[other] < 0 {
                        free = other
                        break search
                    }
                    queue.append(partners[other])
                }
            }
            guard var end = free else { return member }
            // Turn the path round: each member on it takes the partner it was reached for.
            while true {
                let owner = parents[end]
                let previous = partners.firstIndex(of: owner)
                partners[end] = owner
                guard let previous, owner != member else { break }
                end = previous
            }
        }
        return nil
    }
}
