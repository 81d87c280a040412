// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRegularExpressions

/// The conditions of filters: logic, existence, comparisons (RFC 9535 §2.3.5.2.2) and Jayway's operators.
extension PathEvaluator {
    mutating func accepts(
        _ expression: FilterExpression, _ current: JSONNode, isJayway: Bool
    ) throws(JSONPathGaveUp) -> Bool {
        try spend(1)
        switch expression {
        case .or(let terms):
            for term in terms where try accepts(term, current, isJayway: isJayway) { return true }
            return false
        case .and(let terms):
            for term in terms where try !accepts(term, current, isJayway: isJayway) { return false }
            return true
        case .not(let inner): return try !accepts(inner, current, isJayway: isJayway)
        case .exists(let query):
            let start = query.isRelative ? current : root
            if let path = query.plainSteps { return try walk(path, from: start) != nil }
            return try !items(of: query, from: PathItem(node: start)).isEmpty
        case .call(let function): return try holds(function, current)
        case .comparison(let left, let comparator, let right):
            return try compare(left, comparator, right, current, isJayway: isJayway)
        }
    }

    // MARK: Values

    /// The value of an operand; nil for none.
    private mutating func value(_ operand: FilterOperand, _ current: JSONNode) throws(JSONPathGaveUp) -> JSONNode? {
        switch operand {
        case .literal(let node): return node
        case .query(let query): return try value(query, current)
        case .call(let function): return try value(function, current)
        case .pattern: return nil
        }
    }

    private mutating func value(_ query: PathQuery, _ current: JSONNode) throws(JSONPathGaveUp) -> JSONNode? {
        let start = query.isRelative ? current : root
        if let path = query.plainSteps { return try walk(path, from: start) }
        let items = try items(of: query, from: PathItem(node: start))
        if query.isDefinite(.jayway) { return items.first?.node }
        return .array(items.map(\.node))
    }

    /// The nodes of an argument that is a query.
    private mutating func nodes(_ operand: FilterOperand, _ current: JSONNode) throws(JSONPathGaveUp) -> [JSONNode] {
        guard case .query(let query) = operand else { return [] }
        let start = query.isRelative ? current : root
        return try items(of: query, from: PathItem(node: start)).map(\.node)
    }

    // MARK: Functions (RFC 9535 §2.4)

    private mutating func value(
        _ function: FilterFunction, _ current: JSONNode
    ) throws(JSONPathGaveUp) -> JSONNode? {
        switch function.name {
        case .length:
            guard let node = try value(function.arguments[0], current) else { return nil }
            switch node.value {
            case .string(let text):
                try spend(text.utf8.count / 64)
                return .integer(text.unicodeScalars.count)
            case .array(let elements): return .integer(elements.count)
            case .object(let object):
                try spend(object.members.count)
                return .integer(object.distinctMembers.count)
            default: return nil
            }
        case .count: return .integer(try nodes(function.arguments[0], current).count)
        case .value:
            let nodes = try nodes(function.arguments[0], current)
            return nodes.count == 1 ? nodes[0] : nil
        case .match, .search: return .bool(try holds(function, current))
        }
    }

    private mutating func holds(_ function: FilterFunction, _ current: JSONNode) throws(JSONPathGaveUp) -> Bool {
        guard function.name.isLogical, let text = try value(function.arguments[0], current)?.string else {
            return false
        }
        if let pattern = function.pattern { return try matches(text, pattern) }
        // A literal that is not a pattern matches nothing.
        if case .literal = function.arguments[1] { return false }
        guard let written = try value(function.arguments[1], current)?.string else { return false }
        let key = FoundPattern(text: written, isWhole: function.name == .match)
        if let known = foundPatterns[key] {
            guard let known else { return false }
            return try matches(text, known)
        }
        try spend(100 + written.utf8.count)
        let pattern = CompiledPattern.iRegexp(written, scope: key.isWhole ? .whole : .part)
        if foundPatterns.count < 64 { foundPatterns[key] = .some(pattern) }
        guard let pattern else { return false }
        return try matches(text, pattern)
    }

