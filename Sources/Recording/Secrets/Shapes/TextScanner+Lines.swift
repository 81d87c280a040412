// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Secrets in lines of configurations and logs, whose values have no quotes.
extension TextScanner {
    /// The value of a name without quotes: the rest of a line of configuration, the text up to the next name of a log's line, or up to the
    /// semicolon of a connection's text.
    mutating func lineValue(
        of name: Range<Int>, _ rule: ValueRule, behind index: Int, _ separator: UInt8
    ) -> Range<Int>? {
        let start = text.end(of: Self.blank, from: index + 1, limit: index + 33)
        guard start < text.count, let first = lineStart(of: name) else {
            return start < text.count ? wordValue(of: name, rule, from: start, separator) : nil
        }
        var range = start..<text.end(of: Self.line, from: start, limit: start + 512)
        if range.upperBound - start == 512 { return nil }
        if let next = block(range) { range = next }
        range = trimmed(range)
        if range.isEmpty || range.count > 256 { return nil }
        let value = text.slice(range)
        // Parameters, whose values end at the beginning of the next.
        if separator == UInt8(ascii: "="), hasParameter(value) { return nil }
        // A line of several names and values.
        if separator == UInt8(ascii: "="), value.contains(UInt8(ascii: "=")), TextTraits(value).spaces > 0 {
            return wordValue(of: name, rule, from: start, separator)
        }
        guard !isCode(range), !isExpression(range), !"({[|".utf8.contains(value[0]),
            !value.contains(UInt8(ascii: "(")) || rule == .any
        else {
            return nil
        }
        let traits = TextTraits(value)
        let isPlain = traits.digits == 0 && value.allSatisfy { ByteClass.name.contains($0) || $0 == UInt8(ascii: " ") }
        if rule != .any, isIdentifier(value, traits) { return nil }
        if isPlain || traits.spaces > 0 || rule != .any && value.count < 8 {
            guard separator == UInt8(ascii: "=") || first > 0 || hasSecondLine(range), isConfigurationText() else {
                return nil
            }
        }
        if isPlain, traits.spaces > 3 { return nil }
        if rule != .any, value.contains(where: { "/;,".utf8.contains($0) }), !traits.isToken(least: 8) { return nil }
        return Belief.place.holds(value, rule, strictness) ? range : nil
    }

    /// Whether a further name with a value stands behind an ampersand.
    private func hasParameter(_ value: Bytes) -> Bool {
        guard var index = value.firstIndex(of: UInt8(ascii: "&")) else { return false }
        let start = index + 1
        index = value.end(of: .name, from: start, limit: start + 64)
        return index > start && index < value.count && value[index] == UInt8(ascii: "=")
    }

    static let blank = ByteClass(" \t")
    private static let line = ByteClass((0x00...0xFF).filter { $0 != 0x0A && $0 != 0x0D })

    private func hasSecondLine(_ range: Range<Int>) -> Bool {
        text[range.upperBound...].contains { $0 > 0x20 }
    }

    /// The start of a line whose name this is; nil if something stands in front of it.
    private func lineStart(of name: Range<Int>) -> Int? {
        var start = name.lowerBound
        while start > 0, name.lowerBound - start < 32, text[start - 1] != 0x0A { start -= 1 }
        guard start == 0 || text[start - 1] == 0x0A else { return nil }
        let front = text.slice(start..<name.lowerBound)
        // `//registry.example.com/:_authToken=…`
        if front.count > 3, front[0] == UInt8(ascii: "/"), front[front.count - 1] == UInt8(ascii: ":") { return start }
        if front.allSatisfy({ " \t-\"'$#;/.*`_".utf8.contains($0) }) { return start }
        let isKnown = Self.fronts.contains { word in
            front.indices.contains { index in
                front.hasInAnyCase(word, at: index) && front[..<index].allSatisfy { " \t-".utf8.contains($0) }
                    && front[(index + word.utf8CodeUnitCount)...].allSatisfy { " \t\"'-x".utf8.contains($0) }
            }
        }
        return isKnown ? start : nil
    }

