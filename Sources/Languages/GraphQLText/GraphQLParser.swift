// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Reads a document (§2.2 to §2.12) and writes it in the form that equal documents share.
///
/// A part's text is made of its own parts' texts, sorted if their order does not count. Definitions of types are taken token by token.
struct GraphQLParser {
    private var lexer: GraphQLLexer
    private var token: GraphQLToken
    private var depth = 0
    private(set) var operationNames: [String] = []

    init(_ bytes: [UInt8]) throws(GraphQLError) {
        lexer = try GraphQLLexer(bytes)
        token = try lexer.next()
    }

    mutating func document() throws(GraphQLError) -> [UInt8] {
        if token.kind == .end { throw failure("the document is empty") }
        var definitions: [[UInt8]] = []
        while token.kind != .end { definitions.append(try definition()) }
        return Self.sorted(definitions, separator: "\n")
    }

    // MARK: Tokens

    private func failure(_ message: String) -> GraphQLError { lexer.failure(message, at: token.offset) }

    private func isAhead(_ sign: Unicode.Scalar) -> Bool { token.kind == .punctuator(UInt8(ascii: sign)) }

    private func isAhead(word: StaticString) -> Bool {
        token.kind == .name && word.withUTF8Buffer { token.text.elementsEqual($0) }
    }

    private mutating func advance() throws(GraphQLError) {
        token = try lexer.next()
    }

    private mutating func take(_ sign: Unicode.Scalar) throws(GraphQLError) -> Bool {
        guard isAhead(sign) else { return false }
        try advance()
        return true
    }

    private mutating func expect(_ sign: Unicode.Scalar) throws(GraphQLError) {
        guard try take(sign) else { throw failure("expected '\(sign)', found \(found)") }
    }

    private mutating func name(_ what: String) throws(GraphQLError) -> [UInt8] {
        guard token.kind == .name else { throw failure("expected \(what), found \(found)") }
        let text = token.text
        try advance()
        return text
    }

    private var found: String {
        switch token.kind {
        case .end: "the end of the document"
        case .name: "'\(String(decoding: token.text.prefix(64), as: UTF8.self))'"
        case .int, .float: "a number"
        case .string: "a string"
        case .punctuator(let byte): byte == UInt8(ascii: ".") ? "'...'" : "'\(Character(Unicode.Scalar(byte)))'"
        }
    }

    private mutating func enter() throws(GraphQLError) {
        depth += 1
        if depth > GraphQLDocument.maximumDepth {
            throw failure("more than \(GraphQLDocument.maximumDepth) levels within each other")
        }
    }

    private static func sorted(_ parts: [[UInt8]], separator: Unicode.Scalar = " ") -> [UInt8] {
        let sorted = parts.sorted { $0.lexicographicallyPrecedes($1) }
        return Array(sorted.joined(separator: [UInt8(ascii: separator)]))
    }

    // MARK: Definitions

    private mutating func definition() throws(GraphQLError) -> [UInt8] {
        if isAhead("{") { return Array("query ".utf8) + (try selectionSet()) }
        if isAhead(word: "fragment") { return try fragment() }
        if isAhead(word: "query") || isAhead(word: "mutation") || isAhead(word: "subscription") {
            return try operation()
        }
        if token.kind == .string || isTypeSystemWord { return try typeSystemDefinition() }
        throw failure("expected a query, a mutation, a subscription or a fragment, found \(found)")
    }

    private mutating func operation() throws(GraphQLError) -> [UInt8] {
        var output = try name("an operation")
        output.append(0x20)
        if token.kind == .name {
            let name = try name("a name")
            operationNames.append(String(decoding: name, as: UTF8.self))
            output += name
        }
        if try take("(") {
            var variables: [[UInt8]] = []
            repeat { variables.append(try variableDefinition()) } while try !take(")")
            output += "(".utf8 + Self.sorted(variables) + ")".utf8
        }
        output += try directives(isConstant: false)
        return output + (try selectionSet())
    }

