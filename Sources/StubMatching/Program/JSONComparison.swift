// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

/// How two JSON values are compared: numbers by value, strings byte for byte, members in any order.
struct JSONComparison: Hashable, Sendable {
    /// Arrays are equal when their elements can be paired, each with one of its own.
    var ignoresArrayOrder = false
    /// Members that only the actual object has do not count.
    var ignoresExtraMembers = false
    /// Elements that only the actual array has do not count: those at the end, or any where the order is free.
    var ignoresExtraItems = false

    func equal(_ expected: JSONNode, _ actual: JSONNode) -> Bool {
        switch (expected.value, actual.value) {
        case (.null, .null): true
        case (.bool(let expected), .bool(let actual)): expected == actual
        case (.number(let expected), .number(let actual)): expected == actual
        case (.string(let expected), .string(let actual)): expected.utf8.elementsEqual(actual.utf8)
        case (.array(let expected), .array(let actual)): equal(expected, actual)
        case (.object(let expected), .object(let actual)): equal(expected, actual)
        default: false
        }
    }

    private func equal(_ expected: [JSONNode], _ actual: [JSONNode]) -> Bool {
        guard expected.count == actual.count || ignoresExtraItems && expected.count < actual.count else { return false }
        if !ignoresArrayOrder { return zip(expected, actual).allSatisfy { equal($0, $1) } }
        if ignoresExtraMembers || ignoresExtraItems {
            return Pairing.isComplete(expected.count, actual.count) { equal(expected[$0], actual[$1]) }
        }
        // Strict equality can be passed on from pair to pair, so that the first partner found is as good as any.
        var isTaken = [Bool](repeating: false, count: actual.count)
        for (position, element) in expected.enumerated() {
            if !isTaken[position], equal(element, actual[position]) {
                isTaken[position] = true
            } else if let partner = actual.indices.first(where: { !isTaken[$0] && equal(element, actual[$0]) }) {
                isTaken[partner] = true
            } else {
                return false
            }
        }
        return true
    }

    private func equal(_ expected: JSONObject, _ actual: JSONObject) -> Bool {
        let expected = Self.members(expected)
        let actual = Self.members(actual)
        guard expected.count == actual.count || ignoresExtraMembers && expected.count < actual.count else {
            return false
        }
        var place = 0
        for member in expected {
            while place < actual.count, Self.precedes(actual[place], member) { place += 1 }
            guard place < actual.count, actual[place].name.utf8.elementsEqual(member.name.utf8) else { return false }
            if !equal(member.value, actual[place].value) { return false }
        }
        return true
    }

    /// The members in byte order of their names; of a repeated name the last.
    static func members(_ object: JSONObject) -> [JSONObject.Member] {
        let order = object.members.indices.sorted { left, right in
            let one = object.members[left]
            let other = object.members[right]
            if precedes(one, other) { return true }
            return precedes(other, one) ? false : left < right
        }
        var members: [JSONObject.Member] = []
        for index in order {
            let member = object.members[index]
            if let last = members.last, last.name.utf8.elementsEqual(member.name.utf8) { members.removeLast() }
            members.append(member)
        }
        return members
    }

    private static func precedes(_ left: JSONObject.Member, _ right: JSONObject.Member) -> Bool {
        left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}
