// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// Stubs by target, method and set of conditions, so that a stub with no more conditions than another is found by look-up.
struct Covers {
    private var best: [UInt64: UInt32] = [:]

    private static func key(group: Int, method: String?, conditions: UInt64) -> UInt64 {
        let target = ByteHash.combine(UInt64(group), method.map { ByteHash.hash($0, seed: 1) } ?? 0)
        return ByteHash.combine(target, conditions)
    }

    /// Adds a stub, unless it may stop matching.
    mutating func add(_ rank: UInt32, group: Int, _ lint: Lint, _ facts: inout [UInt32: StubFacts]) {
        let stub = lint.stub(rank)
        if stub.afterLast == .unmatched { return }
        let conditions = lint.facts(rank, &facts).conditions.reduce(0, &+)
        let key = Self.key(group: group, method: stub.request.method, conditions: conditions)
        best[key] = min(best[key] ?? .max, rank)
    }

    /// A stub of a target that goes before another and asks for no more.
    ///
    /// - Parameter wholeOnly: whether only stubs with just the same conditions can go before.
    func best(
        over rank: UInt32, group: Int, wholeOnly: Bool, _ lint: Lint, _ facts: inout [UInt32: StubFacts]
    ) -> UInt32? {
        let conditions = lint.facts(rank, &facts).conditions
        let method = lint.stub(rank).request.method
        var found: UInt32?
        func look(_ sum: UInt64) {
            var methods: [String?] = [method]
            // A stub for HEAD is asked before all others; any other method may be covered by a stub for all.
            if method != nil, method != "HEAD", !wholeOnly { methods.append(nil) }
            for method in methods {
                guard let other = best[Self.key(group: group, method: method, conditions: sum)], other < rank else {
                    continue
                }
                found = min(found ?? .max, other)
            }
        }
        let all = conditions.reduce(0, &+)
        look(all)
        if wholeOnly { return found }
        if conditions.count <= LintLimits.conditions {
            for part in 0..<(1 << conditions.count) - 1 {
                var sum: UInt64 = 0
                for (bit, condition) in conditions.enumerated() where part >> bit & 1 == 1 { sum &+= condition }
                look(sum)
            }
        } else {
            look(0)
            for condition in conditions {
                look(condition)
                look(all &- condition)
            }
        }
        return found
    }
}
