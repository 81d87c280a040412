// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiMetering

/// A compiled XPath 1.0 expression; any thread may evaluate it.
///
/// With namespaces a name means the same as in XPath 1.0 §2.3. Without, as in WireMock, a name without a prefix means every
/// element or attribute whose local name it is, and one with a prefix those that are written with that prefix.
package struct XPath: Sendable {
    package let text: String
    let expression: XPathExpression

    /// Compiles an expression.
    ///
    /// - Parameter namespaces: prefixes of the expression, and the namespaces that they mean.
    /// - Throws: `XPathError` with the place of the mistake.
    package init(parsing text: String, namespaces: [String: String] = [:]) throws(XPathError) {
        guard text.utf8.count <= XMLLimits.expressionBytes else {
            throw XPathError(offset: 0, message: "the expression has more than \(XMLLimits.expressionBytes) bytes")
        }
        var parser = XPathParser(tokens: try XPathLexer.tokens(of: text), namespaces: namespaces)
        self.text = text
        expression = try parser.parse()
    }

    /// Evaluates the expression with the document as its context.
    ///
    /// - Throws: `XPathError` if the evaluation takes more steps than `XMLLimits` allows.
    package func evaluate(_ document: XMLDocument, meter: Meter? = nil) throws(XPathError) -> XPathResult {
        let steps = XMLLimits.steps + document.nodes.count * XMLLimits.stepsPerNode
        var allowance = Allowance(steps: steps, of: meter)
        return try evaluate(document, allowance: &allowance)
    }

    /// The same within an allowance of the caller's.
    package func evaluate(
        _ document: XMLDocument, allowance: inout Allowance
    ) throws(XPathError) -> XPathResult {
        var evaluator = XPathEvaluator(document: document, allowance: allowance)
        defer { allowance = evaluator.allowance }
        switch try evaluator.evaluate(expression) {
        case .nodes(let nodes): return .nodes(nodes.map(Int.init))
        case .string(let text): return .string(try evaluator.read(text))
        case .number(let number): return .number(number)
        case .boolean(let value): return .boolean(value)
        }
    }

    /// The texts that matchers compare: each node found as XML, or the one value of another kind; empty if nothing
    /// is found.
    ///
    /// An element is printed as XML, a text or an attribute stands for its value.
    package func texts(_ document: XMLDocument, meter: Meter? = nil) throws(XPathError) -> [String] {
        switch try evaluate(document, meter: meter) {
        case .nodes(let nodes):
            var size = 0
            var texts: [String] = []
            for node in nodes {
                // Elements within one another are printed once for each.
                guard let text = document.printed(node, meter: meter), meter?.make(text.utf8.count) ?? true else {
                    throw XPathError(offset: 0, message: "the result takes more than the request may")
                }
                size += text.utf8.count
                guard size <= XMLLimits.textBytes else {
                    throw XPathError(offset: 0, message: "the result has more than \(XMLLimits.textBytes) bytes")
                }
                texts.append(text)
            }
            return texts
        case .string(let text): return [text]
        case .number(let number): return [XPathNumber.text(number)]
        case .boolean(let value): return [value ? "true" : "false"]
        }
    }
}

/// The result of an XPath expression.
package enum XPathResult: Equatable, Sendable {
    /// Numbers of the document's nodes, in document order.
    case nodes([Int])
    case string(String)
    case number(Double)
    case boolean(Bool)

    /// Whether something was found: a node, a text that is not empty, a number that is not 0, or true.
    package var isPresent: Bool {
        switch self {
        case .nodes(let nodes): !nodes.isEmpty
        case .string(let text): !text.isEmpty
        case .number(let number): number != 0 && !number.isNaN
        case .boolean(let value): value
        }
    }
}

/// Why an expression cannot be compiled, and at which byte; or why its evaluation was given up.
package struct XPathError: Error, Equatable, Sendable {
    package var offset: Int
    package var message: String

    package init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }
}

