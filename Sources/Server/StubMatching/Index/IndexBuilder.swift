// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

/// Builds the index over a program.
struct IndexBuilder {
    private let program: Program
    private let seeds: IndexTables.Seeds
    private var nodes: [UInt64: NodeTable.Row] = [:]
    /// The hashes that lead to one stub.
    private var lone: [UInt64] = []
    /// Indexed by rank.
    private var asked: [IndexTables.AskedStub]
    private var ranks: [UInt32] = []
    private var splits: [Split] = []
    private var trie: [TrieNode] = [TrieNode()]
    private var keys = SplitKeys()
    private var targets = TargetGroups()
    /// Two keys have one hash.
    private var isBroken = false

    /// The index with the first seed that gives all keys different hashes.
    static func build(_ program: Program, files: [PlainFile], templates: [PathTemplate]) -> (
        tables: IndexTables, targets: TargetGroups
    ) {
        var seed: UInt64 = 1
        while true {
            var builder = IndexBuilder(program, seed: seed)
            let tables = builder.build(files, templates)
            if !builder.isBroken { return (tables, builder.targets) }
            tables.deallocate()
            seed += 1
        }
    }

    private init(_ program: Program, seed: UInt64) {
        self.program = program
        seeds = IndexTables.Seeds(seed)
        asked = (0..<program.entries.count).map { rank in
            let entry = program.entries[rank]
            return IndexTables.AskedStub(ordinal: entry.ordinal, method: entry.method)
        }
    }

    private mutating func build(_ files: [PlainFile], _ templates: [PathTemplate]) -> IndexTables {
        group()
        for (hash, group) in targets.exact.sorted(by: { $0.value < $1.value }) {
            let node = node(Array(targets.groups[group].ranks))
            insert(stubs: node, hash, key: key(of: targets.groups[group]))
        }
        buildTrie(templates)
        let patterns = targets.patterns.values.flatMap { targets.groups[$0].ranks }.sorted()
        let patternNode = node(patterns, usesPrefixes: true)
        let anyNode = targets.any.map { node(Array(targets.groups[$0].ranks)) } ?? .empty
        let (records, paths) = addFiles(files)
        let kinds = Set((0..<program.entries.count).map { program.entries[$0].urlKind })
        settle()
        return IndexTables(
            table: NodeTable(nodes), askedStubs: FrozenArray(asked), ranks: FrozenArray(ranks),
            splits: FrozenArray(splits),
            trie: FrozenArray(trie),
            files: FrozenArray(records), patterns: patternNode, any: anyNode, seeds: seeds,
            hasPaths: kinds.contains(.path), hasURLs: kinds.contains(.url), hasTemplates: kinds.contains(.template),
            hasHead: (0..<program.entries.count).contains { program.entries[$0].method == Program.head },
            paths: FrozenArray(paths))
    }

    private mutating func insert(
        _ hash: UInt64, _ node: NodeReference, key: PoolRange = PoolRange(start: 0, end: 0)
    ) {
        let entry = NodeTable.Row(node: node, key: key)
        if hash == 0 || nodes.updateValue(entry, forKey: hash) != nil { isBroken = true }
    }

    /// Inserts a set of stubs.
    private mutating func insert(stubs node: NodeReference, _ hash: UInt64, key: PoolRange) {
        insert(hash, node, key: key)
        if node.count == 1 { lone.append(hash) }
    }

    /// Where the path, or path and query, of all stubs of a group stands.
    private func key(of group: TargetGroup) -> PoolRange {
        let entry = group.ranks.first.map { program.entries[$0] }
        return PoolRange(start: entry?.urlStart ?? 0, end: entry?.urlEnd ?? 0)
    }

    /// Marks the stubs whose way has compared everything but the method.
    private mutating func settle() {
        for rank in asked.indices {
            let entry = program.entries[rank]
            guard entry.urlKind == .path || entry.urlKind == .url || entry.urlKind == .any else { continue }
            asked[rank].isSettled =
                entry.conditionCount <= 32 && asked[rank].met.nonzeroBitCount == Int(entry.conditionCount)
        }
        for hash in lone {
            guard let rank = nodes[hash]?.node.first, asked[Int(rank)].isSettled else { continue }
            let stub = asked[Int(rank)]
            nodes[hash]?.settled = SettledStub(ordinal: stub.ordinal, method: stub.method, isOne: true)
        }
    }

    private mutating func group() {
        for rank in 0..<UInt32(program.entries.count) {
            let entry = program.entries[rank]
            switch entry.urlKind {
            case .any: targets.any = add(rank, entry, to: targets.any)
            case .path, .url:
                let bytes = program.pool.slice(entry.urlStart, entry.urlEnd)
                let hash = ByteHash.hash(bytes, seed: entry.urlKind == .path ? seeds.path : seeds.url)
                let known = targets.exact[hash]
                if let known, !isSame(entry, targets.groups[known]) { isBroken = true }
                targets.exact[hash] = add(rank, entry, to: known)
            case .pattern, .pathPattern:
                let key = entry.urlStart * 2 + (entry.urlKind == .pattern ? 1 : 0)
                targets.patterns[key] = add(rank, entry, to: targets.patterns[key])
            case .template:
                targets.templates[entry.urlStart] = add(rank, entry, to: targets.templates[entry.urlStart])
            case .never: break
            }
        }
    }

    private mutating func add(_ rank: UInt32, _ entry: Entry, to group: Int?) -> Int {
        targets.add(rank, entry, to: group, program)
    }

