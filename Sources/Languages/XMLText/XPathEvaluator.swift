// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering

/// A value of XPath 1.0 (§1).
enum XPathValue {
    /// Nodes in document order, each once.
    case nodes([Int32])
    case string(XPathText)
    case number(Double)
    case boolean(Bool)
}

/// One evaluation of an expression within a budget.
struct XPathEvaluator {
    /// The context in which an expression is evaluated.
    struct Context {
        var node: Int32
        var position = 1
        var size = 1
    }

    let tree: XPathTree
    private(set) var allowance: Allowance
    /// Nodes that were looked at in rows.
    private var passed = 0

    init(document: XMLDocument, allowance: Allowance) {
        tree = XPathTree(document)
        self.allowance = allowance
    }

    mutating func evaluate(_ expression: XPathExpression) throws(XPathError) -> XPathValue {
        try evaluate(expression, Context(node: 0))
    }

    /// Pays for work.
    mutating func pay(_ count: Int = 1) throws(XPathError) {
        guard allowance.pay(steps: count) else { throw exhausted }
    }

    private var exhausted: XPathError {
        XPathError(offset: 0, message: "the evaluation takes more than \(allowance.most) steps")
    }

    /// Pays for a node of many that are looked at in a row, each half a step: once 64 have come.
    mutating func pass() throws(XPathError) {
        passed += 1
        if passed & 63 == 0 { try pay(32) }
    }

    mutating func evaluate(_ expression: XPathExpression, _ context: Context) throws(XPathError) -> XPathValue {
        try pay()
        switch expression {
        case .literal(let text): return .string(XPathText(text))
        case .number(let number): return .number(number)
        case .or(let left, let right):
            if boolean(try evaluate(left, context)) { return .boolean(true) }
            return .boolean(boolean(try evaluate(right, context)))
        case .and(let left, let right):
            if !boolean(try evaluate(left, context)) { return .boolean(false) }
            return .boolean(boolean(try evaluate(right, context)))
        case .compare(let comparison, let left, let right):
            return .boolean(try compare(comparison, try evaluate(left, context), try evaluate(right, context)))
        case .arithmetic(let operation, let left, let right):
            let left = try number(try evaluate(left, context))
            let right = try number(try evaluate(right, context))
            switch operation {
            case .add: return .number(left + right)
            case .subtract: return .number(left - right)
            case .multiply: return .number(left * right)
            case .divide: return .number(left / right)
            case .modulo: return .number(left.truncatingRemainder(dividingBy: right))
            }
        case .negative(let inner): return .number(-(try number(try evaluate(inner, context))))
        case .union(let left, let right):
            let left = try nodes(try evaluate(left, context))
            let right = try nodes(try evaluate(right, context))
            return .nodes(try ordered(left + right))
        case .call(let function, let arguments): return try call(function, arguments, context)
        case .filter(let primary, let predicates, let steps):
            let value = try evaluate(primary, context)
            if predicates.isEmpty, steps.isEmpty { return value }
            var found = try nodes(value)
            for predicate in predicates { found = try filtered(found, predicate) }
            for step in steps { found = try take(step, from: found) }
            return .nodes(found)
        case .path(let isAbsolute, let steps):
            var found: [Int32] = [isAbsolute ? 0 : context.node]
            for step in steps where !found.isEmpty { found = try take(step, from: found) }
            return .nodes(found)
        }
    }

    // MARK: - Steps

    private mutating func take(_ step: XPathStep, from nodes: [Int32]) throws(XPathError) -> [Int32] {
        var all: [Int32] = []
        for node in nodes {
            var found = try reached(by: step, from: node)
            for predicate in step.predicates { found = try filtered(found, predicate) }
            all += found
        }
        return nodes.count == 1 && !step.axis.isReverse ? all : try ordered(all)
    }

    /// The nodes that a predicate holds for, whose positions are those in the list.
    private mutating func filtered(
        _ nodes: [Int32], _ predicate: XPathExpression
    ) throws(XPathError) -> [Int32] {
        if case .number(let number) = predicate {
            guard number >= 1, number <= Double(nodes.count), number == number.rounded() else { return [] }
            return [nodes[Int(number) - 1]]
        }
        var kept: [Int32] = []
        for (index, node) in nodes.enumerated() {
            let context = Context(node: node, position: index + 1, size: nodes.count)
            let value = try evaluate(predicate, context)
            let holds = if case .number(let number) = value { number == Double(index + 1) } else { boolean(value) }
            if holds { kept.append(node) }
        }
        return kept
    }

    /// Document order, each node once.
    private mutating func ordered(_ nodes: [Int32]) throws(XPathError) -> [Int32] {
        var isOrdered = true
        for index in nodes.indices.dropFirst() where nodes[index - 1] >= nodes[index] { isOrdered = false }
        try pay(nodes.count / 4)
        if isOrdered { return nodes }
        try pay(nodes.count)
        var result: [Int32] = []
        for node in nodes.sorted() where result.last != node { result.append(node) }
        return result
    }

