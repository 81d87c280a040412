// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The stubs with one and the same target, for rarer questions than requests: methods, near misses, findings.
struct TargetGroup: Sendable {
    /// The stubs by rank, best first.
    var ranks = RankList()
    /// One stub for each method, and every stub (up to `memberLimit`) that also asks for a host or path parameter.
    var witnesses = RankList()

    /// How many stubs of one target are asked for their methods one by one.
    static let memberLimit = 1024
}

/// Ranks in a row; one alone, as nearly every target has, takes no memory beside the list's own.
struct RankList: RandomAccessCollection, Sendable {
    /// Nil for an empty list.
    private var head: UInt32?
    private var tail: [UInt32] = []

    var startIndex: Int { 0 }
    var endIndex: Int { head == nil ? 0 : tail.count + 1 }

    subscript(index: Int) -> UInt32 {
        guard index == 0, let head else { return tail[index - 1] }
        return head
    }

    mutating func append(_ rank: UInt32) {
        if head == nil { head = rank } else { tail.append(rank) }
    }
}
