// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Comparisons of values (XPath 1.0 §3.4).
extension XPathEvaluator {
    mutating func compare(
        _ comparison: XPathComparison, _ left: XPathValue, _ right: XPathValue
    ) throws(XPathError) -> Bool {
        switch (left, right) {
        case (.nodes, .boolean), (.boolean, .nodes):
            return try holds(comparison, .boolean(boolean(left)), .boolean(boolean(right)))
        case (.nodes(let left), .nodes(let right)): return try holds(comparison, left, right)
        case (.nodes(let nodes), _):
            // Read once, however many nodes there are.
            let other = comparison.isOfOrder ? .number(try number(right)) : right
            for node in nodes where try holds(comparison, .string(try string(of: node)), other) { return true }
            return false
        case (_, .nodes): return try compare(comparison.mirrored, right, left)
        default: return try holds(comparison, left, right)
        }
    }

    /// Compares sets of nodes: whether there is a pair for which it holds, found without a look at each pair.
    private mutating func holds(
        _ comparison: XPathComparison, _ left: [Int32], _ right: [Int32]
    ) throws(XPathError) -> Bool {
        if comparison.isOfOrder {
            guard let left = try extremes(left), let right = try extremes(right) else { return false }
            let isLess = comparison == .less || comparison == .lessOrEqual
            return holds(comparison, isLess ? left.least : left.most, isLess ? right.most : right.least)
        }
        // Nodes within one another would each hold a copy of the same text.
        var texts: Set<TextMark> = []
        for node in right { texts.insert(TextMark(try read(try string(of: node), by: 32))) }
        for node in left {
            let text = TextMark(try read(try string(of: node), by: 32))
            if comparison == .equal ? texts.contains(text) : texts.count > 1 || !texts.contains(text) && !texts.isEmpty
            {
                return true
            }
        }
        return false
    }

    /// The least and the greatest number among nodes; nil if there is none.
    private mutating func extremes(_ nodes: [Int32]) throws(XPathError) -> (least: Double, most: Double)? {
        var found: (least: Double, most: Double)?
        for node in nodes {
            let value = try number(try string(of: node))
            if value.isNaN { continue }
            found = (min(found?.least ?? value, value), max(found?.most ?? value, value))
        }
        return found
    }

    /// Compares values that are not sets of nodes.
    private mutating func holds(
        _ comparison: XPathComparison, _ left: XPathValue, _ right: XPathValue
    ) throws(XPathError) -> Bool {
        if comparison.isOfOrder { return holds(comparison, try number(left), try number(right)) }
        let isEqual: Bool
        switch (left, right) {
        case (.boolean, _), (_, .boolean): isEqual = boolean(left) == boolean(right)
        case (.number, _), (_, .number): isEqual = try number(left) == number(right)
        case (.string(let left), .string(let right)): isEqual = try equals(left, right)
        default: isEqual = false
        }
        return isEqual == (comparison == .equal)
    }

    private func holds(_ comparison: XPathComparison, _ left: Double, _ right: Double) -> Bool {
        switch comparison {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        default: left >= right
        }
    }
}

/// Two hashes of a text, seeded for the process, and its length.
private struct TextMark: Hashable {
    private let first: Int
    private let second: Int
    private let length: Int

    init(_ text: String) {
        var text = text
        (first, second, length) = text.withUTF8 { bytes in
            (Self.hash(bytes, 1), Self.hash(bytes, 2), bytes.count)
        }
    }

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>, _ seed: UInt8) -> Int {
        var hasher = Hasher()
        hasher.combine(seed)
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        return hasher.finalize()
    }
}
