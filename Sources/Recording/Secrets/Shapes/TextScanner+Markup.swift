// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Secrets in the tags and elements of XML and HTML.
extension TextScanner {
    /// Looks at the element whose start tag ends at a place: `<password>x</password>`, `<entry key="password">x</entry>`, and at the one behind
    /// it if its text is a secret name: `<key>Password</key><string>x</string>`.
    ///
    /// - Returns: where to go on.
    mutating func element(behindTag close: Int) -> Int {
        guard let tag = tag(before: close), let content = content(behind: close + 1), !content.isEmpty else {
            return close + 1
        }
        if let rule = SecretNames.rule(for: text.slice(tag.name), use: .member) {
            let isTrusted = rule == .any && Belief.place.holds(text.slice(content), rule, strictness)
            if isTrusted || isSecret(content, rule, isTrusted: false, mayBeCode: false)
                || (tag.isPrefixed ? Belief.place : .quotes).holds(text.slice(content), rule, strictness)
            {
                return found(content, name: tag.name, isInQuery: false, kind: nil)
            }
        }
        if tag.attributes.count > 5, let name = naming(in: tag.attributes),
            let rule = SecretNames.rule(for: text.slice(name), use: .member), !isSame(name, content),
            Belief.place.holds(text.slice(content), rule, strictness)
        {
            return found(content, name: name, isInQuery: false, kind: nil)
        }
        let isDotted = text[content].contains(UInt8(ascii: "."))
        if content.count <= 48, !isDotted || tag.isField(in: text),
            let rule = SecretNames.rule(for: text.slice(content), use: .member),
            let value = sibling(behind: content.upperBound)
        {
            if (tag.isField(in: text) ? Belief.place : .quotes).holds(text.slice(value), rule, strictness) {
                return found(value, name: content, isInQuery: false, kind: nil)
            }
        }
        return close + 1
    }