    private mutating func matches(_ text: String, _ pattern: CompiledPattern) throws(JSONPathGaveUp) -> Bool {
        guard let result = pattern.matches(text, allowance: &allowance) else { throw JSONPathGaveUp() }
        return result
    }

    // MARK: Comparisons

    private mutating func compare(
        _ leftOperand: FilterOperand, _ comparator: FilterExpression.Comparator, _ rightOperand: FilterOperand,
        _ current: JSONNode, isJayway: Bool
    ) throws(JSONPathGaveUp) -> Bool {
        // The parser lets a pattern stand with `=~`, and nothing else: `matches` below is never met.
        if case .pattern(let pattern) = rightOperand { return try matches(try value(leftOperand, current), pattern) }
        if case .pattern(let pattern) = leftOperand { return try matches(try value(rightOperand, current), pattern) }
        let left = try value(leftOperand, current)
        let right = try value(rightOperand, current)
        switch comparator {
        case .equal: return try equal(left, right, isJayway: isJayway)
        case .notEqual: return try !equal(left, right, isJayway: isJayway)
        case .less: return try order(left, right, isJayway: isJayway) == .less
        case .greater: return try order(left, right, isJayway: isJayway) == .greater
        case .lessOrEqual:
            let order = try order(left, right, isJayway: isJayway)
            return order == .less || order == .equal
        case .greaterOrEqual:
            let order = try order(left, right, isJayway: isJayway)
            return order == .greater || order == .equal
        case .sameTypeEqual:
            if left == nil { return false }
            return try equal(left, right, isJayway: false)
        case .sameTypeNotEqual:
            if left == nil { return true }
            return try !equal(left, right, isJayway: false)
        case .matches: return false
        case .isIn, .isNotIn:
            let list = right?.array ?? []
            return try contains(list, left) == (comparator == .isIn)
        case .isSubset, .hasAll, .hasAny, .hasNone:
            guard let left = left?.array, let right = right?.array else { return false }
            switch comparator {
            case .isSubset: return try count(of: left, in: right) == left.count
            case .hasAll: return try count(of: right, in: left) == right.count
            case .hasAny: return try count(of: left, in: right) > 0
            default: return try count(of: left, in: right) == 0
            }
        case .contains:
            switch left?.value {
            case .array(let elements): return try contains(elements, right)
            case .string(let text):
                guard let part = right?.string else { return false }
                try spend((text.utf8.count + part.utf8.count) / 16)
                return text.containsBytes(of: part)
            default: return false
            }
        case .hasSize:
            // Objects have no size in Jayway's filters.
            guard let size = right?.number?.integer, left?.object == nil, let length = try length(left) else {
                return false
            }
            return size == length
        case .isEmpty:
            guard let expected = right?.bool, let length = try length(left) else { return false }
            return (length == 0) == expected
        }
    }

    private mutating func length(_ node: JSONNode?) throws(JSONPathGaveUp) -> Int? {
        switch node?.value {
        case .string(let text):
            try spend(text.utf8.count / 64)
            return text.utf16.count
        case .array(let elements): return elements.count
        case .object(let object):
            try spend(object.members.count)
            return object.distinctMembers.count
        default: return nil
        }
    }

    private mutating func matches(_ node: JSONNode?, _ pattern: CompiledPattern) throws(JSONPathGaveUp) -> Bool {
        switch node?.value {
        case .string(let text): return try matches(text, pattern)
        case .number(let number): return try matches(number.literal, pattern)
        case .bool(let value): return try matches(value ? "true" : "false", pattern)
        case .array(let elements):
            for element in elements {
                if element.array != nil || element.object != nil || element.isNull { continue }
                if try matches(element, pattern) { return true }
            }
            return false
        // A missing value, null and an object are an empty text, as in Jayway.
        default: return try matches("", pattern)
        }
    }

