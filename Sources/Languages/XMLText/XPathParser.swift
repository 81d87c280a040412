// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Reads the grammar of XPath 1.0 (§2 and §3).
struct XPathParser {
    private let tokens: [XPathToken]
    private let namespaces: [String: String]
    private var index = 0
    private var depth = 0
    private var operators = 0

    init(tokens: [XPathToken], namespaces: [String: String]) {
        self.tokens = tokens
        self.namespaces = namespaces
    }

    mutating func parse() throws(XPathError) -> XPathExpression {
        let expression = try or()
        if index < tokens.count { throw failure("the end of the expression is expected") }
        return expression
    }

    private var current: XPathToken.Lexeme? { index < tokens.count ? tokens[index].kind : nil }
    private var next: XPathToken.Lexeme? { index + 1 < tokens.count ? tokens[index + 1].kind : nil }

    private func failure(_ message: String) -> XPathError {
        refusal(index < tokens.count ? message : "the expression ends too soon")
    }

    /// An error that no further token would mend.
    private func refusal(_ message: String) -> XPathError {
        XPathError(offset: (index < tokens.count ? tokens[index] : tokens.last)?.offset ?? 0, message: message)
    }

    private mutating func take(_ symbol: String) -> Bool {
        guard current == .symbol(symbol) else { return false }
        index += 1
        return true
    }

    private mutating func takeOperator(_ word: String) -> Bool {
        guard current == .operator(word) else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ symbol: String) throws(XPathError) {
        if !take(symbol) { throw failure("'\(symbol)' is expected") }
    }

    private mutating func or() throws(XPathError) -> XPathExpression {
        depth += 1
        defer { depth -= 1 }
        if depth > XMLLimits.expressionDepth {
            throw refusal("more than \(XMLLimits.expressionDepth) expressions within one another")
        }
        var left = try and()
        while takeOperator("or") {
            left = .or(left, try and())
            try countOperator()
        }
        return left
    }

    /// Keeps chains of operators short: each chain is as deep as it is long.
    private mutating func countOperator() throws(XPathError) {
        operators += 1
        if operators > XMLLimits.expressionOperators {
            throw refusal("more than \(XMLLimits.expressionOperators) operators")
        }
    }

    private mutating func and() throws(XPathError) -> XPathExpression {
        var left = try equality()
        while takeOperator("and") {
            left = .and(left, try equality())
            try countOperator()
        }
        return left
    }

    private mutating func equality() throws(XPathError) -> XPathExpression {
        var left = try relation()
        while true {
            let comparison: XPathComparison
            if take("=") { comparison = .equal } else if take("!=") { comparison = .unequal } else { return left }
            left = .compare(comparison, left, try relation())
            try countOperator()
        }
    }

    private mutating func relation() throws(XPathError) -> XPathExpression {
        var left = try sum()
        let all: [(String, XPathComparison)] = [
            ("<=", .lessOrEqual), (">=", .greaterOrEqual), ("<", .less), (">", .greater),
        ]
        while true {
            guard case .symbol(let symbol)? = current, let found = all.first(where: { $0.0 == symbol }) else {
                return left
            }
            index += 1
            left = .compare(found.1, left, try sum())
            try countOperator()
        }
    }

    private mutating func sum() throws(XPathError) -> XPathExpression {
        var left = try product()
        while true {
            let operation: XPathOperator
            if take("+") { operation = .add } else if take("-") { operation = .subtract } else { return left }
            left = .arithmetic(operation, left, try product())
            try countOperator()
        }
    }

    private mutating func product() throws(XPathError) -> XPathExpression {
        var left = try unary()
        while true {
            let operation: XPathOperator
            if takeOperator("*") {
                operation = .multiply
            } else if takeOperator("div") {
                operation = .divide
            } else if takeOperator("mod") {
                operation = .modulo
            } else {
                return left
            }
            left = .arithmetic(operation, left, try unary())
            try countOperator()
        }
    }

    private mutating func unary() throws(XPathError) -> XPathExpression {
        var signs = 0
        while take("-") { signs += 1 }
        let operand = try union()
        // Two signs still make a number of it.
        if signs == 0 { return operand }
        return signs % 2 == 1 ? .negative(operand) : .negative(.negative(operand))
    }

    private mutating func union() throws(XPathError) -> XPathExpression {
        var left = try path()
        while take("|") {
            left = .union(left, try path())
            try countOperator()
        }
        return left
    }

    // MARK: - Paths

    private mutating func path() throws(XPathError) -> XPathExpression {
        guard let primary = try primary() else { return try locationPath() }
        let predicates = try predicates()
        var steps: [XPathStep] = []
        if take("/") {
            steps = try relativePath()
        } else if take("//") {
            steps = [Self.anyDepth] + (try relativePath())
        }
        if predicates.isEmpty, steps.isEmpty { return primary }
        return .filter(primary, predicates, Self.joined(steps))
    }

    private static let nodeTypes: Set<String> = ["node", "text", "comment", "processing-instruction"]
    private static let anyDepth = XPathStep(axis: .descendantOrSelf, test: .node)

