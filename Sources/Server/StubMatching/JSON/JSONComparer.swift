// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// The comparison of an expected value with an actual one.
///
/// If nothing may be left out and nothing stands for more than itself, hashes tell values apart and each node is looked at once, at
/// no charge. The rest takes steps of the budget; once that is spent, nothing more is equal.
struct JSONComparer {
    let comparison: JSONComparison
    let expected: JSONForm
    let actual: JSONForm
    /// Runs the patterns of placeholders; nil if no stub has one.
    let patterns: JSONPatterns?
    let budget: MatchBudget
    private let isFree: Bool

    init(
        _ comparison: JSONComparison, _ expected: JSONForm, _ actual: JSONForm, _ patterns: JSONPatterns?,
        _ budget: MatchBudget
    ) {
        self.comparison = comparison
        self.expected = expected
        self.actual = actual
        self.patterns = patterns
        self.budget = budget
        isFree = !expected.nodes[0].hasPlaceholders && !comparison.ignoresExtraMembers
    }

    /// Whether a comparison that found no equality may have been given up.
    var isGivenUp: Bool { !isFree && budget.isSpent }

    private func mayGoOn(_ steps: Int = 1) -> Bool { isFree || budget.spend(steps) }

    /// - Parameters:
    ///   - expected: a node of the expected form; the root by default.
    ///   - actual: a node of the actual form.
    func equal(_ expected: Int = 0, _ actual: Int = 0) -> Bool {
        guard mayGoOn() else { return false }
        let one = self.expected.nodes[expected]
        let other = self.actual.nodes[actual]
        if one.placeholder >= 0 { return meets(self.expected.placeholders[Int(one.placeholder)], other) }
        guard one.kind == other.kind else { return false }
        if one.isScalar || isStrict(one), one.hash != other.hash { return false }
        return switch one.kind {
        case .null, .no, .yes: true
        case .number, .string: self.expected.bytes(one, equal: self.actual, other)
        case .array: arraysEqual(one, other)
        case .object: objectsEqual(one, other)
        }
    }

    /// Whether only the very same value, in any order if that is free, equals an expected one.
    private func isStrict(_ node: JSONForm.Node) -> Bool { !node.hasPlaceholders && !comparison.ignoresExtraMembers }

    private func meets(_ placeholder: JSONPlaceholder, _ actual: JSONForm.Node) -> Bool {
        switch (placeholder, actual.kind) {
        case (.ignore, _), (.ignoreElement, _), (.anyString, .string), (.anyNumber, .number): true
        case (.anyBoolean, .yes), (.anyBoolean, .no): true
        case (.regex(let pattern), .string):
            self.actual.withBytes(actual) { patterns?.matches($0, pattern, budget) } ?? false
        default: false
        }
    }

    private func arraysEqual(_ one: JSONForm.Node, _ other: JSONForm.Node) -> Bool {
        guard one.count == other.count || comparison.ignoresExtraItems && one.count < other.count else { return false }
        if comparison.ignoresArrayOrder, !haveSameOrder(one, other) { return unpaired(one, other) == nil }
        for place in 0..<Int(one.count) where !equal(Int(one.start) + place, Int(other.start) + place) { return false }
        return true
    }

    /// Whether all elements seem to stand in the place of their equals.
    private func haveSameOrder(_ one: JSONForm.Node, _ other: JSONForm.Node) -> Bool {
        guard isStrict(one), one.count == other.count else { return false }
        for place in 0..<Int(one.count)
        where expected.nodes[Int(one.start) + place].hash != actual.nodes[Int(other.start) + place].hash {
            return false
        }
        return true
    }

    private func objectsEqual(_ one: JSONForm.Node, _ other: JSONForm.Node) -> Bool {
        if !one.hasPlaceholders {
            guard one.slotCount == other.slotCount || comparison.ignoresExtraMembers && one.slotCount < other.slotCount
            else { return false }
        }
        var found = 0
        for slot in expected.slots[one.slotRange] {
            if let member = actual.member(of: other, named: slot, of: expected) {
                guard equal(Int(slot.node), Int(member.node)) else { return false }
                found += 1
            } else if !isOptional(Int(slot.node)) || !mayGoOn() {
                return false
            }
        }
        return comparison.ignoresExtraMembers || found == Int(other.slotCount)
    }