    private func isSame(_ entry: Entry, _ group: TargetGroup) -> Bool {
        guard let first = group.ranks.first else { return true }
        let other = program.entries[first]
        let bytes = program.pool.slice(entry.urlStart, entry.urlEnd)
        return other.urlKind == entry.urlKind && program.pool.slice(other.urlStart, other.urlEnd).equals(bytes)
    }

    private mutating func addFiles(_ files: [PlainFile]) -> ([IndexTables.FileRecord], [UInt8]) {
        var records: [IndexTables.FileRecord] = []
        var paths: [UInt8] = []
        var known = Set<ExactText>()
        for (ordinal, file) in files.enumerated() {
            for path in file.requestPaths where known.insert(ExactText(path)).inserted {
                insert(
                    ByteHash.hash(path, seed: seeds.file), NodeReference(first: UInt32(records.count), count: 1))
                let start = UInt32(paths.count)
                paths.append(contentsOf: path.utf8)
                records.append(.init(start: start, end: UInt32(paths.count), ordinal: UInt32(ordinal)))
            }
        }
        return (records, paths)
    }

    // MARK: Templates

    private mutating func buildTrie(_ templates: [PathTemplate]) {
        var ends: [UInt32: [UInt32]] = [:]
        var rests: [UInt32: [UInt32]] = [:]
        for (number, group) in targets.templates.sorted(by: { $0.key < $1.key }) {
            var step: UInt32 = 0
            var isRest = false
            for segment in templates[Int(number)].segments {
                switch segment {
                case .literal(let bytes): step = literalStep(from: step, bytes)
                case .wild: step = wildStep(from: step)
                case .rest: isRest = true
                }
            }
            targets.templatesAtStep[step, default: []].append(group)
            if isRest {
                rests[step, default: []] += targets.groups[group].ranks
            } else {
                ends[step, default: []] += targets.groups[group].ranks
            }
        }
        for (step, ranks) in ends.sorted(by: { $0.key < $1.key }) { trie[Int(step)].ends = node(ranks.sorted()) }
        for (step, ranks) in rests.sorted(by: { $0.key < $1.key }) { trie[Int(step)].rests = node(ranks.sorted()) }
    }

    private mutating func literalStep(from step: UInt32, _ bytes: [UInt8]) -> UInt32 {
        let hash = bytes.withUnsafeBufferPointer { ByteHash.hash($0, seed: seeds.trie(step)) }
        // Segments with one hash share a step; the path behind it is compared in full.
        if let known = nodes[hash], trieHashes.contains(hash) { return known.node.first }
        let next = UInt32(trie.count)
        trie.append(TrieNode())
        trie[Int(step)].hasLiterals = true
        insert(hash, NodeReference(first: next, count: 1))
        trieHashes.insert(hash)
        return next
    }

    private mutating func wildStep(from step: UInt32) -> UInt32 {
        if trie[Int(step)].wild == 0 {
            trie[Int(step)].wild = UInt32(trie.count)
            trie.append(TrieNode())
        }
        return trie[Int(step)].wild
    }

    private var trieHashes = Set<UInt64>()

    // MARK: Splits

    /// A set of that many stubs is asked one by one.
    private static let listLimit = 8

    /// The node of stubs that are sorted by rank: a list, or a split by the value that tells most of them apart.
    private mutating func node(
        _ members: [UInt32], usesPrefixes: Bool = false, without used: Set<Int> = [], isOnlyWay: Bool = true
    ) -> NodeReference {
        if members.count <= 1 { return members.first.map { NodeReference(first: $0, count: 1) } ?? .empty }
        if members.count > Self.listLimit {
            let values = members.map { keys.values(of: $0, program, usesPrefixes: usesPrefixes) }
            if let key = keys.best(values, program, without: used) {
                return split(
                    members, values, by: key, usesPrefixes: usesPrefixes, without: used.union([key]),
                    isOnlyWay: isOnlyWay)
            }
        }
        let first = UInt32(ranks.count)
        ranks += members
        return NodeReference(first: first, count: UInt32(members.count))
    }

    /// - Parameter isOnlyWay: whether no other way leads to the members, so that nothing has been compared.
    private mutating func split(
        _ members: [UInt32], _ values: [[SplitKeys.KeyedValue]], by key: Int, usesPrefixes: Bool,
        without used: Set<Int>, isOnlyWay: Bool
    ) -> NodeReference {
        let number = splits.count
        var split = keys.split(key)
        splits.append(split)
        let seed = seeds.split(UInt32(number))
        let isOnlyWay = isOnlyWay && split.key != .host
        var rest: [UInt32] = []
        var parts: [UInt64: (value: SplitKeys.KeyedValue, members: [UInt32])] = [:]
        for (member, values) in zip(members, values) {
            if let value = values.first(where: { $0.key == key }) {
                let hash = value.hash(program, seed: seed)
                if let known = parts[hash]?.value, !known.isSame(as: value, program) { isBroken = true }
                parts[hash, default: (value, [])].members.append(member)
                if isOnlyWay, let condition = value.settles, condition < 32 {
                    asked[Int(member)].met |= 1 << condition
                }
            } else {
                rest.append(member)
            }
        }
        for (hash, part) in parts.sorted(by: { $0.value.members[0] < $1.value.members[0] }) {
            let node = node(part.members, usesPrefixes: usesPrefixes, without: used, isOnlyWay: isOnlyWay)
            insert(stubs: node, hash, key: part.value.range)
        }
        split.rest = node(rest, usesPrefixes: usesPrefixes, without: used, isOnlyWay: isOnlyWay)
        if split.key == .host {
            split.all = node(members, usesPrefixes: usesPrefixes, without: used, isOnlyWay: isOnlyWay)
        }
        splits[number] = split
        return .split(number)
    }
}
