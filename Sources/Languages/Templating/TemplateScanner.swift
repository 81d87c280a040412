// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A piece of a template's text: text that is sent as it stands, or a tag.
struct TemplateToken {
    enum Kind {
        case text
        case comment
        /// `{{x}}`, `{{{x}}}`, `{{&x}}`.
        case value
        /// `{{#x}}`.
        case open
        /// `{{^x}}`.
        case inverted
        /// `{{else}}`, `{{^}}`, `{{else if x}}`.
        case otherwise
        /// `{{/x}}`.
        case close
        /// `{{{{x}}}}`, with all up to its end.
        case raw(body: Range<Int>)
    }

    var kind: Kind
    /// For text its bytes, for a tag the text between its braces and marks.
    var range: Range<Int>
    /// Where it begins.
    var offset: Int
    /// For text: the written bytes, whatever was trimmed off.
    var written: Range<Int>

    init(_ kind: Kind, _ range: Range<Int>, at offset: Int) {
        self.kind = kind
        self.range = range
        self.offset = offset
        written = range
    }

    var isText: Bool {
        if case .text = kind { true } else { false }
    }

    /// Whether a line that holds nothing else leaves nothing behind.
    var canStandAlone: Bool {
        switch kind {
        case .comment, .open, .inverted, .otherwise, .close, .raw: true
        case .text, .value: false
        }
    }
}

/// Cuts a template into text and tags.
struct TemplateScanner {
    private let source: [UInt8]
    private var tokens: [TemplateToken] = []
    private var index = 0
    /// Where the text at hand begins.
    private var start = 0
    /// Whether the tag before asks for the white space behind it to go.
    private var trimsNext = false

    static func tokens(of source: [UInt8]) throws(TemplateFailure) -> [TemplateToken] {
        var scanner = TemplateScanner(source: source)
        try scanner.scan()
        return scanner.tokens
    }

    private init(source: [UInt8]) {
        self.source = source
    }

    private static let open = UInt8(ascii: "{")
    private static let close = UInt8(ascii: "}")
    private static let tilde = UInt8(ascii: "~")
    private static let backslash = UInt8(ascii: "\\")

    private func byte(_ index: Int) -> UInt8 { index < source.count ? source[index] : 0 }

    private func has(_ text: StaticString, at index: Int) -> Bool {
        guard index + text.utf8CodeUnitCount <= source.count else { return false }
        for place in 0..<text.utf8CodeUnitCount where source[index + place] != text.utf8Start[place] { return false }
        return true
    }

    private mutating func scan() throws(TemplateFailure) {
        while index < source.count {
            guard source[index] == Self.open, byte(index + 1) == Self.open else {
                index += 1
                continue
            }
            if index > start, source[index - 1] == Self.backslash {
                let isEscaped = index - 2 >= start && source[index - 2] == Self.backslash
                // One of two backslashes stays, and the tag is a tag; behind a single one it is text.
                addText(upTo: index - 1)
                if !isEscaped {
                    start = index
                    index += 2
                    continue
                }
                start = index
            } else {
                addText(upTo: index)
            }
            try tag()
            start = index
        }
        addText(upTo: source.count)
    }