    /// Whether an expected member need not be there.
    func isOptional(_ node: Int) -> Bool {
        let placeholder = expected.nodes[node].placeholder
        return placeholder >= 0 && expected.placeholders[Int(placeholder)] == .ignoreElement
    }
}

// MARK: - Elements in any order

extension JSONComparer {
    /// The place of an expected element that is left without a partner of its own; nil if all have one.
    ///
    /// Elements that stand on both sides are paired first, by hash: a partner that is the very same value is as good as
    /// any. The rest is paired by common parts, the rarest number, string or other scalar member.
    func unpaired(_ one: JSONForm.Node, _ other: JSONForm.Node) -> Int? {
        if one.count > other.count { return Int(other.count) }
        guard mayGoOn(Int(one.count) + Int(other.count)) else { return 0 }
        let (rest, free) = takeSame(one, other)
        guard let first = rest.first else { return nil }
        if isStrict(one) { return first }
        guard let candidates = candidates(of: rest.map { expected.nodes[Int(one.start) + $0] }, among: free) else {
            return first
        }
        let lone = Pairing.unpaired(candidates, among: free.count, mayGoOn: { mayGoOn() }) {
            equal(Int(one.start) + rest[$0], Int(free[$1]))
        }
        return lone.map { rest[$0] }
    }

    /// Pairs the elements that are the same.
    ///
    /// - Returns: the places of the expected ones that are left, and the nodes of the actual ones.
    private func takeSame(_ one: JSONForm.Node, _ other: JSONForm.Node) -> (rest: [Int], free: [UInt32]) {
        let left = expected.byHash(one)
        var right = actual.byHash(other)
        var rest: [Int] = []
        var free: [UInt32] = []
        var next = 0
        for node in left {
            let element = expected.nodes[Int(node)]
            while next < right.count, actual.nodes[Int(right[next])].hash < element.hash {
                free.append(right[next])
                next += 1
            }
            // Different values that share a hash are so rare that they need not be looked for at once.
            var place = next
            while !element.hasPlaceholders, place < right.count, actual.nodes[Int(right[place])].hash == element.hash,
                !equal(Int(node), Int(right[place]))
            {
                place += 1
            }
            if !element.hasPlaceholders, place < right.count,
                actual.nodes[Int(right[place])].hash == element.hash
            {
                right.swapAt(place, next)
                next += 1
            } else {
                rest.append(Int(node) - Int(one.start))
            }
        }
        free += right[next...]
        return (rest.sorted(), free.sorted())
    }

    /// For each expected element the places of the actual ones that may be its partner; nil if the search was given up.
    private func candidates(of rest: [JSONForm.Node], among free: [UInt32]) -> [ArraySlice<Int32>]? {
        var wanted = Set<UInt64>()
        for node in rest {
            for slot in expected.slots[node.slotRange] {
                if let key = expected.key(of: slot) { wanted.insert(key) }
            }
        }
        var found: [(key: UInt64, place: Int32)] = []
        for (place, node) in free.enumerated() {
            let node = actual.nodes[Int(node)]
            guard mayGoOn(Int(node.slotCount)) else { return nil }
            for slot in actual.slots[node.slotRange] {
                if let key = actual.key(of: slot), wanted.contains(key) { found.append((key, Int32(place))) }
            }
        }
        found.sort { ($0.key, $0.place) < ($1.key, $1.place) }
        let places = found.map(\.place)
        let all = (0..<Int32(free.count))[...].map { $0 }
        return rest.map { node in
            // A number or a text that was not paired with its like has no partner.
            if node.isScalar, node.placeholder < 0 { return [] }
            var best = all[...]
            for slot in expected.slots[node.slotRange] {
                guard let key = expected.key(of: slot) else { continue }
                let start = Self.first(in: found) { $0 >= key }
                let end = Self.first(in: found) { $0 > key }
                if end - start < best.count { best = places[start..<end] }
            }
            return best
        }
    }

    private static func first(in found: [(key: UInt64, place: Int32)], where isBehind: (UInt64) -> Bool) -> Int {
        var low = 0
        var high = found.count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(found[middle].key) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
