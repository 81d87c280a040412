// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// Jayway's functions at the end of a path.
extension PathEvaluator {
    /// The values that a function makes of those in front of it; none if it does not apply to them.
    ///
    /// - Parameters:
    ///   - isDefinite: whether the part in front selects one value at most.
    ///   - countsTogether: whether the length of several values is that of all together, as behind `..`.
    mutating func apply(
        _ function: PathFunction, to nodes: [JSONNode], isDefinite: Bool, countsTogether: Bool, current: JSONNode
    ) throws(JSONPathGaveUp) -> [JSONNode] {
        try spend(1 + nodes.count)
        if nodes.isEmpty, !countsTogether { return [] }
        switch function.kind {
        case .length, .size:
            if let argument = function.arguments.first {
                return [.integer(try count(try arguments([argument], current)))]
            }
            if countsTogether { return [.integer(try count(nodes))] }
            var lengths: [JSONNode] = []
            for node in nodes {
                if let length = try children(node) { lengths.append(.integer(length)) }
            }
            return lengths
        case .keys:
            var lists: [JSONNode] = []
            for case .object(let object) in nodes.map(\.value) {
                try spend(object.members.count)
                lists.append(.array(object.distinctMembers.map { .string($0.name) }))
            }
            return lists
        case .first: return nodes.compactMap { $0.array?.first }
        case .last: return nodes.compactMap { $0.array?.last }
        case .index:
            guard case .literal(let node)? = function.arguments.first, let index = node.number?.integer else {
                return []
            }
            return nodes.compactMap { node in
                guard let elements = node.array else { return nil }
                let position = index < 0 ? elements.count &+ index : index
                return elements.indices.contains(position) ? elements[position] : nil
            }
        case .min, .max, .avg, .sum, .stddev, .concat:
            // If there are several lists, each is taken by itself, as Jayway does; other values are taken all together.
            let lists = nodes.filter { $0.array != nil }
            let arguments = try arguments(function.arguments, current)
            if isDefinite || countsTogether || lists.isEmpty {
                let all = isDefinite ? lists : nodes
                return try aggregate(function.kind, all.flatMap { $0.array ?? [$0] }, arguments).map { [$0] } ?? []
            }
            var results: [JSONNode] = []
            for list in lists {
                if let result = try aggregate(function.kind, list.array ?? [], arguments) { results.append(result) }
            }
            return results
        case .append:
            var lists: [JSONNode] = []
            for node in nodes {
                guard let elements = node.array else {
                    lists.append(node)
                    continue
                }
                try spend(elements.count)
                lists.append(.array(elements + (try arguments(function.arguments, current))))
            }
            return lists
        }
    }

    /// The values of a function's arguments, those of a path one by one.
    private mutating func arguments(
        _ operands: [FilterOperand], _ current: JSONNode
    ) throws(JSONPathGaveUp) -> [JSONNode] {
        var values: [JSONNode] = []
        for operand in operands {
            switch operand {
            case .literal(let node): values.append(node)
            case .query(let query):
                let start = query.isRelative ? current : root
                values += try items(of: query, from: PathItem(node: start)).map(\.node)
            default: break
            }
        }
        try spend(values.count)
        return values
    }

    /// How many elements or members several values have together.
    private mutating func count(_ nodes: [JSONNode]) throws(JSONPathGaveUp) -> Int {
        var count = 0
        for node in nodes { count += try children(node) ?? 0 }
        return count
    }

    private mutating func children(_ node: JSONNode) throws(JSONPathGaveUp) -> Int? {
        if let elements = node.array { return elements.count }
        guard let object = node.object else { return nil }
        try spend(object.members.count)
        return object.distinctMembers.count
    }

    /// One value of many: a number of numbers, or a text of texts; nil if there are no numbers.
    private mutating func aggregate(
        _ kind: PathFunction.Kind, _ nodes: [JSONNode], _ arguments: [JSONNode]
    ) throws(JSONPathGaveUp) -> JSONNode? {
        try spend(nodes.count + arguments.count)
        if kind == .concat {
            let texts =
                nodes.compactMap(\.string) + arguments.flatMap { $0.array ?? [$0] }.compactMap(JSONPathResult.text)
            try spend(texts.reduce(0) { $0 + $1.utf8.count } / 64)
            return .string(texts.joined())
        }
        let numbers = (nodes + arguments.flatMap { $0.array ?? [$0] }).compactMap { $0.number?.double }
        if numbers.isEmpty { return nil }
        let count = Double(numbers.count)
        let sum = numbers.reduce(0, +)
        let result: Double
        switch kind {
        case .min: result = numbers.min() ?? .nan
        case .max: result = numbers.max() ?? .nan
        case .avg: result = sum / count
        case .stddev:
            let mean = sum / count
            result = (numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot()
        default: result = sum
        }
        return result.isFinite ? JSONNode(.number(JSONNumber(literal: "\(result)"))) : nil
    }
}
