// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// Collects the places where two JSON values differ.
struct JSONDifferences {
    struct PlaceDifference {
        /// The JSON pointer (RFC 6901).
        var pointer: String
        var expected: String
        var actual: String
    }

    private let comparer: JSONComparer
    private let limit: Int
    private(set) var found: [PlaceDifference] = []

    /// - Parameters:
    ///   - expected: the tree of the comparer's expected form.
    ///   - actual: the tree of its actual form.
    ///   - limit: how many differences are reported.
    init(_ comparer: JSONComparer, _ expected: JSONNode, _ actual: JSONNode, limit: Int) {
        self.comparer = comparer
        self.limit = limit
        compare(Side(0, expected), Side(0, actual), at: "")
        if found.isEmpty, comparer.isGivenUp {
            add("", wanted(expected), "a value that takes more than \(JSONLimits.steps) steps to compare")
        }
    }

    /// A value with its place in its form.
    private struct Side {
        let place: Int
        let tree: JSONNode

        init(_ place: Int, _ tree: JSONNode) {
            self.place = place
            self.tree = tree
        }

        /// The children of a tree stand in the form as they were written.
        func child(_ node: Int, _ form: JSONForm) -> Side {
            let number = node - Int(form.nodes[place].start)
            return switch tree.value {
            case .array(let elements): Side(node, elements[number])
            case .object(let object): Side(node, object.members[number].value)
            default: self
            }
        }
    }

    private mutating func compare(_ expected: Side, _ actual: Side, at pointer: String) {
        if found.count >= limit || comparer.equal(expected.place, actual.place) || comparer.isGivenUp { return }
        let one = comparer.expected.nodes[expected.place]
        let other = comparer.actual.nodes[actual.place]
        switch (one.kind, other.kind) {
        case (.array, .array): compareElements(expected, actual, at: pointer)
        case (.object, .object): compareMembers(expected, actual, at: pointer)
        default: add(pointer, wanted(expected.tree), Words.json(actual.tree))
        }
    }

    private mutating func compareElements(_ expected: Side, _ actual: Side, at pointer: String) {
        let one = comparer.expected.nodes[expected.place]
        let other = comparer.actual.nodes[actual.place]
        if !comparer.comparison.ignoresArrayOrder {
            for place in 0..<Int(min(one.count, other.count)) where found.count < limit {
                compare(
                    expected.child(Int(one.start) + place, comparer.expected),
                    actual.child(Int(other.start) + place, comparer.actual), at: "\(pointer)/\(place)")
            }
        } else if one.count <= other.count {
            let lone = comparer.unpaired(one, other)
            if comparer.isGivenUp { return }
            if let lone {
                let element = expected.child(Int(one.start) + lone, comparer.expected)
                return add(pointer, "an element \(wanted(element.tree)) in any place", "none")
            }
        }
        if one.count > other.count || one.count < other.count && !comparer.comparison.ignoresExtraItems {
            add(pointer, Self.count(one), Self.count(other))
        }
    }

    private mutating func compareMembers(_ expected: Side, _ actual: Side, at pointer: String) {
        let one = comparer.expected.nodes[expected.place]
        let other = comparer.actual.nodes[actual.place]
        for (name, slot) in comparer.expected.members(one) where found.count < limit {
            let place = JSONPointer.appending(name, to: pointer)
            let value = expected.child(Int(slot.node), comparer.expected)
            if let member = comparer.actual.member(of: other, named: slot, of: comparer.expected) {
                compare(value, actual.child(Int(member.node), comparer.actual), at: place)
            } else if !comparer.isOptional(Int(slot.node)) {
                add(place, wanted(value.tree), "nothing")
            }
        }
        if comparer.comparison.ignoresExtraMembers || found.count >= limit { return }
        for (name, slot) in comparer.actual.members(other) where found.count < limit {
            if comparer.expected.member(of: one, named: slot, of: comparer.actual) != nil { continue }
            let value = actual.child(Int(slot.node), comparer.actual)
            add(JSONPointer.appending(name, to: pointer), "nothing", Words.json(value.tree))
        }
    }

    private mutating func add(_ pointer: String, _ expected: String, _ actual: String) {
        if found.count < limit { found.append(PlaceDifference(pointer: pointer, expected: expected, actual: actual)) }
    }

    /// The expected value of a place: the value itself, or the values that its placeholder stands for.
    private func wanted(_ node: JSONNode) -> String {
        guard let placeholder = node.string.flatMap(JSONPlaceholder.init) else { return Words.json(node) }
        return switch placeholder {
        case .anyString: "any string"
        case .anyNumber: "any number"
        case .anyBoolean: "true or false"
        case .ignore, .ignoreElement: "any value"
        case .regex(let pattern): "a string that matches \(Words.quoted(pattern.utf8))"
        }
    }

    private static func count(_ array: JSONForm.Node) -> String {
        array.count == 1 ? "1 element" : "\(array.count) elements"
    }
}
