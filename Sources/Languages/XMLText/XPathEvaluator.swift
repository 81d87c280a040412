// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering

/// A value of XPath 1.0 (§1).
enum XPathValue {
    /// Nodes in document order, each once.
    case nodes([Int32])
    case string(String)
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

    let document: XMLDocument
    private(set) var allowance: Allowance
    /// Nodes that were looked at in rows.
    private var passed = 0
    /// Text that was looked through and is not paid for yet, in 64ths of a step.
    private var unpaidText = 0

    init(document: XMLDocument, allowance: Allowance) {
        self.document = document
        self.allowance = allowance
    }

    mutating func evaluate(_ expression: XPathExpression) throws(XPathError) -> XPathValue {
        try evaluate(expression, Context(node: 0))
    }

    /// Pays for work.
    mutating func pay(_ count: Int = 1) throws(XPathError) {
        guard allowance.pay(steps: count) else {
            throw XPathError(offset: 0, message: "the evaluation takes more than \(allowance.most) steps")
        }
    }

    /// Pays for a node of many that are looked at in a row, each half a step: once 64 have come.
    private mutating func pass() throws(XPathError) {
        passed += 1
        if passed & 63 == 0 { try pay(32) }
    }

    mutating func evaluate(_ expression: XPathExpression, _ context: Context) throws(XPathError) -> XPathValue {
        try pay()
        switch expression {
        case .literal(let text): return .string(text)
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
        let nodes = document.nodes
        func test(_ candidate: Int) {
            if matches(candidate, step) { found.append(Int32(candidate)) }
        }
        switch step.axis {
        case .itself: test(node)
        case .parent:
            if nodes[node].parent >= 0 { test(Int(nodes[node].parent)) }
        case .child:
            for child in document.children(of: node) {
                try pay()
                test(child)
            }
        case .attribute:
            for attribute in document.attributes(of: node) {
                try pay()
                test(attribute)
            }
        case .ancestor, .ancestorOrSelf:
            var current = step.axis == .ancestor ? Int(nodes[node].parent) : node
            while current >= 0 {
                try pay()
                test(current)
                current = Int(nodes[current].parent)
            }
        case .descendant, .descendantOrSelf:
            if step.axis == .descendantOrSelf { test(node) }
            let end = Int(nodes[node].end)
            try pay()
            for inner in node + 1..<max(end, node + 1) {
                try pass()
                if !isAttribute(inner) { test(inner) }
            }
        case .followingSibling, .precedingSibling:
            guard nodes[node].parent >= 0, !isAttribute(node) else { return [] }
            let isFollowing = step.axis == .followingSibling
            for sibling in document.children(of: Int(nodes[node].parent)) {
                try pay()
                if isFollowing ? sibling > node : sibling < node { test(sibling) }
            }
            if !isFollowing { found.reverse() }
        case .following:
            // Behind an attribute come its element's children.
            let first = isAttribute(node) ? node + 1 : Int(nodes[node].end)
            try pay()
            for other in first..<max(nodes.count, first) {
                try pass()
                if !isAttribute(other) { test(other) }
            }
        case .preceding:
            try pay()
            let owner = isAttribute(node) ? Int(nodes[node].parent) : node
            for other in stride(from: owner - 1, to: 0, by: -1) {
                try pass()
                if !isAttribute(other), Int(nodes[other].end) <= owner { test(other) }
            }
        }
        return found
    }

    private func isAttribute(_ node: Int) -> Bool {
        document.nodes[node].kind == .attribute || document.nodes[node].kind == .namespace
    }

    private func matches(_ node: Int, _ step: XPathStep) -> Bool {
        let kind = document.nodes[node].kind
        // A continuation of another text is part of that text, and declarations are not attributes.
        if document.nodes[node].isContinuation || kind == .namespace { return false }
        let principal = step.axis == .attribute ? XMLDocument.Kind.attribute : .element
        switch step.test {
        case .node: return true
        case .text: return kind == .text || kind == .cdata
        case .comment: return kind == .comment
        case .instruction(let target):
            return kind == .instruction && (target == nil || document.name(of: node).local == target)
        case .any(let namespace):
            return kind == principal && (namespace == .all || isOf(namespace, document.name(of: node)))
        case .name(let name, let namespace):
            guard kind == principal else { return false }
            let found = document.name(of: node)
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

    /// The text of a node.
    mutating func string(of node: Int32) throws(XPathError) -> String {
        let start = Int(node)
        guard document.nodes[start].kind == .element || document.nodes[start].kind == .document else {
            let text = document.text(of: start)
            try payText(text, 64)
            return text
        }
        try pay()
        var text = ""
        for inner in start..<Int(document.nodes[start].end) {
            try pass()
            guard document.nodes[inner].kind == .text || document.nodes[inner].kind == .cdata else { continue }
            try payText(document.nodes[inner].value, 64)
            text += document.nodes[inner].value
        }
        return text
    }

    /// Pays for a text that is looked through.
    ///
    /// - Parameter bytes: how many of it are looked at in a step: a divisor of 64.
    mutating func payText(_ text: String, _ bytes: Int = 16) throws(XPathError) {
        unpaidText += text.utf8.count * (64 / bytes)
        let steps = unpaidText / 64
        unpaidText %= 64
        if steps > 0 { try pay(steps) }
    }

    func nodes(_ value: XPathValue) throws(XPathError) -> [Int32] {
        if case .nodes(let nodes) = value { return nodes }
        throw XPathError(offset: 0, message: "a set of nodes is needed, but the expression has another value")
    }

    mutating func string(_ value: XPathValue) throws(XPathError) -> String {
        switch value {
        case .nodes(let nodes): return try nodes.first.map { node throws(XPathError) in try string(of: node) } ?? ""
        case .string(let text): return text
        case .number(let number): return XPathNumber.text(number)
        case .boolean(let value): return value ? "true" : "false"
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
    mutating func number(_ text: String) throws(XPathError) -> Double {
        try payText(text)
        return XPathNumber.value(text)
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
