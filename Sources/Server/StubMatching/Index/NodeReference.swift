// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A set of stubs as the index holds it: nothing, one rank, a list of ranks, or a split by a value.
struct NodeReference: BitwiseCopyable {
    /// The rank itself, the start in the list of ranks, or the number of the split.
    var first: UInt32
    var count: UInt32

    static let empty = NodeReference(first: 0, count: 0)
    static func split(_ number: Int) -> NodeReference { NodeReference(first: UInt32(number), count: .max) }

    @inline(__always) var isEmpty: Bool { count == 0 }
    @inline(__always) var isSplit: Bool { count == .max }
}
