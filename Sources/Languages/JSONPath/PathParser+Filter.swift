// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRegularExpressions

/// The expressions of filters (RFC 9535 §2.3.5), with Jayway's operators, literals and functions.
extension PathParser {
    /// Reads the filter behind `?`.
    mutating func filter() throws(JSONPathError) -> PathQuery.Filter {
        try enter()
        let outer = isInJaywayFilter
        skipSpace()
        isInJaywayFilter = isJayway && standsInParentheses
        let filter = PathQuery.Filter(expression: try disjunction(), isJayway: isInJaywayFilter)
        isInJaywayFilter = outer
        nesting -= 1
        return filter
    }

    /// Whether the parenthesis that stands here is closed right in front of the selector's end.
    private var standsInParentheses: Bool {
        guard current == UInt8(ascii: "(") else { return false }
        var ahead = index
        var depth = 0
        while ahead < end {
            switch bytes[ahead] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 {
                    ahead += 1
                    while ahead < end, isSpace(bytes[ahead]) { ahead += 1 }
                    return ahead < end && (bytes[ahead] == UInt8(ascii: "]") || bytes[ahead] == UInt8(ascii: ","))
                }
            case UInt8(ascii: "'"), UInt8(ascii: "\""): ahead = endOfQuoted(from: ahead, by: bytes[ahead])
            case UInt8(ascii: "~"):
                ahead += 1
                while ahead < end, isSpace(bytes[ahead]) { ahead += 1 }
                if ahead < end, bytes[ahead] == UInt8(ascii: "/") {
                    ahead = endOfQuoted(from: ahead, by: UInt8(ascii: "/"))
                } else {
                    continue
                }
            default: break
            }
            ahead += 1
        }
        return false
    }

    /// Where the delimiter that ends a string or a pattern stands.
    func endOfQuoted(from start: Int, by delimiter: UInt8) -> Int {
        var ahead = start + 1
        while ahead < end, bytes[ahead] != delimiter { ahead += bytes[ahead] == UInt8(ascii: "\\") ? 2 : 1 }
        return ahead
    }

    // MARK: Logic

    private mutating func disjunction() throws(JSONPathError) -> FilterExpression {
        var terms = [try conjunction()]
        while try logicalOperator(UInt8(ascii: "|")) { terms.append(try conjunction()) }
        return terms.count == 1 ? terms[0] : .or(terms)
    }

    private mutating func conjunction() throws(JSONPathError) -> FilterExpression {
        var terms = [try basic()]
        while try logicalOperator(UInt8(ascii: "&")) { terms.append(try basic()) }
        return terms.count == 1 ? terms[0] : .and(terms)
    }

    private mutating func logicalOperator(_ byte: UInt8) throws(JSONPathError) -> Bool {
        let before = index
        skipSpace()
        guard current == byte else {
            index = before
            return false
        }
        index += 1
        let sign = Character(Unicode.Scalar(byte))
        guard current == byte else { throw failure("expected \(sign)\(sign)", at: index - 1) }
        index += 1
        return true
    }

    private mutating func basic() throws(JSONPathError) -> FilterExpression {
        skipSpace()
        switch current {
        case UInt8(ascii: "!"):
            index += 1
            skipSpace()
            if current == UInt8(ascii: "(") { return .not(try parenthesized()) }
            if isInJaywayFilter, current == UInt8(ascii: "!") {
                try enter()
                defer { nesting -= 1 }
                return .not(try basic())
            }
            let start = index
            return .not(try test(try operand(), at: start))
        case UInt8(ascii: "("): return try parenthesized()
        default: return try comparisonOrTest()
        }
    }

    private mutating func parenthesized() throws(JSONPathError) -> FilterExpression {
        try enter()
        defer { nesting -= 1 }
        index += 1
        let inner = try disjunction()
        skipSpace()
        guard current == UInt8(ascii: ")") else { throw failure("expected ')'\(found)") }
        index += 1
        return inner
    }

    private mutating func comparisonOrTest() throws(JSONPathError) -> FilterExpression {
        let start = index
        let left = try operand()
        let afterLeft = index
        skipSpace()
        let sign = index
        guard let comparator = try comparator() else {
            index = afterLeft
            return try test(left, at: start)
        }
        skipSpace()
        let rightStart = index
        let right = try operand()
        try check(left, with: comparator, against: right, at: start)
        try check(right, with: comparator, against: left, at: rightStart)
        if comparator == .matches {
            let patterns = [left, right].count { if case .pattern = $0 { true } else { false } }
            if patterns != 1 { throw failure("=~ takes a pattern such as /a.*/i on one side", at: sign) }
        }
        return .comparison(left, comparator, right)
    }

    /// An operand that stands alone: a query's existence, or a function's logical result (RFC 9535 §2.3.5.2).
    private func test(_ operand: FilterOperand, at start: Int) throws(JSONPathError) -> FilterExpression {
        switch operand {
        case .query(let query): return .exists(query)
        case .call(let function) where function.name.isLogical: return .call(function)
        case .call(let function):
            throw failure("\(function.name.rawValue)() gives a value, which has to be compared", at: start)
        case .literal, .pattern: throw failure("a literal has to be compared", at: start)
        }
    }

    /// Whether an operand can be compared (RFC 9535 §2.4.3).
    ///
    /// Queries that may select several values make a list in Jayway's filters, which only a list or an operator on lists can stand against.
    private func check(
        _ operand: FilterOperand, with comparator: FilterExpression.Comparator, against other: FilterOperand,
        at start: Int
    ) throws(JSONPathError) {
        switch operand {
        case .query(let query):
            let isList = !query.isSingular && query.functions.isEmpty
            let takesList = !comparator.isStandard || other.isStructure
            if isList, !isInJaywayFilter || !takesList {
                throw failure("a query that may select several values cannot be compared", at: start)
            }
        case .call(let function):
            if function.name.isLogical {
                throw failure("\(function.name.rawValue)() gives true or false, which cannot be compared", at: start)
            }
        case .pattern:
            if comparator != .matches { throw failure("a pattern stands with =~ only", at: start) }
        case .literal:
            if operand.isStructure, comparator.isStandard, !isInJaywayFilter {
                throw failure("a list or an object can be compared in [?(…)] only", at: start)
            }
        }
    }

    private mutating func comparator() throws(JSONPathError) -> FilterExpression.Comparator? {
        if isJayway {
            if take("===") { return .sameTypeEqual }
            if take("!==") { return .sameTypeNotEqual }
            if take("=~") { return .matches }
        }
        if take("==") { return .equal }
        if take("!=") { return .notEqual }
        if take("<=") { return .lessOrEqual }
        if take(">=") { return .greaterOrEqual }
        if take("<") { return .less }
        if take(">") { return .greater }
        if current == UInt8(ascii: "=") { throw failure("'=' is not an operator; write ==") }
        guard isJayway else { return nil }
        var ahead = index
        while ahead < end, isAlphanumeric(bytes[ahead]) { ahead += 1 }
        if ahead == index { return nil }
        let word = String(decoding: bytes[index..<ahead], as: UTF8.self).lowercased()
        guard let comparator = FilterExpression.Comparator.words[word] else { return nil }
        index = ahead
        return comparator
    }

    mutating func take(_ sign: StaticString) -> Bool {
        let isHere = sign.withUTF8Buffer { bytes[index..<end].starts(with: $0) }
        if isHere { index += sign.utf8CodeUnitCount }
        return isHere
    }

    // MARK: Operands

    private mutating func operand() throws(JSONPathError) -> FilterOperand {
        guard let byte = current else { throw failure("expected a query, a literal or a function\(found)") }
        switch byte {
        case UInt8(ascii: "@"), UInt8(ascii: "$"): return .query(try relativeQuery())
        case UInt8(ascii: "/") where isJayway: return .pattern(try pattern())
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            if !isJayway { throw failure("lists and objects cannot be written in a filter") }
            return .literal(try literal())
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .literal(try literal())
        case UInt8(ascii: "a")...UInt8(ascii: "z"): return try functionOrKeyword()
        default: throw failure("expected a query, a literal or a function\(found)")
        }
    }

    private mutating func relativeQuery() throws(JSONPathError) -> PathQuery {
        var query = PathQuery(isRelative: current == UInt8(ascii: "@"))
        index += 1
        try segments(into: &query)
        return query
    }

    private mutating func functionOrKeyword() throws(JSONPathError) -> FilterOperand {
        let start = index
        while let byte = current, isAlphanumeric(byte) || byte == UInt8(ascii: "_") { index += 1 }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        if current == UInt8(ascii: "(") {
            guard let name = FilterFunction.Name(rawValue: word) else {
                throw failure(
                    "there is no function \(word)(); there are length, count, match, search and value", at: start)
            }
            return .call(try call(name, at: start))
        }
        index = start
        return .literal(try literal())
    }

    private mutating func call(_ name: FilterFunction.Name, at start: Int) throws(JSONPathError) -> FilterFunction {
        try enter()
        defer { nesting -= 1 }
        index += 1
        var arguments: [FilterOperand] = []
        skipSpace()
        while current != UInt8(ascii: ")") || !arguments.isEmpty {
            skipSpace()
            let argumentStart = index
            let argument = try operand()
            try check(argument: argument, of: name, at: argumentStart)
            arguments.append(argument)
            skipSpace()
            if current == UInt8(ascii: ")") { break }
            guard current == UInt8(ascii: ",") else { throw failure("expected ',' or ')'\(found)") }
            index += 1
        }
        index += 1
        guard arguments.count == name.argumentCount else {
            throw failure(
                "\(name.rawValue)() takes \(name.argumentCount == 1 ? "one argument" : "two arguments")", at: start)
        }
        var function = FilterFunction(name: name, arguments: arguments)
        if name.isLogical, case .literal(let node) = arguments[1], let text = node.string {
            function.pattern = .iRegexp(text, scope: name == .match ? .whole : .part)
        }
        return function
    }

    /// Whether an argument has the type that its function declares (RFC 9535 §2.4.3).
    private func check(
        argument: FilterOperand, of name: FilterFunction.Name, at start: Int
    ) throws(JSONPathError) {
        switch argument {
        case .query(let query):
            if !name.takesNodes, !query.isSingular, query.functions.isEmpty {
                throw failure("\(name.rawValue)() takes a query that selects one value at most", at: start)
            }
        case .call(let inner):
            if name.takesNodes || inner.name.isLogical {
                throw failure("\(name.rawValue)() does not take what \(inner.name.rawValue)() gives", at: start)
            }
        case .literal:
            if name.takesNodes { throw failure("\(name.rawValue)() takes a query", at: start) }
        case .pattern: throw failure("\(name.rawValue)() does not take this", at: start)
        }
    }

    // MARK: Jayway's functions

    /// Reads the arguments of one of Jayway's functions, whose name is read.
    mutating func function(_ name: String, at start: Int) throws(JSONPathError) -> PathFunction {
        guard let kind = PathFunction.Kind(rawValue: name) else {
            let names = PathFunction.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw failure("there is no function \(name)(); there are \(names)", at: start)
        }
        try enter()
        defer { nesting -= 1 }
        index += 1
        var arguments: [FilterOperand] = []
        skipSpace()
        while current != UInt8(ascii: ")") || !arguments.isEmpty {
            skipSpace()
            if current == UInt8(ascii: "$") || current == UInt8(ascii: "@") {
                arguments.append(.query(try relativeQuery()))
            } else {
                arguments.append(.literal(try literal()))
            }
            skipSpace()
            if current == UInt8(ascii: ")") { break }
            guard current == UInt8(ascii: ",") else { throw failure("expected ',' or ')'\(found)") }
            index += 1
        }
        index += 1
        if kind == .index {
            guard arguments.count == 1, case .literal(let node) = arguments[0], node.number?.integer != nil else {
                throw failure("index() takes one whole number", at: start)
            }
        }
        return PathFunction(kind: kind, arguments: arguments)
    }
}