    private mutating func addText(upTo end: Int) {
        guard end > start else { return }
        var token = TemplateToken(.text, start..<end, at: start)
        if trimsNext {
            let first = source[start..<end].firstIndex { !Self.isSpace($0) } ?? end
            token.range = first..<end
            trimsNext = first == end
        }
        tokens.append(token)
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

    /// Removes the last white space of the text before.
    private mutating func trimBefore() {
        guard var token = tokens.popLast() else { return }
        if token.isText {
            let last = source[token.range].lastIndex { !Self.isSpace($0) }
            token.range = token.range.lowerBound..<(last.map { $0 + 1 } ?? token.range.lowerBound)
        }
        tokens.append(token)
    }

    private mutating func tag() throws(TemplateFailure) {
        let offset = index
        if has("{{{{", at: index), byte(index + 4) != Self.open { return try rawBlock() }
        var cursor = index + 2
        let isTriple = byte(cursor) == Self.open
        if isTriple { cursor += 1 }
        trimsNext = false
        if byte(cursor) == Self.tilde {
            trimBefore()
            cursor += 1
            if byte(cursor) == Self.open, !isTriple {
                cursor += 1
                return try finish(.value, cursor, offset, braces: 3)
            }
        }
        if isTriple { return try finish(.value, cursor, offset, braces: 3) }
        if byte(cursor) == UInt8(ascii: "!") { return try comment(cursor + 1, offset) }
        let mark = byte(cursor)
        switch mark {
        case UInt8(ascii: "#"):
            if byte(cursor + 1) == UInt8(ascii: "*") || byte(cursor + 1) == UInt8(ascii: ">") {
                throw TemplateFailure(offset, Self.noPartials)
            }
            try finish(.open, cursor + 1, offset)
        case UInt8(ascii: "^"):
            try finish(.inverted, cursor + 1, offset)
        case UInt8(ascii: "/"): try finish(.close, cursor + 1, offset)
        case UInt8(ascii: "&"): try finish(.value, cursor + 1, offset)
        case UInt8(ascii: ">"): throw TemplateFailure(offset, Self.noPartials)
        case UInt8(ascii: "*"): throw TemplateFailure(offset, Self.noPartials)
        case UInt8(ascii: "="):
            throw TemplateFailure(offset, "other delimiters than {{ and }} are not supported")
        default: try finish(.value, cursor, offset)
        }
        guard case .value = tokens[tokens.count - 1].kind, mark != UInt8(ascii: "&") else {
            if case .inverted = tokens[tokens.count - 1].kind, words(tokens[tokens.count - 1].range).isEmpty {
                tokens[tokens.count - 1].kind = .otherwise
            }
            return
        }
        if words(tokens[tokens.count - 1].range).first == "else" { tokens[tokens.count - 1].kind = .otherwise }
    }

    private static let noPartials = "partials and decorators are not supported, as WireMock has none"

    /// The first words of a tag.
    private func words(_ range: Range<Int>) -> [String] {
        source[range].split(maxSplits: 1, whereSeparator: Self.isSpace).map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func comment(_ start: Int, _ offset: Int) throws(TemplateFailure) {
        let isLong = has("--", at: start)
        // The two dashes that begin a long comment may end it.
        var cursor = start
        while cursor < source.count {
            if isLong ? has("--}}", at: cursor) || has("--~}}", at: cursor) : has("}}", at: cursor) {
                var end = isLong ? cursor + 2 : cursor
                let bodyEnd = end
                if byte(end) == Self.tilde || !isLong && end > start && source[end - 1] == Self.tilde {
                    trimsNext = true
                    if byte(end) == Self.tilde { end += 1 }
                }
                tokens.append(TemplateToken(.comment, start..<max(start, bodyEnd), at: offset))
                index = end + 2
                return
            }
            cursor += 1
        }
        throw TemplateFailure(offset, "this comment does not end")
    }

    /// Ends a tag at its braces; some may stand in strings and segments before.
    private mutating func finish(
        _ kind: TemplateToken.Kind, _ first: Int, _ offset: Int, braces: Int = 2
    ) throws(TemplateFailure) {
        var cursor = first
        var quote: UInt8 = 0
        while cursor < source.count {
            let byte = source[cursor]
            if quote != 0 {
                if byte == Self.backslash, self.byte(cursor + 1) == quote, quote != UInt8(ascii: "]") {
                    cursor += 2
                    continue
                }
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                quote = UInt8(ascii: "]")
            } else if byte == Self.close, has("}}", at: cursor) {
                var end = cursor
                if end > first, source[end - 1] == Self.tilde {
                    end -= 1
                    trimsNext = true
                }
                if braces == 3 {
                    // `}}}`, or `}~}}`.
                    if self.byte(cursor + 2) == Self.close {
                        cursor += 1
                    } else {
                        throw TemplateFailure(offset, "this tag begins with {{{ and does not end with }}}")
                    }
                }
                tokens.append(TemplateToken(kind, first..<end, at: offset))
                index = cursor + 2
                return
            } else if byte == Self.close, braces == 3, has("}~}}", at: cursor) {
                trimsNext = true
                tokens.append(TemplateToken(kind, first..<cursor, at: offset))
                index = cursor + 4
                return
            } else if byte == Self.open, self.byte(cursor + 1) == Self.open {
                break
            }
            cursor += 1
        }
        throw TemplateFailure(offset, "this tag does not end with \(braces == 3 ? "}}}" : "}}")")
    }

    private static func endsName(_ byte: UInt8) -> Bool { isSpace(byte) || byte == close }

    private mutating func rawBlock() throws(TemplateFailure) {
        let offset = index
        trimsNext = false
        var cursor = index + 4
        while cursor < source.count, !has("}}}}", at: cursor) { cursor += 1 }
        guard cursor < source.count else { throw TemplateFailure(offset, "this tag does not end with }}}}") }
        let head = (index + 4)..<cursor
        let name = words(head).first ?? ""
        let bodyStart = cursor + 4
        cursor = bodyStart
        let begin = Array("{{{{\(name)".utf8)
        let end = Array("{{{{/\(name)}}}}".utf8)
        var depth = 0
        while cursor + end.count <= source.count {
            if source[cursor] != Self.open {
                cursor += 1
            } else if source[cursor...].starts(with: end) {
                if depth == 0 {
                    tokens.append(TemplateToken(.raw(body: bodyStart..<cursor), head, at: offset))
                    index = cursor + end.count
                    return
                }
                depth -= 1
                cursor += end.count
            } else if source[cursor...].starts(with: begin), Self.endsName(byte(cursor + begin.count)) {
                depth += 1
                cursor += begin.count
            } else {
                cursor += 1
            }
        }
        throw TemplateFailure(offset, "this raw block does not end with {{{{/\(name)}}}}")
    }
}

