// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension TextScanner {
    /// Looks at a name and a value around `=`, `:` or `>`: a parameter of a query, an attribute, an element, a member in a text that is not JSON, a
    /// line of configuration.
    ///
    /// - Returns: where to go on.
    mutating func assignment(at index: Int, separator: UInt8) -> Int {
        var separator = separator
        var nameEnd = index
        if separator == UInt8(ascii: ">") {
            guard index > 0, text[index - 1] == UInt8(ascii: "=") else { return element(behindTag: index) }
            // `'password' => 'x'`
            separator = UInt8(ascii: "=")
            nameEnd = index - 1
        } else if index + 1 < text.count, text[index + 1] == separator || text[index + 1] == UInt8(ascii: ">") {
            // A comparison, `::`, or an arrow, which is looked at by its last character.
            return index + 1
        }
        guard var name = name(before: nameEnd) else { return index + 1 }
        let isCookie = separator == UInt8(ascii: ":") && isSetCookie(name)
        let isInQuery =
            separator == UInt8(ascii: "=") && name.lowerBound > 0 && "?&;#".utf8.contains(text[name.lowerBound - 1])
        var belief = Belief.quotes
        if separator == UInt8(ascii: "="), let other = nameOfTag(of: name),
            SecretNames.rule(for: text.slice(other), use: .member) != nil
        {
            name = other
            belief = .place
        }
        let rule = SecretNames.rule(for: text.slice(name), use: isInQuery ? .query : .member)
        if rule == nil, !isCookie, separator != UInt8(ascii: "=") { return index + 1 }
        guard let (value, quote) = value(behind: index, separator: separator) else { return index + 1 }
        if isCookie { return value.isEmpty ? index + 1 : cookie(value) ?? index + 1 }
        if let rule, let secret = secret(value, quote, of: name, rule, behind: index, separator, belief) {
            return found(secret, name: name, isInQuery: isInQuery, kind: nil)
        }
        // A value of high entropy is believed of attributes and of parameters alone.
        guard hasRuns, separator == UInt8(ascii: "="), quote != nil || isInQuery,
            value.count <= 3 * TextTraits.runLengths.upperBound,
            value.count >= TextTraits.runLengths.lowerBound, !SecretNames.isExemptFromEntropy(text.slice(name))
        else { return index + 1 }
        let decoded = MappedText(percent: text.slice(value)).bytes
        guard decoded.withUnsafeBufferPointer({ TextTraits($0).isHighEntropy }), !isExempt(value) else {
            return index + 1
        }
        return found(value, name: name, isInQuery: isInQuery, kind: .highEntropy)
    }

    /// The secret behind a secret name: a value in quotes or without them, or the rest of its line.
    private mutating func secret(
        _ value: Range<Int>, _ quote: UInt8?, of name: Range<Int>, _ rule: ValueRule, behind index: Int,
        _ separator: UInt8, _ belief: Belief
    ) -> Range<Int>? {
        let hasQuotes = quote != nil
        if isDirectory(value, of: name) { return nil }
        // A password may hold the characters that end other values.
        if !hasQuotes, rule == .any, strictness == .redaction, !isParameter(name),
            let line = lineValue(of: name, rule, behind: index, separator)
        {
            return line
        }
        if !value.isEmpty,
            isSecret(
                value, rule, isTrusted: isTrusted(name, value, rule, separator: separator, hasQuotes: hasQuotes),
                mayBeCode: !hasQuotes && !isParameter(name))
        {
            return value
        }
        if strictness == .scan { return nil }
        guard hasQuotes else { return lineValue(of: name, rule, behind: index, separator) }
        let isPlace =
            belief == .place || isInTag(name)
            || separator == UInt8(ascii: ":") && quote == UInt8(ascii: "\"") && isQuoted(name)
            || quote == UInt8(ascii: "'") && isInStatement(name)
            || isConfigurationText()
        return (isPlace ? Belief.place : .quotes).holds(text.slice(value), rule, strictness) ? value : nil
    }

    /// Whether a `pwd` is the directory that somebody is in.
    private func isDirectory(_ value: Range<Int>, of name: Range<Int>) -> Bool {
        guard let first = text[value].first, "/~".utf8.contains(first), name.count >= 3 else { return false }
        return text.hasInAnyCase("pwd", at: name.upperBound - 3)
    }

    /// Whether a value is believed by its name alone: in JSON that cannot be read, and for passwords in URLs.
    private func isTrusted(
        _ name: Range<Int>, _ value: Range<Int>, _ rule: ValueRule, separator: UInt8, hasQuotes: Bool
    ) -> Bool {
        if separator == UInt8(ascii: ":") {
            let isTrusting = trustsQuotedNames || name.upperBound <= quotedDataEnd
            return isTrusting && hasQuotes && (isQuoted(name) || rule == .any)
        }
        return rule == .any && isParameter(name)
    }

    /// Whether a name is that of a parameter of a URL, and no word behind the `&&` of a program.
    private func isParameter(_ name: Range<Int>) -> Bool {
        guard name.lowerBound > 1, !text.has(Array("this.".utf8), at: name.lowerBound),
            name.upperBound >= text.count || text[name.upperBound] != UInt8(ascii: "+")
        else { return false }
        let sign = text[name.lowerBound - 1]
        return sign == UInt8(ascii: "?") || sign == UInt8(ascii: "&") && text[name.lowerBound - 2] != sign
    }

    func isSecret(_ value: Range<Int>, _ rule: ValueRule, isTrusted: Bool, mayBeCode: Bool) -> Bool {
        let decoded = start(of: value)
        return decoded.withUnsafeBufferPointer { bytes in
            guard rule.matches(bytes) else { return false }
            if strictness == .redaction, isTrusted || known.isWord(bytes) { return true }
            if case .digits = rule { return false }
            let traits = TextTraits(bytes)
            if mayBeCode,
                "[({^".utf8.contains(bytes[0]) || isCode(value) || isTimed(value) || isExpression(value)
                    || isIdentifier(bytes, traits)
            {
                return false
            }
            return strictness == .redaction ? traits.isToken(least: 8) : traits.isRealToken
        }
    }

    /// Whether a value without quotes is a call or the member of something, as in a program.
    func isCode(_ value: Range<Int>) -> Bool {
        if value.upperBound < text.count, "([".utf8.contains(text[value.upperBound]) { return true }
        // Names of parts are short; many names may stand in front of one long value.
        let value = value.lowerBound..<min(value.upperBound, value.lowerBound + 256)
        if text[value].contains(UInt8(ascii: "[")) { return true }
        let parts = text[value].split(separator: UInt8(ascii: "."))
        let letters = ByteClass.lowercase.union("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return parts.count > 1 && parts.contains { $0.count > 2 && $0.allSatisfy(letters.contains) }
            && parts.allSatisfy {
                $0.count <= 24 && !ByteClass.digits.contains($0[$0.startIndex])
                    && $0.allSatisfy(ByteClass.word.contains)
            }
    }

    /// Whether the duration of a test stands behind a value, as in `PASS: TestVet/4 (0.00s)`.
    private func isTimed(_ value: Range<Int>) -> Bool {
        guard text.has(Array(" (".utf8), at: value.upperBound) else { return false }
        let start = value.upperBound + 2
        let end = text.end(of: ByteClass.digits.union("."), from: start, limit: min(text.count, start + 12))
        return end > start && text.has(Array("s)".utf8), at: end)
    }

    /// Whether a value without quotes begins as an expression of a program does: with a call, a member of something, an operator.
    func isExpression(_ value: Range<Int>) -> Bool {
        let limit = min(text.count, value.lowerBound + 256)
        var index = value.lowerBound
        for word in Self.operators where text.hasInAnyCase(word, at: index) { return true }
        // Names with dots between.
        var parts: [Range<Int>] = []
        while index < limit {
            let end = text.end(of: Self.identifier, from: index, limit: limit)
            guard end > index, !ByteClass.digits.contains(text[index]) else { return false }
            parts.append(index..<end)
            index = end
            if index < limit, text[index] == UInt8(ascii: "?") || text[index] == UInt8(ascii: "!") { index += 1 }
            guard index < limit, text[index] == UInt8(ascii: ".") else { break }
            index += 1
        }
        guard let first = parts.first else { return false }
        let isOfProgram = parts.count > 1 && Self.objects.contains(String(decoding: text[first], as: UTF8.self))
        // With a digit in its last name it may be a password with a dot.
        if isOfProgram, let last = parts.last {
            let isEnded = index < text.count && "([;,)".utf8.contains(text[index])
            if isEnded || !text[last].contains(where: ByteClass.digits.contains) { return true }
        }
        if index < limit, "([".utf8.contains(text[index]) {
            return text[index..<limit].contains(
                text[index] == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "]"))
        }
        let next = text.end(of: Self.blank, from: index, limit: index + 4)
        return Self.followers.contains { text.hasInAnyCase($0, at: next) }
    }

    private static let identifier = ByteClass.word.union("$")
    private static let operators: [StaticString] = [
        "new ", "await ", "yield ", "typeof ", "function", "lambda ", "async ", "!", "`", "(", "...", "() =>", "str(",
    ]
    /// The texts that stand behind a name in an expression.
    private static let followers: [StaticString] = [
        "|| ", "&& ", "?? ", "=> ", "=== ", "!== ", "== ", "!= ", "if ", "or ", "and ", "+ \"", "+ '", "? ", "||", "&&",
        "??",
        "=>", "==",
    ]
    /// Names that programs have for their input.
    private static let objects: Set<String> = [
        "this", "self", "window", "document", "location", "process", "req", "request", "res", "response", "config",
        "options", "opts", "params", "props", "state", "event", "e", "os", "env", "args", "input", "user", "form",
        "data", "ctx", "context", "settings", "module", "exports", "navigator", "localStorage", "sessionStorage",
        "JSON",
        "Math", "Object", "String", "Buffer", "crypto", "globalThis", "axios", "session", "store", "body", "payload",
        "result", "account", "credentials", "auth", "cls", "sys", "url", "uri", "parsed", "match", "matches", "t", "n",
        "r", "o", "i", "a", "s", "c", "l", "u",
    ]

    /// Whether a value is the name of a variable: words with `_` between.
    func isIdentifier(_ value: Bytes, _ traits: TextTraits) -> Bool {
        value.contains(UInt8(ascii: "_")) && value.allSatisfy(ByteClass.word.contains) && traits.isSlug(of: 6)
    }

    /// The first 128 bytes of a value, decoded, which are all that is judged: many names may stand in front of one long value.
    private func start(of value: Range<Int>) -> [UInt8] {
        MappedText(percent: text.slice(value.prefix(128))).bytes
    }

    mutating func found(_ value: Range<Int>, name: Range<Int>, isInQuery: Bool, kind: SecretKind?) -> Int {
        let name = String(decoding: text[name], as: UTF8.self)
        let decoded = MappedText(percent: text.slice(value)).bytes
        matches.append(
            SecretMatch(
                range: value, value: decoded, kind: SecretKind.shape(of: text.slice(value)) ?? kind ?? .named(name),
                name: name, isInQuery: isInQuery))
        return value.upperBound
    }

    /// The name in front of a separator, without the quotes around it.
    private func name(before index: Int) -> Range<Int>? {
        var end = spaces(before: index)
        // `:=`, `?=` and `+=`, and `::` of LDIF.
        if end > 1, ":?+".utf8.contains(text[end - 1]) { end = spaces(before: end - 1) }
        // `$config['password'] =`, `**password**:`
        while end > 0, index - end < 40, "]*`".utf8.contains(text[end - 1]) { end -= 1 }
        if end > 0, text[end - 1] == UInt8(ascii: "\"") || text[end - 1] == UInt8(ascii: "'") { end -= 1 }
        if end > 0, text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        while end > 0, text[end - 1] == UInt8(ascii: "]") { end -= 1 }
        var start = end
        while start > 0, end - start < 64, ByteClass.name.contains(text[start - 1]) { start -= 1 }
        return start < end && end - start < 64 ? start..<end : nil
    }

    private func spaces(before index: Int) -> Int {
        var end = index
        while end > 0, index - end < 32, text[end - 1] == UInt8(ascii: " ") || text[end - 1] == 0x09 { end -= 1 }
        return end
    }

    private func isQuoted(_ name: Range<Int>) -> Bool {
        guard name.upperBound < text.count else { return false }
        return text[name.upperBound] == UInt8(ascii: "\"") || text.has(Array("\\\"".utf8), at: name.upperBound)
    }

    /// The value behind a separator, and the quote around it.
    private mutating func value(behind index: Int, separator: UInt8) -> (Range<Int>, UInt8?)? {
        var start = index + 1
        start = text.end(of: separator == UInt8(ascii: "=") ? Self.blank : .space, from: start, limit: start + 4)
        guard start < text.count else { return nil }
        var isEscaped = false
        if text[start] == UInt8(ascii: "\\"), start + 1 < text.count, text[start + 1] == UInt8(ascii: "\"") {
            isEscaped = true
            start += 1
        }
        let quote = text[start]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return (start..<runs.unquoted(from: start, in: text), nil)
        }
        start += 1
        let stop = isEscaped ? UInt8(ascii: "\\") : quote
        var end = start
        let limit = min(text.count, start + 4096)
        while end < limit, text[end] != stop, text[end] != 0x0A {
            if text[end] == UInt8(ascii: "\\") { end += 1 }
            end += 1
        }
        return end < limit && text[end] == stop ? (start..<end, quote) : nil
    }

    private func isSetCookie(_ name: Range<Int>) -> Bool {
        name.count == 10 && text.hasInAnyCase("set-cookie", at: name.lowerBound)
    }

    /// The value of the cookie in the line of a Set-Cookie field that stands in a text; real ones alone, since samples do no harm.
    ///
    /// - Returns: where to go on.
    private mutating func cookie(_ value: Range<Int>) -> Int? {
        guard let equals = text[value].firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let content = equals + 1..<value.upperBound
        guard TextTraits(text.slice(content)).isRealToken else { return nil }
        matches.append(
            SecretMatch(
                range: content, value: Array(text[content]), kind: .cookie,
                name: String(decoding: text[value.lowerBound..<equals], as: UTF8.self), spread: .ifOwn))
        return value.upperBound
    }
}