extension XPathError: CustomStringConvertible {
    package var description: String { "\(message), at byte \(offset)" }
}

/// An expression as it is evaluated.
indirect enum XPathExpression: Sendable {
    case or(XPathExpression, XPathExpression)
    case and(XPathExpression, XPathExpression)
    case compare(XPathComparison, XPathExpression, XPathExpression)
    case arithmetic(XPathOperator, XPathExpression, XPathExpression)
    case negative(XPathExpression)
    case union(XPathExpression, XPathExpression)
    case literal(String)
    case number(Double)
    case call(XPathFunction, [XPathExpression])
    /// An expression, predicates of its nodes, and steps from there.
    case filter(XPathExpression, [XPathExpression], [XPathStep])
    case path(isAbsolute: Bool, [XPathStep])
}

enum XPathComparison: Sendable {
    case equal, unequal, less, lessOrEqual, greater, greaterOrEqual

    /// Whether numbers are compared, whatever the values are.
    var isOfOrder: Bool { self != .equal && self != .unequal }

    /// The same with its sides exchanged.
    var mirrored: XPathComparison {
        switch self {
        case .equal, .unequal: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

enum XPathOperator: Sendable { case add, subtract, multiply, divide, modulo }

/// One step of a location path.
struct XPathStep: Sendable {
    var axis: XPathAxis
    var test: XPathNodeTest
    var predicates: [XPathExpression] = []
}

enum XPathAxis: String, Sendable {
    case ancestor, attribute, child, descendant, following, parent, preceding
    case ancestorOrSelf = "ancestor-or-self"
    case descendantOrSelf = "descendant-or-self"
    case followingSibling = "following-sibling"
    case precedingSibling = "preceding-sibling"
    case itself = "self"

    /// Whether positions are counted from the end of the document.
    var isReverse: Bool {
        switch self {
        case .ancestor, .ancestorOrSelf, .preceding, .precedingSibling: true
        default: false
        }
    }
}

enum XPathNodeTest: Sendable {
    case node, text, comment
    /// `processing-instruction()`, perhaps with a target.
    case instruction(String?)
    /// `*`, of one namespace or of all.
    case any(XPathNamespace)
    case name(String, XPathNamespace)
}

/// Which namespaces a name may be of.
enum XPathNamespace: Sendable, Equatable {
    case all
    case none
    case uri(String)
    /// Those that are written with a prefix.
    case prefix(String)
}

package enum XPathFunction: String, CaseIterable, Sendable {
    case last, position, count, id, name, string, concat, contains, substring, translate, boolean, not, lang, number,
        sum
    case floor, ceiling, round
    case `true`, `false`
    case localName = "local-name"
    case namespaceURI = "namespace-uri"
    case startsWith = "starts-with"
    case substringBefore = "substring-before"
    case substringAfter = "substring-after"
    case stringLength = "string-length"
    case normalizeSpace = "normalize-space"

    /// How many arguments it takes.
    package var arity: ClosedRange<Int> {
        switch self {
        case .last, .position, .true, .false: 0...0
        case .localName, .namespaceURI, .name, .string, .stringLength, .normalizeSpace, .number: 0...1
        case .count, .id, .boolean, .not, .lang, .sum, .floor, .ceiling, .round: 1...1
        case .startsWith, .contains, .substringBefore, .substringAfter: 2...2
        case .substring: 2...3
        case .translate: 3...3
        case .concat: 2...Int.max
        }
    }

    /// Bytes of the texts that it is given which it looks at in a step.
    var bytesPerStep: Int {
        switch self {
        case .id, .lang, .normalizeSpace, .translate: 8
        case .number, .sum, .floor, .ceiling, .round, .substring: 16
        case .concat, .contains, .startsWith, .substringBefore, .substringAfter, .stringLength, .string: 64
        case .last, .position, .count, .name, .localName, .namespaceURI, .boolean, .not, .true, .false: 64
        }
    }
}
