// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The index over a program, flat, as requests read it; its owner frees it with `deallocate()`.
struct IndexTables: Sendable {
    let table: NodeTable
    /// Indexed by rank.
    let askedStubs: FrozenArray<AskedStub>
    let ranks: FrozenArray<UInt32>
    let splits: FrozenArray<Split>
    let trie: FrozenArray<TrieNode>
    let files: FrozenArray<FileRecord>
    let patterns: NodeReference
    let any: NodeReference
    let seeds: Seeds
    let hasPaths: Bool
    let hasURLs: Bool
    let hasTemplates: Bool
    /// Whether some stub names HEAD.
    let hasHead: Bool

    /// A path that a plain file is served at.
    struct FileRecord: BitwiseCopyable {
        /// The path in `paths`.
        var start: UInt32
        var end: UInt32
        var ordinal: UInt32
    }

    /// The checks that remain for a request that was led to a stub: the little that nearly every request needs.
    struct AskedStub: BitwiseCopyable {
        /// The stub's place in the set.
        var ordinal: UInt32
        /// The conditions among its first 32 that hold for whatever is led to it, a bit each.
        var met: UInt32 = 0
        /// The number of the method; 0 for any.
        var method: UInt16
        /// Whether nothing but the method is left to be compared.
        var isSettled = false
    }

    /// The hash seeds that keep the kinds of keys in the table apart.
    struct Seeds: Sendable {
        let path: UInt64
        let url: UInt64
        let file: UInt64
        private let trie: UInt64
        private let split: UInt64

        init(_ seed: UInt64) {
            path = ByteHash.combine(seed, 1)
            url = ByteHash.combine(seed, 2)
            file = ByteHash.combine(seed, 3)
            trie = ByteHash.combine(seed, 4)
            split = ByteHash.combine(seed, 5)
        }

        @inline(__always)
        func split(_ number: UInt32) -> UInt64 { ByteHash.combine(split, UInt64(number)) }

        @inline(__always)
        func trie(_ number: UInt32) -> UInt64 { ByteHash.combine(trie, UInt64(number)) }
    }

    /// The bytes of the files' paths.
    let paths: FrozenArray<UInt8>

    /// The conditions of a stub that are still to be tested, by the known facts or else by its rank.
    @inline(__always)
    func asked(_ rank: UInt32, _ settled: SettledStub) -> AskedStub {
        guard settled.isOne else { return askedStubs[rank] }
        return AskedStub(ordinal: settled.ordinal, method: settled.method, isSettled: true)
    }

    func deallocate() {
        table.deallocate()
        askedStubs.deallocate()
        ranks.deallocate()
        splits.deallocate()
        trie.deallocate()
        files.deallocate()
        paths.deallocate()
    }
}
