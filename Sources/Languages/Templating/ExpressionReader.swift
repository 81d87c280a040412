// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// Reads the text between the braces of a tag.
struct ExpressionReader {
    private let source: [UInt8]
    private let end: Int
    private let offset: Int
    private var index: Int
    private var depth: Int
    private let known: KnownExpressions
    private let dialect: Template.Dialect
    /// The name that a block is opened with.
    private(set) var name = ""
    /// The names of `as |a b|`; nil if there is none.
    private(set) var blockParameters: [String]?

    init(
        _ source: [UInt8], _ range: Range<Int>, _ offset: Int, depth: Int, _ known: KnownExpressions,
        _ dialect: Template.Dialect
    ) {
        self.source = source
        self.dialect = dialect
        self.known = known
        index = range.lowerBound
        end = range.upperBound
        self.offset = offset
        self.depth = depth
    }

    func failure(_ message: String) -> TemplateFailure { TemplateFailure(offset, message) }

    private var current: UInt8? { index < end ? source[index] : nil }

    private mutating func skipSpace() {
        while let byte = current, TemplateScanner.isSpace(byte) { index += 1 }
    }

    /// All of a tag: a name or a literal with its arguments.
    mutating func call(isRaw: Bool = false) throws(TemplateFailure) -> TemplateCall {
        let call = try callUntilEnd(isRaw: isRaw)
        guard current == nil else { throw failure("expected the end of the tag, found \"\(rest)\"") }
        return call
    }

    /// The text that is left, as messages show it.
    private var rest: String { String(decoding: source[index..<min(end, index + 20)], as: UTF8.self) }

    private mutating func callUntilEnd(isRaw: Bool) throws(TemplateFailure) -> TemplateCall {
        skipSpace()
        let first = index
        guard current != nil, current != UInt8(ascii: ")") else { throw failure("expected a name, found nothing") }
        let subject = try expression()
        name = String(decoding: source[first..<index].filter { !TemplateScanner.isSpace($0) }, as: UTF8.self)
        var call = TemplateCall(helper: nil, subject: subject, offset: offset)
        if case .path(let path) = subject, !path.isData, !path.isScoped, path.keys.count == 1 {
            call.helper = Helper(rawValue: path.keys[0])
        }
        while true {
            skipSpace()
            guard let byte = current, byte != UInt8(ascii: ")") else { break }
            if try readBlockParameters() { break }
            if let option = optionName() {
                skipSpace()
                call.options.append((option, try expression()))
            } else {
                guard call.options.isEmpty else {
                    throw failure("an argument behind \"\(call.options[call.options.count - 1].name)=\"")
                }
                call.arguments.append(try expression())
            }
        }
        let hasArguments = !call.arguments.isEmpty || !call.options.isEmpty
        if call.helper == nil, hasArguments, !isRaw {
            var message = "there is no helper \"\(name)\""
            if let near = Helper.nearest(to: name) { message += "; did you mean \"\(near)\"?" }
            throw failure(message)
        }
        return call
    }

    /// `as |a b|`, which ends a block's opening tag.
    private mutating func readBlockParameters() throws(TemplateFailure) -> Bool {
        guard source[index..<end].starts(with: "as".utf8) else { return false }
        var place = index + 2
        while place < end, TemplateScanner.isSpace(source[place]) { place += 1 }
        guard place > index + 2, place < end, source[place] == UInt8(ascii: "|") else { return false }
        guard let close = source[(place + 1)..<end].firstIndex(of: UInt8(ascii: "|")) else {
            throw failure("the names behind \"as\" do not end with \"|\"")
        }
        let names = source[(place + 1)..<close].split(whereSeparator: TemplateScanner.isSpace)
        guard !names.isEmpty else { throw failure("expected names between \"|\" and \"|\"") }
        blockParameters = names.map { String(decoding: $0, as: UTF8.self) }
        index = close + 1
        skipSpace()
        return true
    }

    /// The name of `name=value`, with its sign read; nil if another thing stands here.
    private mutating func optionName() -> String? {
        var place = index
        while place < end, Self.isNameByte(source[place]) { place += 1 }
        guard place > index, place < end, source[place] == UInt8(ascii: "=") else { return nil }
        let name = String(decoding: source[index..<place], as: UTF8.self)
        index = place + 1
        return name
    }

    private mutating func expression() throws(TemplateFailure) -> TemplateExpression {
        guard let byte = current else { throw failure("expected a value, found the end of the tag") }
        if byte == UInt8(ascii: "(") { return .call(try subexpression()) }
        let first = index
        let made = try simpleExpression(byte)
        let text = source[first..<index]
        if let known = known.expressions[text] { return known }
        known.expressions[text] = made
        return made
    }

