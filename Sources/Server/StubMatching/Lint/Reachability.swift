// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

/// Finds stubs that no request reaches, because one of better rank matches all that they match.
struct Reachability {
    private let lint: Lint

    init(_ lint: Lint) { self.lint = lint }

    /// The ranks of stubs out of reach, each with the rank of the stub that goes before it.
    func coveredRanks(_ facts: inout [UInt32: StubFacts]) -> [UInt32: UInt32] {
        var covers = Covers()
        let groups = lint.targets.groups
        let wide = wideGroups()
        let hasWide = !wide.isEmpty
        for (number, group) in groups.enumerated() where group.ranks.count > 1 || wide.contains(number) {
            for rank in group.ranks { covers.add(rank, group: number, lint, &facts) }
        }
        let hasOneRank = Set(lint.set.stubs.map(\.priority)).count == 1 && lint.set.dialect == .mockapi
        var result: [UInt32: UInt32] = [:]
        let scratch = MatchScratch()
        defer { scratch.state.dropBody() }
        for (number, group) in groups.enumerated() {
            // With one priority only a stub of the same target can go before another with as few conditions.
            let covering = hasWide && !hasOneRank ? self.covering(number, scratch) : [number]
            for rank in group.ranks {
                for other in covering where other != number || group.ranks.count > 1 {
                    guard let best = groups[other].ranks.first, best < rank, result[rank] == nil else { continue }
                    result[rank] = covers.best(over: rank, group: other, wholeOnly: hasOneRank, lint, &facts)
                }
            }
        }
        return result
    }

    /// The targets that may match all that another, narrower target does.
    private func wideGroups() -> Set<Int> {
        let targets = lint.targets
        var wide = Set(targets.any.map { [$0] } ?? [])
        for (number, group) in targets.groups.enumerated() {
            if let rank = group.ranks.first, lint.program.entries[rank].urlKind == .path { wide.insert(number) }
        }
        if targets.patterns.count + targets.templates.count <= LintLimits.targets {
            wide.formUnion(targets.patterns.values)
            wide.formUnion(targets.templates.values)
        }
        return wide
    }

    /// The targets that match all that one matches, itself included.
    private func covering(_ number: Int, _ scratch: MatchScratch) -> [Int] {
        let targets = lint.targets
        let own = [number] + (targets.any.map { $0 == number ? [] : [$0] } ?? [])
        guard let rank = targets.groups[number].ranks.first else { return own }
        let text: String
        switch lint.stub(rank).request.url {
        case .url(let url): text = String(ProgramBuilder.normalized(url))
        case .path(let path): text = path
        case .any, .pattern, .pathPattern, .pathTemplate: return own
        }
        let isPath = lint.program.entries[rank].urlKind == .path
        let many = targets.patterns.count + targets.templates.count > LintLimits.targets
        var head = RequestHead()
        head.bytes = Array(text.utf8)
        let end = head.bytes.firstIndex(of: ASCII.question) ?? head.bytes.count
        head.path = ByteRange(0, isPath ? head.bytes.count : end)
        if !isPath, end < head.bytes.count { head.query = ByteRange(end + 1, head.bytes.count) }
        return head.bytes.withUnsafeBufferPointer { bytes in
            let nothing = Bytes(start: nil, count: 0)
            scratch.state.begin(
                head, bytes: bytes, fields: .init(start: nil, count: 0), body: nothing, matchesAnyHost: true)
            var found = own
            for group in candidates(many: many, path: scratch.state.path) where group != number {
                guard let first = targets.groups[group].ranks.first else { continue }
                let entry = lint.program.entries[first]
                // A path without its query says nothing of a target that looks at the query too.
                if isPath, entry.urlKind == .url || entry.urlKind == .pattern { continue }
                if lint.program.matchesURL(entry, &scratch.state) { found.append(group) }
            }
            return found
        }
    }

    private func candidates(many: Bool, path: Bytes) -> [Int] {
        let targets = lint.targets
        var found: [Int] = []
        if let group = targets.exact[ByteHash.hash(path, seed: lint.tables.seeds.path)] { found.append(group) }
        if !many { found += targets.templates.values.sorted() + targets.patterns.values.sorted() }
        return found
    }
}
