// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import JSONText

/// How two JSON values are compared: numbers by value, strings byte for byte, members in any order.
struct JSONComparison: Hashable, Sendable {
    /// Arrays are equal when their elements can be paired, each with one of its own.
    var ignoresArrayOrder = false
    /// Members that only the actual object has do not count.
    var ignoresExtraMembers = false
    /// Elements that only the actual array has do not count: those at the end, or any where the order is free.
    var ignoresExtraItems = false
    /// Whether strings of the expected value may be placeholders.
    var hasPlaceholders = false

    init(_ expected: JSONNode, ignoreArrayOrder: Bool, ignoreExtraElements: Bool, dialect: FixtureSet.Dialect) {
        ignoresArrayOrder = ignoreArrayOrder
        ignoresExtraMembers = ignoreExtraElements
        ignoresExtraItems = ignoreExtraElements && dialect == .wireMock
        hasPlaceholders = !JSONPlaceholder.all(in: expected).isEmpty
    }

    /// - Parameter patterns: what runs the patterns of placeholders.
    func equal(_ expected: JSONNode, _ actual: JSONNode, _ patterns: JSONPatterns?) -> Bool {
        if hasPlaceholders, case .string(let text) = expected.value, let placeholder = JSONPlaceholder(text) {
            return meets(placeholder, actual, patterns)
        }
        return switch (expected.value, actual.value) {
        case (.null, .null): true
        case (.bool(let expected), .bool(let actual)): expected == actual
        case (.number(let expected), .number(let actual)): expected == actual
        case (.string(let expected), .string(let actual)): expected.utf8.elementsEqual(actual.utf8)
        case (.array(let expected), .array(let actual)): equal(expected, actual, patterns)
        case (.object(let expected), .object(let actual)): equal(expected, actual, patterns)
        default: false
        }
    }

    private func meets(_ placeholder: JSONPlaceholder, _ actual: JSONNode, _ patterns: JSONPatterns?) -> Bool {
        switch (placeholder, actual.value) {
        case (.ignore, _), (.ignoreElement, _), (.anyString, .string), (.anyNumber, .number), (.anyBoolean, .bool): true
        case (.regex(let pattern), .string(let text)): patterns?.matches(text, pattern) ?? false
        default: false
        }
    }

    private func equal(_ expected: [JSONNode], _ actual: [JSONNode], _ patterns: JSONPatterns?) -> Bool {
        guard expected.count == actual.count || ignoresExtraItems && expected.count < actual.count else { return false }
        if !ignoresArrayOrder { return zip(expected, actual).allSatisfy { equal($0, $1, patterns) } }
        if ignoresExtraMembers || ignoresExtraItems || hasPlaceholders {
            return Pairing.isComplete(expected.count, actual.count) { equal(expected[$0], actual[$1], patterns) }
        }
        // Strict equality can be passed on from pair to pair, so that the first partner found is as good as any.
        var isTaken = [Bool](repeating: false, count: actual.count)
        for (position, element) in expected.enumerated() {
            if !isTaken[position], equal(element, actual[position], patterns) {
                isTaken[position] = true
            } else if let partner = actual.indices.first(where: { !isTaken[$0] && equal(element, actual[$0], patterns) }
            ) {
                isTaken[partner] = true
            } else {
                return false
            }
        }
        return true
    }

    private func equal(_ expected: JSONObject, _ actual: JSONObject, _ patterns: JSONPatterns?) -> Bool {
        var expected = Self.members(expected)
        let actual = Self.members(actual)
        if hasPlaceholders {
            expected.removeAll { Self.isOptional($0) && !Self.holds(actual, $0.name) }
        }
        guard expected.count == actual.count || ignoresExtraMembers && expected.count < actual.count else {
            return false
        }
        var place = 0
        for member in expected {
            while place < actual.count, Self.precedes(actual[place], member) { place += 1 }
            guard place < actual.count, actual[place].name.utf8.elementsEqual(member.name.utf8) else { return false }
            if !equal(member.value, actual[place].value, patterns) { return false }
        }
        return true
    }

    /// Whether a member of the expected object need not be there.
    static func isOptional(_ member: JSONObject.Member) -> Bool {
        member.value.string.flatMap(JSONPlaceholder.init) == .ignoreElement
    }

    private static func holds(_ members: [JSONObject.Member], _ name: String) -> Bool {
        members.contains { $0.name.utf8.elementsEqual(name.utf8) }
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
