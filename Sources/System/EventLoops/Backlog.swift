// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The channels of a loop that have had their turn and have more to do, in the order in which they go on.
struct Backlog {
    private var tokens: [UInt64] = []
    private var first = 0

    var isEmpty: Bool { first == tokens.count }

    mutating func add(_ token: UInt64) {
        tokens.append(token)
    }

    mutating func next() -> UInt64? {
        guard first < tokens.count else { return nil }
        defer { first += 1 }
        // Tokens that have been taken are let go of once they are half of all.
        if first >= 64, first > tokens.count / 2 {
            tokens.removeFirst(first)
            first = 0
        }
        return tokens[first]
    }
}
