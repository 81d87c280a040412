// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A place in a list of ranks, ascending.
struct Cursor: BitwiseCopyable {
    /// The rank at the place.
    var rank: UInt32
    /// Where the next rank stands.
    var next: UInt32
    var end: UInt32
    /// The stub of the only rank; none where it is to be looked up.
    var settled = SettledStub.none
}
