// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension TextFinder {
    /// Looks at a name and a value around `=`, `:` or `>`: a parameter of a query, an attribute, an element, a member in a text that is no JSON, a
    /// line of configuration.
    ///
    /// - Returns: where to go on.
    mutating func assignment(at index: Int, separator: UInt8) -> Int {
        guard var name = separator == UInt8(ascii: ">") ? element(before: index) : name(before: index) else {
            return index + 1
        }
        let isCookie = separator == UInt8(ascii: ":") && isSetCookie(name)
        let isInQuery =
            separator == UInt8(ascii: "=") && name.lowerBound > 0 && "?&;#".utf8.contains(text[name.lowerBound - 1])
        if separator == UInt8(ascii: "="), let other = nameOfTag(of: name),
            SecretNames.rule(for: text.slice(other), use: .member) != nil
        {
            name = other
        }
        let rule = SecretNames.rule(for: text.slice(name), use: isInQuery ? .query : .member)
        if rule == nil, !isCookie, separator != UInt8(ascii: "=") { return index + 1 }
        guard let (value, quote) = value(behind: index, separator: separator), !value.isEmpty else { return index + 1 }
        if isCookie { return cookie(value) ?? index + 1 }
        let hasQuotes = quote != nil
        if let rule,
            isSecret(
                value, rule, isTrusted: isTrusted(name, value, rule, separator: separator, hasQuotes: hasQuotes),
                mayBeCode: !hasQuotes && separator != UInt8(ascii: ">") && !isParameter(name))
        {
            return found(value, name: name, isInQuery: isInQuery, kind: nil)
        }
        // A value of high entropy is believed of attributes and of parameters alone.
        guard separator == UInt8(ascii: "="), hasQuotes || isInQuery, value.count <= 3 * Look.runLengths.upperBound,
            value.count >= Look.runLengths.lowerBound, !SecretNames.isExemptFromEntropy(text.slice(name))
        else { return index + 1 }
        let decoded = MappedText(percent: text.slice(value)).bytes
        guard decoded.withUnsafeBufferPointer({ Look($0).isHighEntropy }) else { return index + 1 }
        return found(value, name: name, isInQuery: isInQuery, kind: .highEntropy)
    }

    /// Whether a value is believed by its name alone: in what is JSON but cannot be read, and of passwords in URLs and in elements.
    private func isTrusted(
        _ name: Range<Int>, _ value: Range<Int>, _ rule: ValueRule, separator: UInt8, hasQuotes: Bool
    ) -> Bool {
        switch separator {
        case UInt8(ascii: ":"): return trustsQuotedNames && hasQuotes && (isQuoted(name) || rule == .any)
        case UInt8(ascii: ">"): return rule == .any && "<]".utf8.contains(text[value.upperBound])
        default:
            return rule == .any && isParameter(name)
        }
    }

    /// Whether a name is that of a parameter of a URL, and no word behind the `&&` of a program.
    private func isParameter(_ name: Range<Int>) -> Bool {
        guard name.lowerBound > 1 else { return false }
        let sign = text[name.lowerBound - 1]
        return sign == UInt8(ascii: "?") || sign == UInt8(ascii: "&") && text[name.lowerBound - 2] != sign
    }

    private func isSecret(_ value: Range<Int>, _ rule: ValueRule, isTrusted: Bool, mayBeCode: Bool) -> Bool {
        let decoded = start(of: value)
        return decoded.withUnsafeBufferPointer { bytes in
            guard rule.matches(bytes) else { return false }
            if strictness == .redaction, isTrusted || known.isWord(bytes) { return true }
            if case .digits = rule { return false }
            if mayBeCode, isCode(value) { return false }
            let look = Look(bytes)
            return strictness == .redaction ? look.isToken(least: 8) : look.isRealToken
        }
    }

    /// Whether a value without quotes is a call or the member of something, as in a program.
    private func isCode(_ value: Range<Int>) -> Bool {
        if value.upperBound < text.count, "([".utf8.contains(text[value.upperBound]) { return true }
        let parts = text[value].split(separator: UInt8(ascii: "."))
        let letters = ByteClass.lowercase.union("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return parts.count > 1 && parts.contains { $0.count > 2 && $0.allSatisfy(letters.contains) }
            && parts.allSatisfy {
                $0.count <= 24 && !ByteClass.digits.contains($0[$0.startIndex])
                    && $0.allSatisfy(ByteClass.word.contains)
            }
    }

    /// The first 128 bytes of a value, decoded, which are all that is judged: many names may stand in front of one long value.
    private func start(of value: Range<Int>) -> [UInt8] {
        MappedText(percent: text.slice(value.prefix(128))).bytes
    }

    private mutating func found(_ value: Range<Int>, name: Range<Int>, isInQuery: Bool, kind: SecretKind?) -> Int {
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
        var end = index
        if end > 0, text[end - 1] == UInt8(ascii: " ") { end -= 1 }
        if end > 0, text[end - 1] == UInt8(ascii: "\"") || text[end - 1] == UInt8(ascii: "'") { end -= 1 }
        if end > 0, text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        while end > 0, text[end - 1] == UInt8(ascii: "]") { end -= 1 }
        var start = end
        while start > 0, end - start < 64, ByteClass.name.contains(text[start - 1]) { start -= 1 }
        return start < end && end - start < 64 ? start..<end : nil
    }

    /// The local name of the element whose start tag ends at a place, which begins at most 256 bytes before.
    private func element(before index: Int) -> Range<Int>? {
        let limit = max(0, index - 256)
        var start = index
        while start > limit, text[start - 1] != UInt8(ascii: "<"), text[start - 1] != UInt8(ascii: ">") { start -= 1 }
        guard start > 0, start < index, text[start - 1] == UInt8(ascii: "<") else { return nil }
        var end = text.end(of: .name, from: start, limit: index)
        if end < index, text[end] == UInt8(ascii: ":") {
            start = end + 1
            end = text.end(of: .name, from: start, limit: index)
        }
        let isWhole = end == index || ByteClass.space.contains(text[end])
        return isWhole && start < end && end - start < 64 ? start..<end : nil
    }

    /// What the tag calls its `content` or `value`: `<meta name="csrf-token" content="…">`.
    private func nameOfTag(of attribute: Range<Int>) -> Range<Int>? {
        guard
            ["content", "value"].contains(where: {
                attribute.count == $0.utf8CodeUnitCount && text.hasInAnyCase($0, at: attribute.lowerBound)
            })
        else { return nil }
        let limit = max(0, attribute.lowerBound - 256)
        var index = attribute.lowerBound
        while index > limit, text[index - 1] != UInt8(ascii: "<"), text[index - 1] != UInt8(ascii: ">") {
            index -= 1
            guard text.hasInAnyCase(" name=", at: index), index + 7 < text.count else { continue }
            let start = index + 6 + ("\"'".utf8.contains(text[index + 6]) ? 1 : 0)
            let end = text.end(of: .name, from: start, limit: attribute.lowerBound)
            return start < end && end - start < 64 ? start..<end : nil
        }
        return nil
    }

    private func isQuoted(_ name: Range<Int>) -> Bool {
        guard name.upperBound < text.count else { return false }
        return text[name.upperBound] == UInt8(ascii: "\"") || text.has(Array("\\\"".utf8), at: name.upperBound)
    }

    /// The value behind a separator, and the quote around it.
    private mutating func value(behind index: Int, separator: UInt8) -> (Range<Int>, UInt8?)? {
        var start = index + 1
        if separator != UInt8(ascii: ">") { start = text.end(of: .space, from: start, limit: start + 4) }
        guard start < text.count else { return nil }
        var isEscaped = false
        if text[start] == UInt8(ascii: "\\"), start + 1 < text.count, text[start + 1] == UInt8(ascii: "\"") {
            isEscaped = true
            start += 1
        }
        if separator == UInt8(ascii: ">") { return element(behind: start) }
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

    /// The text of an element, in CDATA or not.
    private mutating func element(behind start: Int) -> (Range<Int>, UInt8?)? {
        let mark = Array("<![CDATA[".utf8)
        let isData = text.has(mark, at: start)
        let first = isData ? start + mark.count : start
        let limit = min(text.count, first + 4096)
        var end = first
        while end < limit, text[end] != (isData ? UInt8(ascii: "]") : UInt8(ascii: "<")), text[end] != 0x0A { end += 1 }
        return end < limit ? (first..<end, nil) : nil
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
        guard Look(text.slice(content)).isRealToken else { return nil }
        matches.append(
            SecretMatch(
                range: content, value: Array(text[content]), kind: .cookie,
                name: String(decoding: text[value.lowerBound..<equals], as: UTF8.self), spread: .ifOwn))
        return value.upperBound
    }
}
