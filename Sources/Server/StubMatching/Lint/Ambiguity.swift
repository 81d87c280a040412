// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

/// Finds stubs that can match one request and are told apart by their order alone.
///
/// It compares stubs of one target, of a `url` and the `urlPath` in it, and of templates that overlap; it does not work out the overlap of
/// two patterns.
struct Ambiguity {
    private let lint: Lint
    private let leftOut: Set<UInt32>

    init(_ lint: Lint, leavingOut leftOut: Set<UInt32>) {
        self.lint = lint
        self.leftOut = leftOut
    }

    /// The ranks of stubs that lose, each with the rank of the best stub that wins.
    func pairs(_ facts: inout [UInt32: StubFacts]) -> [UInt32: UInt32] {
        var found: [UInt32: UInt32] = [:]
        for group in lint.targets.groups where group.ranks.count > 1 {
            for members in byRank(group.ranks) where members.count > 1 { compare(members, &found, &facts) }
        }
        for (one, other) in overlappingTargets() {
            let groups = lint.targets.groups
            let ranks =
                Array(groups[one].ranks.prefix(LintLimits.acrossTargets))
                + groups[other].ranks.prefix(LintLimits.acrossTargets)
            for members in byRank(ranks.sorted()) where members.count > 1 { compareAll(members[...], &found, &facts) }
        }
        return found
    }

    /// Stubs that only their order tells apart, together.
    private func byRank(_ ranks: some Sequence<UInt32>) -> [[UInt32]] {
        var groups: [[UInt32]] = []
        var last: Rank?
        for rank in ranks where !leftOut.contains(rank) {
            let value = Rank(lint.stub(rank), lint.set.dialect)
            if value == last { groups[groups.count - 1].append(rank) } else { groups.append([rank]) }
            last = value
        }
        return groups
    }

    private func compare(
        _ members: [UInt32], _ found: inout [UInt32: UInt32], _ facts: inout [UInt32: StubFacts], depth: Int = 0
    ) {
        if members.count <= LintLimits.pairs { return compareAll(members[...], &found, &facts) }
        var counts: [UInt64: Int] = [:]
        var values: [UInt64: Set<UInt64>] = [:]
        for member in members {
            for fixed in lint.facts(member, &facts).fixed {
                counts[fixed.key, default: 0] += 1
                values[fixed.key, default: []].insert(fixed.value)
            }
        }
        let best = counts.filter { values[$0.key, default: []].count > 1 }.max {
            ($0.value, $0.key) < ($1.value, $1.key)
        }
        guard let key = best?.key, depth < 32 else {
            return compareAll(members.prefix(LintLimits.pairs), &found, &facts)
        }
        var parts: [UInt64: [UInt32]] = [:]
        var free: [UInt32] = []
        for member in members {
            if let fixed = lint.facts(member, &facts).fixed.first(where: { $0.key == key }) {
                parts[fixed.value, default: []].append(member)
            } else {
                free.append(member)
            }
        }
        for (_, part) in parts where part.count > 1 { compare(part, &found, &facts, depth: depth + 1) }
        if free.isEmpty { return }
        if free.count > 1 { compare(free, &found, &facts, depth: depth + 1) }
        let sample = free.prefix(LintLimits.acrossTargets)
        for member in members {
            for other in sample where other != member {
                compare(min(member, other), max(member, other), &found, &facts)
            }
        }
    }

    private func compareAll(
        _ members: ArraySlice<UInt32>, _ found: inout [UInt32: UInt32], _ facts: inout [UInt32: StubFacts]
    ) {
        for loser in members {
            for winner in members where winner < loser { compare(winner, loser, &found, &facts) }
        }
    }

    private func compare(
        _ winner: UInt32, _ loser: UInt32, _ found: inout [UInt32: UInt32], _ facts: inout [UInt32: StubFacts]
    ) {
        if let known = found[loser], known <= winner { return }
        if lint.facts(winner, &facts).excludes(lint.facts(loser, &facts)) { return }
        found[loser] = winner
    }

    /// Pairs of targets that can match one request and are equally specific.
    private func overlappingTargets() -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var templates: [Int: [(group: Int, segments: [PathTemplate.Segment])]] = [:]
        for (number, group) in lint.targets.groups.enumerated() {
            guard let rank = group.ranks.first else { continue }
            switch lint.stub(rank).request.url {
            case .url(let url):
                let path = String(decoding: url.utf8.prefix { $0 != ASCII.question }, as: UTF8.self)
                if let other = lint.targets.exact[ByteHash.hash(path, seed: lint.tables.seeds.path)], other != number {
                    pairs.append((number, other))
                }
            case .pathTemplate(let text):
                let segments = PathTemplate(text).segments
                if templates[segments.count, default: []].count < LintLimits.targets {
                    templates[segments.count, default: []].append((number, segments))
                }
            case .any, .path, .pattern, .pathPattern: break
            }
        }
        for (_, list) in templates.sorted(by: { $0.key < $1.key }) {
            for (position, one) in list.enumerated() {
                for other in list[..<position] where Self.overlap(one.segments, other.segments) {
                    pairs.append((other.group, one.group))
                }
            }
        }
        return pairs
    }

    private static func overlap(_ one: [PathTemplate.Segment], _ other: [PathTemplate.Segment]) -> Bool {
        zip(one, other).allSatisfy { pair in
            switch pair {
            case (.literal(let left), .literal(let right)): left == right
            // The text that a rest takes is not worked out.
            case (.rest, .rest): true
            case (.rest, _), (_, .rest): false
            default: true
            }
        }
    }
}
