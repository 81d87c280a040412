// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A place in a list of ranks, ascending.
struct Cursor: BitwiseCopyable {
    /// The rank at the place.
    var rank: UInt32
    /// Where the next rank stands.
    var next: UInt32
    var end: UInt32
    /// The stub of the only rank; none if it is to be looked up.
    var settled = SettledStub.none
}

/// The only stub of a set, if nothing but its method is left to be compared: a request that is led to it reads no more than the table's slot,
/// since among many stubs each further place in memory is waited for.
struct SettledStub: BitwiseCopyable {
    /// The stub's place in the set.
    var ordinal: UInt32
    /// The number of the method; 0 for any.
    var method: UInt16
    /// False if there is no such stub.
    var isOne: Bool

    static var none: SettledStub { SettledStub(ordinal: 0, method: 0, isOne: false) }
}

/// A step of the templates' trie that a path leads to.
struct TrieStep: BitwiseCopyable {
    var number: UInt32
    /// Whether the path ends there; else a `**` may follow.
    var isEnd: Bool
}