    private mutating func variableDefinition() throws(GraphQLError) -> [UInt8] {
        try expect("$")
        var output = [UInt8(ascii: "$")] + (try name("a variable's name"))
        try expect(":")
        output += ":".utf8
        output += try type()
        if try take("=") {
            output += "=".utf8
            output += try value(isConstant: true)
        }
        return output + (try directives(isConstant: true))
    }

    private mutating func type() throws(GraphQLError) -> [UInt8] {
        var output: [UInt8]
        if try take("[") {
            try enter()
            output = [UInt8(ascii: "[")]
            output += try type()
            output.append(UInt8(ascii: "]"))
            try expect("]")
            depth -= 1
        } else {
            output = try name("a type")
        }
        if try take("!") { output.append(UInt8(ascii: "!")) }
        return output
    }

    private mutating func fragment() throws(GraphQLError) -> [UInt8] {
        try advance()
        if isAhead(word: "on") { throw failure("a fragment cannot be called 'on'") }
        let name = try name("a fragment's name")
        guard isAhead(word: "on") else { throw failure("expected 'on' and a type, found \(found)") }
        try advance()
        var output = Array("fragment ".utf8)
        output += name + " on ".utf8
        output += try self.name("a type")
        output += try directives(isConstant: false)
        return output + (try selectionSet())
    }

    // MARK: Selections

    private mutating func selectionSet() throws(GraphQLError) -> [UInt8] {
        try expect("{")
        try enter()
        var selections: [[UInt8]] = []
        repeat { selections.append(try selection()) } while try !take("}")
        depth -= 1
        return [UInt8(ascii: "{")] + Self.sorted(selections) + [UInt8(ascii: "}")]
    }

    private mutating func selection() throws(GraphQLError) -> [UInt8] {
        if try take(".") {
            var output = Array("...".utf8)
            if token.kind == .name, !isAhead(word: "on") {
                output += try name("a fragment's name")
                return output + (try directives(isConstant: false))
            }
            if isAhead(word: "on") {
                try advance()
                output += "on ".utf8
                output += try name("a type")
            }
            output += try directives(isConstant: false)
            return output + (try selectionSet())
        }
        var output = try name("a field")
        if try take(":") {
            output.append(UInt8(ascii: ":"))
            output += try name("a field")
        }
        output += try arguments(isConstant: false)
        output += try directives(isConstant: false)
        if isAhead("{") { output += try selectionSet() }
        return output
    }

    private mutating func arguments(isConstant: Bool) throws(GraphQLError) -> [UInt8] {
        guard try take("(") else { return [] }
        var arguments: [[UInt8]] = []
        repeat {
            var argument = try name("an argument's name")
            try expect(":")
            argument.append(UInt8(ascii: ":"))
            argument += try value(isConstant: isConstant)
            arguments.append(argument)
        } while try !take(")")
        return [UInt8(ascii: "(")] + Self.sorted(arguments) + [UInt8(ascii: ")")]
    }

    private mutating func directives(isConstant: Bool) throws(GraphQLError) -> [UInt8] {
        var directives: [[UInt8]] = []
        while try take("@") {
            let name = try name("a directive's name")
            directives.append([UInt8(ascii: "@")] + name + (try arguments(isConstant: isConstant)))
        }
        return Self.sorted(directives)
    }

    // MARK: Values (§2.9)

