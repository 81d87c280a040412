// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// All targets of stubs.
struct TargetGroups: Sendable {
    var groups: [TargetGroup] = []
    /// Keyed by the hash that the index's table uses.
    var exact: [UInt64: Int] = [:]
    /// Keyed by the number of a pattern, times two, plus one for path and query together.
    var patterns: [UInt32: Int] = [:]
    /// Keyed by the number of a template.
    var templates: [UInt32: Int] = [:]
    /// Keyed by the step of the trie that templates end at, or that a `**` follows.
    var templatesAtStep: [UInt32: [Int]] = [:]
    var any: Int?

    /// Adds a stub, the best ranks first, to a target or to a new one; returns the target's number.
    mutating func add(_ rank: UInt32, _ entry: Entry, to group: Int?, _ program: Program) -> Int {
        let number = group ?? groups.count
        if group == nil { groups.append(TargetGroup()) }
        groups[number].ranks.append(rank)
        // A guard does not count for any method.
        if entry.isGuard { return number }
        let isFixed = !(entry.conditionStart..<entry.conditionStart + entry.conditionCount).contains {
            let kind = program.conditions[$0].kind
            return kind == .host || kind == .pathParameter
        }
        let witnesses = groups[number].witnesses
        if !isFixed, witnesses.count < TargetGroup.memberLimit {
            groups[number].witnesses.append(rank)
        } else if isFixed, !witnesses.contains(where: { program.entries[$0].method == entry.method }) {
            groups[number].witnesses.append(rank)
        }
        return number
    }
}