    /// A literal or a path.
    private mutating func simpleExpression(_ byte: UInt8) throws(TemplateFailure) -> TemplateExpression {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return .literal(.string(try string(byte))) }
        if let number = number() { return .literal(number) }
        let first = index
        let path = try path()
        if !path.isScoped, !path.isData, path.keys.count == 1 {
            switch String(decoding: source[first..<index], as: UTF8.self) {
            case "true": return .literal(.bool(true))
            case "false": return .literal(.bool(false))
            case "null", "undefined": return .literal(.null)
            default: break
            }
        }
        return .path(path)
    }

    private mutating func subexpression() throws(TemplateFailure) -> TemplateCall {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Template.Limits.depth else {
            throw failure("more than \(Template.Limits.depth) expressions are nested")
        }
        index += 1
        let outerName = name
        let call = try callUntilEnd(isRaw: false)
        name = outerName
        skipSpace()
        guard current == UInt8(ascii: ")") else { throw failure("a \"(\" has no \")\"") }
        index += 1
        return call
    }

    private mutating func string(_ quote: UInt8) throws(TemplateFailure) -> String {
        index += 1
        var bytes: [UInt8] = []
        while let byte = current {
            index += 1
            if byte == quote { return String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), current == quote {
                bytes.append(quote)
                index += 1
            } else {
                bytes.append(byte)
            }
        }
        throw failure("a string has no closing \(quote == UInt8(ascii: "'") ? "'" : "\"")")
    }

    /// A number as JSON has it; nil if another thing stands here.
    private mutating func number() -> TemplateValue? {
        var place = index
        func digits() -> Bool {
            let first = place
            while place < end, source[place] &- UInt8(ascii: "0") < 10 { place += 1 }
            return place > first
        }
        let isNegative = place < end && source[place] == UInt8(ascii: "-")
        if isNegative { place += 1 }
        guard digits() else { return nil }
        if place < end, source[place] == UInt8(ascii: ".") {
            place += 1
            guard digits() else { return nil }
        }
        if place < end, Self.isNameByte(source[place]) || "./=".utf8.contains(source[place]) { return nil }
        let text = String(decoding: source[index..<place], as: UTF8.self)
        index = place
        return TemplateValue(number: dialect == .wireMock ? JSONNumber.javaLiteral(text) : text)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && !"!\"#%&'()*+,./;<=>@[\\]^`{|}~".utf8.contains(byte)
    }

    /// A way to a value.
    private mutating func path() throws(TemplateFailure) -> TemplatePath {
        var path = TemplatePath()
        if current == UInt8(ascii: "@") {
            path.isData = true
            index += 1
        }
        var isStart = true
        while let byte = current {
            if byte == UInt8(ascii: ".") {
                if index + 1 < end, source[index + 1] == UInt8(ascii: ".") {
                    guard path.keys.isEmpty else { throw failure("\"..\" stands behind a name") }
                    path.ups += 1
                    path.isScoped = true
                    index += 2
                } else if isStart {
                    path.isScoped = true
                    index += 1
                } else {
                    throw failure("expected a name behind \".\", found \"\(rest)\"")
                }
            } else if byte == UInt8(ascii: "[") {
                guard let close = source[index..<end].firstIndex(of: UInt8(ascii: "]")) else {
                    throw failure("a \"[\" has no \"]\"")
                }
                path.keys.append(String(decoding: source[(index + 1)..<close], as: UTF8.self))
                index = close + 1
            } else {
                var place = index
                while place < end, Self.isNameByte(source[place]) { place += 1 }
                guard place > index else { break }
                let key = String(decoding: source[index..<place], as: UTF8.self)
                index = place
                if key == "this", !path.isData {
                    guard isStart else { throw failure("\"this\" stands behind a name") }
                    path.isScoped = true
                } else {
                    path.keys.append(key)
                }
            }
            isStart = false
            guard let next = current, next == UInt8(ascii: ".") || next == UInt8(ascii: "/") else { break }
            // A dot that ends the path, `this.`, is left to the reader's complaint.
            index += 1
            if next == UInt8(ascii: "/") { isStart = path.keys.isEmpty }
            guard let follower = current, Self.isNameByte(follower) || ".[".utf8.contains(follower) else {
                throw failure("expected a name behind \"\(Character(Unicode.Scalar(next)))\"")
            }
        }
        guard path.isScoped || !path.keys.isEmpty else {
            throw failure("expected a name or a value, found \"\(rest)\"")
        }
        return path
    }
}