    private mutating func value(isConstant: Bool) throws(GraphQLError) -> [UInt8] {
        switch token.kind {
        case .int, .float, .name:
            let text = token.text
            try advance()
            return text
        case .string: return try string()
        case .punctuator(UInt8(ascii: "$")):
            if isConstant { throw failure("a variable cannot stand in a default value") }
            try advance()
            return [UInt8(ascii: "$")] + (try name("a variable's name"))
        case .punctuator(UInt8(ascii: "[")):
            try advance()
            try enter()
            var elements: [[UInt8]] = []
            while try !take("]") { elements.append(try value(isConstant: isConstant)) }
            depth -= 1
            return [UInt8(ascii: "[")] + Array(elements.joined(separator: [0x20])) + [UInt8(ascii: "]")]
        case .punctuator(UInt8(ascii: "{")):
            try advance()
            try enter()
            var fields: [[UInt8]] = []
            while try !take("}") {
                var field = try name("a field's name")
                try expect(":")
                field.append(UInt8(ascii: ":"))
                fields.append(field + (try value(isConstant: isConstant)))
            }
            depth -= 1
            return [UInt8(ascii: "{")] + Self.sorted(fields) + [UInt8(ascii: "}")]
        default: throw failure("expected a value, found \(found)")
        }
    }

    private mutating func string() throws(GraphQLError) -> [UInt8] {
        let text = Self.quoted(token.text)
        try advance()
        return text
    }

    private static func quoted(_ text: [UInt8]) -> [UInt8] {
        var output = [UInt8(ascii: "\"")]
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
            case 0x0A: output += "\\n".utf8
            case 0..<0x20: output += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: output.append(byte)
            }
        }
        return output + [UInt8(ascii: "\"")]
    }

    // MARK: Definitions of types (§3)

    private static let typeSystemWords: Set<[UInt8]> = [
        Array("schema".utf8), Array("scalar".utf8), Array("type".utf8), Array("interface".utf8), Array("union".utf8),
        Array("enum".utf8), Array("input".utf8), Array("directive".utf8), Array("extend".utf8),
    ]

    private var isTypeSystemWord: Bool { token.kind == .name && Self.typeSystemWords.contains(token.text) }

    private var startsDefinition: Bool {
        isTypeSystemWord || token.kind == .string || isAhead(word: "query") || isAhead(word: "mutation")
            || isAhead(word: "subscription") || isAhead(word: "fragment")
    }

    /// Takes a definition's tokens up to the beginning of the next.
    private mutating func typeSystemDefinition() throws(GraphQLError) -> [UInt8] {
        var tokens: [[UInt8]] = []
        if token.kind == .string { tokens.append(try string()) }
        guard isTypeSystemWord else { throw failure("expected a definition of a type, found \(found)") }
        if isAhead(word: "extend") { tokens.append(try name("a definition")) }
        tokens.append(try name("a definition"))
        guard token.kind == .name || isAhead("{") || isAhead("@") else {
            throw failure("expected what is defined, found \(found)")
        }
        var closers: [UInt8] = []
        var isFirst = true
        while token.kind != .end, !closers.isEmpty || isFirst || !startsDefinition {
            isFirst = false
            if token.kind == .string {
                tokens.append(try string())
                continue
            }
            if case .punctuator(let byte) = token.kind {
                try match(byte, &closers)
                tokens.append(byte == UInt8(ascii: ".") ? Array("...".utf8) : [byte])
            } else {
                tokens.append(token.text)
            }
            try advance()
        }
        if let closer = closers.last {
            throw failure("expected '\(Character(Unicode.Scalar(closer)))', found \(found)")
        }
        return Array(tokens.joined(separator: [0x20]))
    }

    /// Keeps track of the brackets that are open.
    private func match(_ byte: UInt8, _ closers: inout [UInt8]) throws(GraphQLError) {
        switch byte {
        case UInt8(ascii: "("): closers.append(UInt8(ascii: ")"))
        case UInt8(ascii: "["): closers.append(UInt8(ascii: "]"))
        case UInt8(ascii: "{"): closers.append(UInt8(ascii: "}"))
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            guard closers.popLast() == byte else { throw failure("\(found) without its opening bracket") }
        default: break
        }
        if closers.count > GraphQLDocument.maximumDepth {
            throw failure("more than \(GraphQLDocument.maximumDepth) levels within each other")
        }
    }
}