    private mutating func contains(_ list: [JSONNode], _ node: JSONNode?) throws(JSONPathGaveUp) -> Bool {
        guard let node else { return false }
        for element in list where try equal(element, node, isJayway: true) { return true }
        return false
    }

    private mutating func count(of some: [JSONNode], in list: [JSONNode]) throws(JSONPathGaveUp) -> Int {
        var count = 0
        for node in some where try contains(list, node) { count += 1 }
        return count
    }

    /// Whether two values are equal: numbers by value, nothing equals nothing; by Jayway's rules `1` equals `"1"`, and nothing equals none.
    private mutating func equal(
        _ left: JSONNode?, _ right: JSONNode?, isJayway: Bool
    ) throws(JSONPathGaveUp) -> Bool {
        guard let left, let right else { return !isJayway && left == nil && right == nil }
        try spend(1)
        switch (left.value, right.value) {
        case (.string(let left), .string(let right)):
            try spend(min(left.utf8.count, right.utf8.count) / 64)
            return left.utf8.elementsEqual(right.utf8)
        case (.number(let left), .number(let right)):
            try spend((left.literal.utf8.count + right.literal.utf8.count) / 16)
            return left == right
        case (.number(let number), .string(let text)) where isJayway,
            (.string(let text), .number(let number)) where isJayway:
            try spend((number.literal.utf8.count + text.utf8.count) / 16)
            if number.literal.utf8.elementsEqual(text.utf8) { return true }
            guard let read = try? JSONParser.parse(text), let other = read.number else { return false }
            return number == other
        case (.array, .array), (.object, .object):
            try spendSize(of: left)
            try spendSize(of: right)
            return left == right
        default: return left == right
        }
    }

    private mutating func spendSize(of node: JSONNode) throws(JSONPathGaveUp) {
        switch node.value {
        case .array(let elements):
            try spend(elements.count)
            for element in elements { try spendSize(of: element) }
        case .object(let object):
            try spend(object.members.count)
            for member in object.members { try spendSize(of: member.value) }
        case .string(let text): try spend(text.utf8.count / 64)
        case .number(let number): try spend(number.literal.utf8.count / 16)
        default: break
        }
    }

    private enum Order {
        case less, equal, greater
    }

    /// How two values stand to each other; nil for those that are neither both numbers nor both strings, and differ.
    private mutating func order(
        _ left: JSONNode?, _ right: JSONNode?, isJayway: Bool
    ) throws(JSONPathGaveUp) -> Order? {
        switch (left?.value, right?.value) {
        case (.number(let left), .number(let right)):
            try spend((left.literal.utf8.count + right.literal.utf8.count) / 16)
            if let left = Int(left.literal), let right = Int(right.literal) {
                return left < right ? .less : left == right ? .equal : .greater
            }
            if left == right { return .equal }
            let (first, second) = (left.double, right.double)
            return first < second ? .less : first > second ? .greater : nil
        case (.string(let left), .string(let right)):
            try spend(min(left.utf8.count, right.utf8.count) / 64)
            if left.utf8.elementsEqual(right.utf8) { return .equal }
            return left.utf8.lexicographicallyPrecedes(right.utf8) ? .less : .greater
        default:
            if isJayway { return nil }
            return try equal(left, right, isJayway: false) ? .equal : nil
        }
    }
}

extension String {
    /// Whether the bytes of another text stand in this one, found in linear time (Knuth, Morris and Pratt).
    fileprivate func containsBytes(of other: String) -> Bool {
        let part = Array(other.utf8)
        if part.isEmpty { return true }
        var border = [Int](repeating: 0, count: part.count)
        var length = 0
        for index in part.indices.dropFirst() {
            while length > 0, part[index] != part[length] { length = border[length - 1] }
            if part[index] == part[length] { length += 1 }
            border[index] = length
        }
        length = 0
        for byte in utf8 {
            while length > 0, byte != part[length] { length = border[length - 1] }
            if byte == part[length] { length += 1 }
            if length == part.count { return true }
        }
        return false
    }
}
