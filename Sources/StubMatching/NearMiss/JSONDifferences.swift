// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import JSONText

/// Collects the places where two JSON values differ.
struct JSONDifferences {
    struct Found {
        /// The JSON pointer (RFC 6901).
        var pointer: String
        var expected: String
        var actual: String
    }

    let comparison: JSONComparison
    /// What runs the patterns of placeholders.
    let patterns: JSONPatterns?
    let limit: Int
    private(set) var found: [Found] = []

    init(comparison: JSONComparison, patterns: JSONPatterns?, limit: Int) {
        self.comparison = comparison
        self.patterns = patterns
        self.limit = limit
    }

    mutating func compare(_ expected: JSONNode, _ actual: JSONNode, at pointer: String = "") {
        if found.count >= limit || comparison.equal(expected, actual, patterns) { return }
        switch (expected.value, actual.value) {
        case (.array(let expected), .array(let actual)): compare(expected, actual, at: pointer)
        case (.object(let expected), .object(let actual)): compare(expected, actual, at: pointer)
        default: add(pointer, wanted(expected), Self.text(actual))
        }
    }

    private mutating func compare(_ expected: [JSONNode], _ actual: [JSONNode], at pointer: String) {
        if comparison.ignoresArrayOrder {
            let lone = Pairing.unpaired(expected.count, actual.count) {
                comparison.equal(expected[$0], actual[$1], patterns)
            }
            if let lone, lone < expected.count, expected.count <= actual.count {
                return add(pointer, "an element \(wanted(expected[lone])) in any place", "none")
            }
        } else {
            for (position, pair) in zip(expected, actual).enumerated() {
                compare(pair.0, pair.1, at: "\(pointer)/\(position)")
            }
        }
        if expected.count > actual.count || expected.count < actual.count && !comparison.ignoresExtraItems {
            add(pointer, Self.count(expected), Self.count(actual))
        }
    }

    private mutating func compare(_ expected: JSONObject, _ actual: JSONObject, at pointer: String) {
        let expected = JSONComparison.members(expected)
        let actual = JSONComparison.members(actual)
        for member in expected {
            let place = "\(pointer)/\(Self.escaped(member.name))"
            if let other = actual.first(where: { $0.name.utf8.elementsEqual(member.name.utf8) }) {
                compare(member.value, other.value, at: place)
            } else if !comparison.hasPlaceholders || !JSONComparison.isOptional(member) {
                add(place, wanted(member.value), "nothing")
            }
        }
        if comparison.ignoresExtraMembers { return }
        for member in actual where !expected.contains(where: { $0.name.utf8.elementsEqual(member.name.utf8) }) {
            add("\(pointer)/\(Self.escaped(member.name))", "nothing", Self.text(member.value))
        }
    }

    private mutating func add(_ pointer: String, _ expected: String, _ actual: String) {
        if found.count < limit { found.append(Found(pointer: pointer, expected: expected, actual: actual)) }
    }

    /// What is expected of a place: the value, or what its placeholder stands for.
    private func wanted(_ node: JSONNode) -> String {
        guard comparison.hasPlaceholders, let placeholder = node.string.flatMap(JSONPlaceholder.init) else {
            return Self.text(node)
        }
        return switch placeholder {
        case .anyString: "any string"
        case .anyNumber: "any number"
        case .anyBoolean: "true or false"
        case .ignore, .ignoreElement: "any value"
        case .regex(let pattern): "a string that matches \(Words.quoted(pattern.utf8))"
        }
    }

    private static func text(_ node: JSONNode) -> String { Words.shortened(JSONWriter.compact(node)) }

    private static func count(_ elements: [JSONNode]) -> String {
        elements.count == 1 ? "1 element" : "\(elements.count) elements"
    }

    private static func escaped(_ name: String) -> String {
        var output: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "~"): output += Array("~0".utf8)
            case UInt8(ascii: "/"): output += Array("~1".utf8)
            default: output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