    private mutating func primary() throws(XPathError) -> XPathExpression? {
        switch current {
        case .literal(let text):
            index += 1
            return .literal(text)
        case .number(let number):
            index += 1
            return .number(number)
        case .symbol("("):
            index += 1
            let inner = try or()
            try expect(")")
            return inner
        case .name(nil, let name) where next == .symbol("("):
            if Self.nodeTypes.contains(name) { return nil }
            return try call(name)
        case .name(let prefix?, let name) where next == .symbol("("):
            throw failure("there is no function \(prefix):\(name)()")
        default: return nil
        }
    }

    private mutating func call(_ name: String) throws(XPathError) -> XPathExpression {
        guard let function = XPathFunction(rawValue: name) else { throw failure("there is no function \(name)()") }
        let start = tokens[index].offset
        index += 2
        var arguments: [XPathExpression] = []
        if !take(")") {
            repeat { arguments.append(try or()) } while take(",")
            try expect(")")
        }
        guard function.arity.contains(arguments.count) else {
            let arity = function.arity
            let wanted =
                arity.count == 1
                ? "\(arity.lowerBound)"
                : arity.upperBound == .max
                    ? "\(arity.lowerBound) or more" : "\(arity.lowerBound) or \(arity.upperBound)"
            throw XPathError(offset: start, message: "\(name)() takes \(wanted) arguments, not \(arguments.count)")
        }
        return .call(function, arguments)
    }

    private mutating func predicates() throws(XPathError) -> [XPathExpression] {
        var predicates: [XPathExpression] = []
        while take("[") {
            predicates.append(try or())
            try expect("]")
        }
        return predicates
    }

    private mutating func locationPath() throws(XPathError) -> XPathExpression {
        if take("//") { return .path(isAbsolute: true, Self.joined([Self.anyDepth] + (try relativePath()))) }
        if take("/") {
            return .path(isAbsolute: true, startsStep ? Self.joined(try relativePath()) : [])
        }
        return .path(isAbsolute: false, Self.joined(try relativePath()))
    }

    private var startsStep: Bool {
        switch current {
        case .name: true
        case .symbol(let symbol): ["@", ".", ".."].contains(symbol)
        default: false
        }
    }

    private mutating func relativePath() throws(XPathError) -> [XPathStep] {
        var steps = [try step()]
        while true {
            if take("/") {
                steps.append(try step())
            } else if take("//") {
                steps.append(Self.anyDepth)
                steps.append(try step())
            } else {
                return steps
            }
        }
    }

    /// Makes one step of `//name`, so that not every node is held in between.
    private static func joined(_ steps: [XPathStep]) -> [XPathStep] {
        var result: [XPathStep] = []
        for step in steps {
            if step.axis == .child, step.predicates.isEmpty, let last = result.last, last.axis == .descendantOrSelf,
                last.predicates.isEmpty, case .node = last.test
            {
                result[result.count - 1] = XPathStep(axis: .descendant, test: step.test)
            } else {
                result.append(step)
            }
        }
        return result
    }

    private mutating func step() throws(XPathError) -> XPathStep {
        if take(".") { return XPathStep(axis: .itself, test: .node) }
        if take("..") { return XPathStep(axis: .parent, test: .node) }
        var axis = XPathAxis.child
        if take("@") {
            axis = .attribute
        } else if case .name(nil, let name)? = current, next == .symbol("::") {
            guard let known = XPathAxis(rawValue: name) else {
                throw failure(name == "namespace" ? "the axis namespace is not supported" : "there is no axis \(name)")
            }
            axis = known
            index += 2
        }
        let test = try nodeTest(axis)
        return XPathStep(axis: axis, test: test, predicates: try predicates())
    }

    private mutating func nodeTest(_ axis: XPathAxis) throws(XPathError) -> XPathNodeTest {
        guard case .name(let prefix, let name)? = current else { throw failure("a step of a path is expected") }
        if prefix == nil, next == .symbol("(") {
            guard Self.nodeTypes.contains(name) else {
                throw failure("there is no test \(name)()")
            }
            index += 2
            var target: String?
            if name == "processing-instruction", case .literal(let text)? = current {
                target = text
                index += 1
            }
            try expect(")")
            switch name {
            case "node": return .node
            case "text": return .text
            case "comment": return .comment
            default: return .instruction(target)
            }
        }
        let namespace = try namespace(prefix, isAny: name == "*", axis)
        index += 1
        return name == "*" ? .any(namespace) : .name(name, namespace)
    }

    private func namespace(_ prefix: String?, isAny: Bool, _ axis: XPathAxis) throws(XPathError) -> XPathNamespace {
        guard let prefix else { return isAny || namespaces.isEmpty ? .all : .none }
        if prefix == "xml" { return .uri("http://www.w3.org/XML/1998/namespace") }
        if namespaces.isEmpty { return .prefix(prefix) }
        if let uri = namespaces[prefix] { return .uri(uri) }
        throw failure("the prefix \(prefix) is not among the namespaces")
    }
}