    private static let fronts: [StaticString] = [
        "export ", "set ", "setenv ", "env ", "arg ", "$env:", "const ", "let ", "var ", "#define ", "declare ",
        "local ",
        "readonly ", "environment=", "//", "public ", "val ",
    ]

    /// Without the comment and the signs at the end.
    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        for index in range
        where text[index] == UInt8(ascii: "#") && index > range.lowerBound && text[index - 1] == UInt8(ascii: " ") {
            end = index
            break
        }
        while end > range.lowerBound, " \t".utf8.contains(text[end - 1]) { end -= 1 }
        if end > range.lowerBound, ";,".utf8.contains(text[end - 1]) { end -= 1 }
        if end - range.lowerBound > 1, "\"'".utf8.contains(text[end - 1]), text[range.lowerBound] == text[end - 1] {
            return range.lowerBound + 1..<end - 1
        }
        if end > range.lowerBound, "\"'".utf8.contains(text[end - 1]) { end -= 1 }
        return range.lowerBound..<end
    }

    /// The line below the mark of a block in YAML (`|`, `>-`).
    private func block(_ range: Range<Int>) -> Range<Int>? {
        guard (1...2).contains(range.count), text[range].allSatisfy({ "|>-+".utf8.contains($0) }) else { return nil }
        let start = text.end(of: .space, from: range.upperBound, limit: range.upperBound + 64)
        return start..<text.end(of: Self.line, from: start, limit: start + 512)
    }

    /// A value that is one of several on its line.
    private mutating func wordValue(
        of name: Range<Int>, _ rule: ValueRule, from start: Int, _ separator: UInt8
    ) -> Range<Int>? {
        if separator == UInt8(ascii: ":") { return spokenValue(rule, from: start) }
        guard separator == UInt8(ascii: "="), name.lowerBound > 0 || rule == .any else { return nil }
        var end = start
        let limit = min(text.count, start + 256)
        let front = name.lowerBound > 0 ? text[name.lowerBound - 1] : 0x20
        if front == UInt8(ascii: ";") {
            guard isConnection(name.lowerBound - 1) else { return nil }
            while end < limit, text[end] > 0x1F, !";\"'<".utf8.contains(text[end]) { end += 1 }
        } else {
            guard " \t,|[(".utf8.contains(front) || name.lowerBound == 0 || front == 0x0A else { return nil }
            while end < limit, text[end] > 0x20, !"\"'<>;,)]}".utf8.contains(text[end]) { end += 1 }
            guard isLog(name, from: end) else {
                return front == UInt8(ascii: " ") ? spokenValue(rule, from: start) : nil
            }
            if rule == .any { end = wordsEnd(from: end, limit: limit) }
            while end > start, text[end - 1] == UInt8(ascii: ",") { end -= 1 }
        }
        let range = start..<end
        guard range.count >= 3, !isCode(range), !isExpression(range),
            !text[range].contains(where: { "({".utf8.contains($0) }),
            Belief.place.holds(text.slice(range), rule, strictness)
        else {
            return nil
        }
        return range
    }

    /// A password with a number in it behind a colon and a space, or behind `=`, as people write it.
    private func spokenValue(_ rule: ValueRule, from start: Int) -> Range<Int>? {
        guard rule == .any, start > 0, " =".utf8.contains(text[start - 1]) else { return nil }
        let end = text.end(of: Self.word, from: start, limit: start + 128)
        guard end == text.count || text[end] <= 0x20, end - start >= 6, !isCode(start..<end),
            !isExpression(start..<end)
        else { return nil }
        let traits = TextTraits(text.slice(start..<end))
        return traits.digits > 0 && traits.letters > 2 && Belief.place.holds(text.slice(start..<end), rule, strictness)
            ? start..<end : nil
    }

    private static let word = ByteClass((0x21...0xFF).filter { !"\"'<>{}();,".utf8.contains($0) })

    /// The end of words that stand between a value and the next name of a log's line.
    private func wordsEnd(from end: Int, limit: Int) -> Int {
        var index = end
        var word = end
        while index < limit, text[index] != 0x0A, text[index] != UInt8(ascii: "\"") {
            if text[index] == UInt8(ascii: " ") { word = index }
            if text[index] == UInt8(ascii: "=") { return index > word + 1 ? word : end }
            index += 1
        }
        return end
    }

    /// Whether other names with values stand on the same line, as in a log.
    private func isLog(_ name: Range<Int>, from end: Int) -> Bool {
        var index = name.lowerBound
        let limit = max(0, index - 128)
        while index > limit, text[index - 1] != 0x0A {
            index -= 1
            if text[index] == UInt8(ascii: "=") {
                return index > 0 && ByteClass.name.contains(text[index - 1])
                    && !text[index..<name.lowerBound].contains { "({<&".utf8.contains($0) }
            }
        }
        index = end
        while index < min(text.count, end + 64), text[index] != 0x0A {
            if text[index] == UInt8(ascii: "=") { return ByteClass.name.contains(text[index - 1]) }
            if "({<&".utf8.contains(text[index]) { return false }
            index += 1
        }
        return false
    }

    /// Whether names and values with semicolons between stand in front of one, as in the text of a connection.
    private func isConnection(_ semicolon: Int) -> Bool {
        var index = semicolon
        let limit = max(0, index - 256)
        while index > limit, text[index - 1] > 0x1F, !"\"'<>({".utf8.contains(text[index - 1]) { index -= 1 }
        let front = text.slice(index..<semicolon)
        return front.indices.contains { place in
            front[place] == UInt8(ascii: "=")
                && Self.connections.contains { front.hasInAnyCase($0, at: place - $0.utf8CodeUnitCount) }
        }
    }

    private static let connections: [StaticString] = [
        "server", "host", "source", "uid", "user", "user id", "username", "database", "catalog", "endpoint", "port",
        "accountname", "driver", "dsn", "address", "hostname", "login", "account", "dbname",
    ]

    /// Whether the text is one of names and values, line by line, and no program.
    mutating func isConfigurationText() -> Bool {
        if let isConfiguration { return isConfiguration }
        var (lines, named) = (0, 0)
        var start = text.end(of: .space, from: 0, limit: 256)
        if start < text.count, "<{".utf8.contains(text[start]) {
            isConfiguration = false
            return false
        }
        start = 0
        while start < min(text.count, 16_384), lines < 200 {
            let end = text[start...].firstIndex(of: 0x0A) ?? text.count
            let first = text.end(of: Self.front, from: start, limit: end)
            if first < end {
                lines += 1
                named += isNamed(first..<end) ? 1 : 0
            }
            start = end + 1
        }
        let result = lines > 0 && named * 10 >= lines * 7
        isConfiguration = result
        return result
    }

    private static let front = ByteClass(" \t\r-\"'$")

    private func isNamed(_ line: Range<Int>) -> Bool {
        if "#;[!".utf8.contains(text[line.lowerBound]) || text.has(Array("//".utf8), at: line.lowerBound) {
            return true
        }
        var end = text.end(of: Self.key, from: line.lowerBound, limit: line.upperBound)
        for word in ["export ", "set ", "env ", "arg "] as [StaticString]
        where text.hasInAnyCase(word, at: line.lowerBound) {
            let start = line.lowerBound + word.utf8CodeUnitCount
            end = text.end(of: Self.key, from: start, limit: line.upperBound)
        }
        end = text.end(of: Self.blank, from: end, limit: line.upperBound)
        guard end > line.lowerBound, end < line.upperBound, ":=".utf8.contains(text[end]) else { return false }
        var last = line.upperBound
        while last > end, ByteClass.space.contains(text[last - 1]) { last -= 1 }
        return !"{(".utf8.contains(text[last - 1]) && !text.has(Array(");".utf8), at: last - 2)
    }

    private static let key = ByteClass.name.union("\"'/[]")
}
