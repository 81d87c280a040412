// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// A path without its text: where it starts, its segments, and Jayway's functions behind them.
struct PathQuery: Sendable {
    /// Whether it starts at `@`, the value that a filter looks at, and not at `$`.
    var isRelative: Bool
    var segments: [Segment] = []
    var functions: [PathFunction] = []
    /// The steps of a path that consists of single names and indices alone.
    private(set) var plainSteps: [JSONPathStep]?

    struct Segment: Sendable {
        var isDescendant: Bool
        var selectors: [Selector]
    }

    enum Selector: Sendable {
        case name(String)
        case wildcard
        case index(Int)
        case slice(start: Int?, end: Int?, step: Int)
        case filter(Filter)
    }

    /// A filter's expression and whose rules hold in it.
    struct Filter: Sendable {
        var expression: FilterExpression
        /// Whether it stands in parentheses whole: then it tests an object itself and not the object's members, and `1` equals `"1"`.
        var isJayway: Bool
    }

    /// A singular query (RFC 9535 §2.3.5.1): at most one value, whatever the document.
    var isSingular: Bool { plainSteps != nil }

    /// Keeps the steps of a path that has no more to it.
    mutating func settle() {
        plainSteps = nil
        let steps = start.steps
        if functions.isEmpty, steps.count == segments.count { plainSteps = steps }
    }

    /// The single names and indices that the path begins with, and whether the segment behind them can be asked of a value without members.
    var start: (steps: [JSONPathStep], takesScalars: Bool) {
        var steps: [JSONPathStep] = []
        for segment in segments {
            if segment.isDescendant { return (steps, true) }
            switch segment.selectors.first {
            case .name(let name) where segment.isSingle: steps.append(.name(name))
            case .index(let index) where segment.isSingle: steps.append(.index(index))
            case .wildcard: return (steps, true)
            default: return (steps, false)
            }
        }
        return (steps, true)
    }

    /// The names of a last segment such as `['a','b']`, which Jayway makes an object of.
    var mergedNames: [String]? {
        guard functions.isEmpty, let last = segments.last, !last.isDescendant, last.selectors.count > 1 else {
            return nil
        }
        var names: [String] = []
        for selector in last.selectors {
            guard case .name(let name) = selector else { return nil }
            names.append(name)
        }
        return names
    }

    /// The query without its last segment.
    var parent: PathQuery {
        var parent = self
        parent.segments.removeLast()
        parent.settle()
        return parent
    }

    func isDefinite(_ dialect: JSONPath.Dialect) -> Bool {
        if isSingular { return true }
        if dialect == .rfc9535 { return false }
        if !functions.isEmpty {
            var base = self
            base.functions = []
            base.settle()
            return base.isSingular || segments.first?.isDescendant == true
        }
        return mergedNames != nil && parent.isSingular
    }
}

/// One of Jayway's functions at the end of a path, such as `.length()`.
struct PathFunction: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case length, size, min, max, avg, sum, stddev, keys, concat, append, first, last, index
    }

    var kind: Kind
    var arguments: [FilterOperand]
}

/// The condition that a filter sets for a value.
indirect enum FilterExpression: Sendable {
    case or([FilterExpression])
    case and([FilterExpression])
    case not(FilterExpression)
    case comparison(FilterOperand, Comparator, FilterOperand)
    case exists(PathQuery)
    case call(FilterFunction)

    /// A comparison's operator; those behind `greaterOrEqual` are Jayway's.
    enum Comparator: Sendable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        case sameTypeEqual, sameTypeNotEqual, matches
        case isIn, isNotIn, isSubset, hasAny, hasNone, hasAll, contains, hasSize, isEmpty

        static let words: [String: Comparator] = [
            "in": .isIn, "nin": .isNotIn, "subsetof": .isSubset, "anyof": .hasAny, "noneof": .hasNone, "all": .hasAll,
            "contains": .contains, "size": .hasSize, "empty": .isEmpty,
        ]

        /// Whether it is one of RFC 9535.
        var isStandard: Bool {
            switch self {
            case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: true
            default: false
            }
        }
    }
}

/// One side of a comparison, or an argument of a function.
indirect enum FilterOperand: Sendable {
    case literal(JSONNode)
    case query(PathQuery)
    case call(FilterFunction)
    case pattern(CompiledPattern)

    /// Whether it is a list or an object, written out.
    var isStructure: Bool {
        if case .literal(let node) = self { node.array != nil || node.object != nil } else { false }
    }
}

/// A function of RFC 9535 §2.4 with its arguments.
struct FilterFunction: Sendable {
    enum Name: String, Sendable {
        case length, count, match, search, value

        var takesNodes: Bool { self == .count || self == .value }
        var isLogical: Bool { self == .match || self == .search }
        var argumentCount: Int { isLogical ? 2 : 1 }
    }

    var name: Name
    var arguments: [FilterOperand]
    /// The second argument's pattern, if it is written as a literal.
    var pattern: CompiledPattern?
}