extension TemplateScanner {
    /// Makes lines that hold nothing but one tag of a block, or a comment, leave nothing behind (the Mustache specification's standalone
    /// lines).
    static func dropStandaloneLines(_ tokens: inout [TemplateToken], _ source: [UInt8]) {
        for place in tokens.indices where tokens[place].canStandAlone {
            if case .raw = tokens[place].kind { continue }
            let before = place == 0 ? nil : tokens[place - 1]
            let after = place == tokens.count - 1 ? nil : tokens[place + 1]
            guard before?.isText ?? true, after?.isText ?? true else { continue }
            var lineStart: Int?
            if let before {
                let text = source[before.written]
                let end = text.lastIndex { $0 != 0x20 && $0 != 0x09 }
                if let end, source[end] == 0x0A { lineStart = end + 1 }
                if end == nil, place == 1 { lineStart = before.written.lowerBound }
                guard lineStart != nil else { continue }
            }
            var lineEnd: Int?
            if let after {
                let text = source[after.written]
                let first = text.firstIndex { $0 != 0x20 && $0 != 0x09 }
                if let first, source[first] == 0x0A { lineEnd = first + 1 }
                if let first, source[first] == 0x0D, first + 1 < text.endIndex, source[first + 1] == 0x0A {
                    lineEnd = first + 2
                }
                if first == nil, place == tokens.count - 2 { lineEnd = after.written.upperBound }
                guard lineEnd != nil else { continue }
            }
            if let lineStart {
                let range = tokens[place - 1].range
                let end = max(range.lowerBound, min(range.upperBound, lineStart))
                tokens[place - 1].range = range.lowerBound..<end
            }
            if let lineEnd {
                let range = tokens[place + 1].range
                let first = min(range.upperBound, max(range.lowerBound, lineEnd))
                tokens[place + 1].range = first..<range.upperBound
            }
        }
    }
}