    /// The nodes of a step, those of reverse axes from the last on.
    private mutating func reached(by step: XPathStep, from start: Int32) throws(XPathError) -> [Int32] {
        var found: [Int32] = []
        let node = Int(start)
        func test(_ candidate: Int) {
            if matches(candidate, step) { found.append(Int32(candidate)) }
        }
        switch step.axis {
        case .itself: test(node)
        case .parent:
            if tree.parent(of: node) >= 0 { test(tree.parent(of: node)) }
        case .child:
            for child in tree.children(of: node) {
                try pay()
                test(child)
            }
        case .attribute:
            for attribute in tree.attributes(of: node) {
                try pay()
                test(attribute)
            }
        case .ancestor, .ancestorOrSelf:
            var current = step.axis == .ancestor ? tree.parent(of: node) : node
            while current >= 0 {
                try pay()
                test(current)
                current = tree.parent(of: current)
            }
        case .descendant, .descendantOrSelf:
            if step.axis == .descendantOrSelf { test(node) }
            let end = tree.end(of: node)
            try pay()
            for inner in node + 1..<max(end, node + 1) {
                try pass()
                if !tree.isAttribute(inner) { test(inner) }
            }
        case .followingSibling, .precedingSibling:
            guard tree.parent(of: node) >= 0, !tree.isAttribute(node) else { return [] }
            let isFollowing = step.axis == .followingSibling
            for sibling in tree.children(of: tree.parent(of: node)) {
                try pay()
                if isFollowing ? sibling > node : sibling < node { test(sibling) }
            }
            if !isFollowing { found.reverse() }
        case .following:
            // Behind an attribute come its element's children.
            let first = tree.isAttribute(node) ? node + 1 : tree.end(of: node)
            try pay()
            for other in first..<max(tree.count, first) {
                try pass()
                if !tree.isAttribute(other) { test(other) }
            }
        case .preceding:
            try pay()
            let owner = tree.isAttribute(node) ? tree.parent(of: node) : node
            for other in stride(from: owner - 1, to: 0, by: -1) {
                try pass()
                if !tree.isAttribute(other), tree.end(of: other) <= owner { test(other) }
            }
        }
        return found
    }

    private func matches(_ node: Int, _ step: XPathStep) -> Bool {
        let kind = tree.kind(of: node)
        // A continuation of another text is part of that text, and declarations are not attributes.
        if tree.isContinuation(node) || kind == .namespace { return false }
        let principal = step.axis == .attribute ? XMLDocument.Kind.attribute : .element
        switch step.test {
        case .node: return true
        case .text: return kind == .text || kind == .cdata
        case .comment: return kind == .comment
        case .instruction(let target):
            return kind == .instruction && (target == nil || tree.name(of: node).local == target)
        case .any(let namespace):
            return kind == principal && (namespace == .all || isOf(namespace, tree.name(of: node)))
        case .name(let name, let namespace):
            guard kind == principal else { return false }
            let found = tree.name(of: node)
            return found.local == name && isOf(namespace, found)
        }
    }

    private func isOf(_ namespace: XPathNamespace, _ name: XMLName) -> Bool {
        switch namespace {
        case .all: true
        case .none: name.namespace == nil
        case .uri(let uri): name.namespace == uri
        case .prefix(let prefix): name.prefix == prefix
        }
    }

    // MARK: - Values

    /// The text of a node: of an element all that is within it, put together.
    mutating func string(of node: Int32) throws(XPathError) -> XPathText {
        let start = Int(node)
        let isWhole = tree.isText(start)
        guard isWhole || tree.kind(of: start) == .element || tree.kind(of: start) == .document else {
            return tree.value(of: start)
        }
        try pay()
        var text = ""
        for inner in start..<(isWhole ? tree.count : tree.end(of: start)) {
            // A text goes on behind a CDATA section.
            if isWhole, inner > start, !tree.isContinuation(inner) { break }
            try pass()
            if tree.isText(inner) { text += try read(tree.value(of: inner)) }
        }
        return XPathText(text)
    }

    /// The letters of a text, paid for.
    ///
    /// - Parameter bytes: how many of them are looked at in a step.
    mutating func read(_ text: XPathText, by bytes: Int = 64) throws(XPathError) -> String {
        guard let letters = text.letters(by: bytes, &allowance) else { throw exhausted }
        return letters
    }

    mutating func equals(_ left: XPathText, _ right: XPathText) throws(XPathError) -> Bool {
        guard let isEqual = left.equals(right, &allowance) else { throw exhausted }
        return isEqual
    }

    func nodes(_ value: XPathValue) throws(XPathError) -> [Int32] {
        if case .nodes(let nodes) = value { return nodes }
        throw XPathError(offset: 0, message: "a set of nodes is needed, but the expression has another value")
    }

    mutating func string(_ value: XPathValue) throws(XPathError) -> XPathText {
        switch value {
        case .nodes(let nodes):
            guard let first = nodes.first else { return XPathText("") }
            return try string(of: first)
        case .string(let text): return text
        case .number(let number): return XPathText(XPathNumber.text(number))
        case .boolean(let value): return XPathText(value ? "true" : "false")
        }
    }

    mutating func number(_ value: XPathValue) throws(XPathError) -> Double {
        switch value {
        case .number(let number): number
        case .boolean(let value): value ? 1 : 0
        default: try number(try string(value))
        }
    }

    /// The number that a text stands for.
    mutating func number(_ text: XPathText) throws(XPathError) -> Double {
        XPathNumber.value(try read(text, by: 16))
    }

    func boolean(_ value: XPathValue) -> Bool {
        switch value {
        case .nodes(let nodes): !nodes.isEmpty
        case .string(let text): !text.isEmpty
        case .number(let number): number != 0 && !number.isNaN
        case .boolean(let value): value
        }
    }
}