    /// Whether two texts are the same in any case, as a heading of a page is.
    private func isSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { text[$0].lowercased == text[$1].lowercased }
    }

    /// Elements that hold the name of the value in the next.
    private static let fields: [StaticString] = [
        "key", "name", "param-name", "field", "property", "parameter", "attribute", "variable", "setting",
    ]

    private struct Tag {
        /// The local name.
        var name: Range<Int>
        var attributes: Range<Int>
        /// Whether the name has a prefix of a namespace, as no element of a page has.
        var isPrefixed: Bool

        func isField(in text: Bytes) -> Bool {
            TextScanner.fields.contains {
                name.count == $0.utf8CodeUnitCount && text.hasInAnyCase($0, at: name.lowerBound)
            }
        }
    }

    /// The start tag that ends at a place, and begins at most 512 bytes before.
    private func tag(before close: Int) -> Tag? {
        let limit = max(0, close - 512)
        var start = close
        while start > limit, text[start - 1] != UInt8(ascii: "<"), text[start - 1] != UInt8(ascii: ">") { start -= 1 }
        guard start > 0, start < close, text[start - 1] == UInt8(ascii: "<") else { return nil }
        var end = text.end(of: .name, from: start, limit: close)
        let isPrefixed = end < close && text[end] == UInt8(ascii: ":")
        if isPrefixed {
            start = end + 1
            end = text.end(of: .name, from: start, limit: close)
        }
        let isWhole = end == close || ByteClass.space.contains(text[end])
        guard isWhole, start < end, end - start < 64, text[close - 1] != UInt8(ascii: "/") else { return nil }
        return Tag(name: start..<end, attributes: end..<close, isPrefixed: isPrefixed)
    }

    /// The text of an element, in CDATA or not, without white space around it.
    private func content(behind start: Int) -> Range<Int>? {
        let mark = Array("<![CDATA[".utf8)
        let isData = text.has(mark, at: start)
        let first = text.end(of: .space, from: isData ? start + mark.count : start, limit: start + 256)
        let limit = min(text.count, first + 4096)
        var end = first
        while end < limit, text[end] != (isData ? UInt8(ascii: "]") : UInt8(ascii: "<")) { end += 1 }
        guard end < limit, isData || text.has(Array("</".utf8), at: end) else { return nil }
        while end > first, ByteClass.space.contains(text[end - 1]) { end -= 1 }
        return text[first..<end].contains(0x0A) ? nil : first..<end
    }

    /// The text of the element that follows the one whose text ends at a place.
    private func sibling(behind end: Int) -> Range<Int>? {
        var index = text.end(of: .space, from: end, limit: end + 64)
        guard text.has(Array("</".utf8), at: index), let close = self.close(from: index) else { return nil }
        index = text.end(of: .space, from: close + 1, limit: close + 128)
        guard index + 1 < text.count, text[index] == UInt8(ascii: "<"), text[index + 1] != UInt8(ascii: "/"),
            let open = self.close(from: index), text[open - 1] != UInt8(ascii: "/")
        else { return nil }
        // `<td><code>x</code></td>`
        let next = text.end(of: .space, from: open + 1, limit: open + 64)
        if next + 1 < text.count, text[next] == UInt8(ascii: "<"), text[next + 1] != UInt8(ascii: "/"),
            text[next + 1] != UInt8(ascii: "!"), let inner = self.close(from: next)
        {
            return content(behind: inner + 1)
        }
        return content(behind: open + 1)
    }

    private func close(from start: Int) -> Int? {
        text[start..<min(text.count, start + 128)].firstIndex(of: UInt8(ascii: ">"))
    }

    /// The name that a tag gives its `content` or `value`, in front of it or behind:
    /// `<meta name="csrf-token" content="…">`, `<add value="…" key="…">`.
    func nameOfTag(of attribute: Range<Int>) -> Range<Int>? {
        guard
            Self.values.contains(where: {
                attribute.count == $0.utf8CodeUnitCount && text.hasInAnyCase($0, at: attribute.lowerBound)
            })
        else { return nil }
        let limit = max(0, attribute.lowerBound - 512)
        var start = attribute.lowerBound
        while start > limit, text[start - 1] != UInt8(ascii: "<"), text[start - 1] != UInt8(ascii: ">") { start -= 1 }
        guard start > 0, text[start - 1] == UInt8(ascii: "<") else { return nil }
        if let name = naming(in: start..<attribute.lowerBound) { return name }
        // Behind the value.
        var index = attribute.upperBound + 1
        guard index < text.count, "\"'".utf8.contains(text[index]),
            let end = text[index + 1..<max(index + 1, min(text.count, index + 4096))].firstIndex(of: text[index])
        else { return nil }
        index = end + 1
        let close = text[index..<min(text.count, index + 256)].firstIndex(of: UInt8(ascii: ">")) ?? index
        return naming(in: index..<close)
    }

    private static let values: [StaticString] = ["content", "value", "data-value", "val"]

    /// The value of the attribute that names: `name`, `key`, `id` or `property`, the one with a secret name.
    private func naming(in attributes: Range<Int>) -> Range<Int>? {
        var index = attributes.lowerBound
        while let equals = text[index..<attributes.upperBound].firstIndex(of: UInt8(ascii: "=")) {
            index = equals + 1
            guard
                Self.names.contains(where: { word in
                    let start = equals - word.utf8CodeUnitCount
                    return start > attributes.lowerBound && text.hasInAnyCase(word, at: start)
                        && ByteClass.space.contains(text[start - 1])
                })
            else { continue }
            let start = index + (index < attributes.upperBound && "\"'".utf8.contains(text[index]) ? 1 : 0)
            let end = text.end(of: Self.naming, from: start, limit: attributes.upperBound)
            if start < end, end - start < 64, SecretNames.rule(for: text.slice(start..<end), use: .member) != nil {
                return start..<end
            }
        }
        return nil
    }

    private static let names: [StaticString] = ["name", "key", "id", "property", "itemprop"]
    private static let naming = ByteClass.name.union("[]:")

    /// Whether an attribute stands in a tag.
    func isInTag(_ attribute: Range<Int>) -> Bool {
        let limit = max(0, attribute.lowerBound - 512)
        var index = attribute.lowerBound
        while index > limit, text[index - 1] != UInt8(ascii: ">") {
            index -= 1
            if text[index] == UInt8(ascii: "<") {
                return ByteClass.alphanumeric.contains(text[index + 1])
                    && ByteClass.space.contains(text[attribute.lowerBound - 1])
            }
        }
        return false
    }
}
