// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A step on the way of templates through a path, segment by segment; steps by literal segments stand in the `NodeTable`.
struct TrieNode: BitwiseCopyable {
    /// The step of a segment with a variable; 0 for none, since no step leads to the root.
    var wild: UInt32 = 0
    /// Whether steps by literal segments lead on.
    var hasLiterals = false
    /// The stubs whose templates end here.
    var ends = NodeReference.empty
    /// The stubs whose templates have a `**` in the next segment.
    var rests = NodeReference.empty
}
