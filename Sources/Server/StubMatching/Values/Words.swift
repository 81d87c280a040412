// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// How matchers and values are said in messages.
enum Words {
    /// A text of at most `NearMissLimits.shownCharacters` characters; a longer one ends with an ellipsis.
    static func shortened(_ bytes: some Collection<UInt8>) -> String {
        let limit = NearMissLimits.shownCharacters
        // A character has rarely more than four bytes; the rest need not be decoded.
        let text = String(decoding: bytes.prefix(limit * 8), as: UTF8.self)
        if text.count <= limit, bytes.count <= limit * 8 { return text }
        return text.prefix(limit) + "…"
    }

    /// A value between quotes, with control characters escaped.
    static func quoted(_ bytes: some Collection<UInt8>) -> String {
        var output: [UInt8] = []
        JSONWriter.writeString(shortened(bytes), to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// A value that is named by its length alone.
    static func hidden(_ bytes: some Collection<UInt8>) -> String {
        "\(bytes.count) byte\(bytes.count == 1 ? "" : "s") (not shown)"
    }

    /// A JSON value on one line, shortened.
    static func json(_ node: JSONNode) -> String {
        shortened(JSONWriter.compact(node, enough: NearMissLimits.shownCharacters * 8))
    }

    /// The values of one name: `"3"`, `"3" and "4"`, or nothing.
    static func values(_ values: [Bytes], isHidden: Bool = false) -> String {
        if values.isEmpty { return "nothing" }
        let shown = values.prefix(3).map { isHidden ? hidden($0) : quoted($0) }.joined(separator: " and ")
        return values.count > 3 ? "\(shown) and \(values.count - 3) more" : shown
    }

    /// Texts as `values` has them.
    static func values(texts: [[UInt8]]) -> String {
        let shown = texts.prefix(3).map { quoted($0) }.joined(separator: " and ")
        return texts.count > 3 ? "\(shown) and \(texts.count - 3) more" : shown
    }

    /// The conditions on the parts of a body: `a part "file" with headers.content-type contains "png"`.
    static func multipart(_ pattern: MultipartPattern) -> String {
        var asked: [String] = []
        if let name = pattern.fileName { asked.append("fileName \(quoted(name.utf8))") }
        for header in pattern.headers {
            let isHidden = Confidential.isHeader(header.name)
            asked.append("headers.\(header.name) \(matcher(header.matcher, isHidden: isHidden))")
        }
        for body in pattern.body {
            switch body {
            case .value(let value): asked.append(matcher(value))
            case .binaryEqualTo(let bytes): asked.append("the \(bytes.count) bytes of binaryEqualTo")
            case .file(let name, _): asked.append("what \(quoted(name.utf8)) holds")
            }
        }
        let name = pattern.name.map { " \(quoted($0.utf8))" } ?? ""
        let with = asked.isEmpty ? "" : " with \(asked.joined(separator: " and "))"
        return (pattern.asksAll ? "every part" : "a part") + name + with
    }

    /// - Parameter isHidden: whether the values that are asked for are not shown.
    static func matcher(_ matcher: MultiValueMatcher, isHidden: Bool = false) -> String {
        func list(_ matchers: [ValueMatcher]) -> String {
            matchers.map { Words.matcher($0, isHidden: isHidden) }.joined(separator: ", ")
        }
        return switch matcher {
        case .single(let matcher): Words.matcher(matcher, isHidden: isHidden)
        case .hasExactly(let matchers): "hasExactly [\(list(matchers))]"
        case .includes(let matchers): "includes [\(list(matchers))]"
        }
    }

    static func matcher(_ matcher: ValueMatcher, isHidden: Bool = false) -> String {
        func said(_ text: String) -> String { isHidden ? hidden(text.utf8) : quoted(text.utf8) }
        // A pattern without a letter or a digit, such as `.+`, gives nothing away, and neither does a scheme in front of one.
        func said(_ pattern: Pattern) -> String {
            let parts = pattern.text.split(ascii: " ", maxSplits: 1)
            let hasScheme = parts.count == 2 && ["bearer", "basic", "digest", "token"].contains(parts[0].lowercased())
            let isRevealing = (hasScheme ? parts[1] : pattern.text[...]).contains { $0.isLetter || $0.isNumber }
            return isRevealing ? said(pattern.text) : quoted(pattern.text.utf8)
        }
        func list(_ matchers: [ValueMatcher], _ word: String) -> String {
            "(\(matchers.map { Words.matcher($0, isHidden: isHidden) }.joined(separator: " \(word) ")))"
        }
        return switch matcher {
        case .equalTo(let text, caseInsensitive: false): "equalTo \(said(text))"
        case .equalTo(let text, caseInsensitive: true): "equalTo \(said(text)) in any case"
        case .contains(let text): "contains \(said(text))"
        case .doesNotContain(let text): "doesNotContain \(said(text))"
        case .matches(let pattern): "matches \(said(pattern))"
        case .doesNotMatch(let pattern): "doesNotMatch \(said(pattern))"
        case .absent: "absent"
        case .equalToJSON(let node, _, _) where isHidden: "equalToJson \(hidden(JSONWriter.compact(node)))"
        case .equalToJSON(let node, _, _): "equalToJson \(json(node))"
        case .anything: "anything"
        case .leaf(let leaf): Words.leaf(leaf, isHidden: isHidden)
        case .jsonPath(let path, let nested), .xPath(let path, namespaces: _, let nested):
            found(matcher, path.text, nested, isHidden: isHidden)
        case .graphQL(let pattern): graphQL(pattern)
        case .and(let matchers): list(matchers, "and")
        case .or(let matchers): list(matchers, "or")
        case .not(let matcher): "not \(Words.matcher(matcher, isHidden: isHidden))"
        }
    }

    private static func leaf(_ leaf: any LeafMatcher, isHidden: Bool) -> String {
        switch leaf.operand {
        case .text(let text, let note): "\(leaf.key) \(isHidden ? hidden(text.utf8) : quoted(text.utf8))\(note)"
        case .plain(let text): "\(leaf.key) \(isHidden ? hidden(text.utf8) : shortened(text.utf8))"
        }
    }

    private static func found(
        _ outer: ValueMatcher, _ path: String, _ nested: ValueMatcher?, isHidden: Bool
    ) -> String {
        let key = if case .jsonPath = outer { "matchesJsonPath" } else { "matchesXPath" }
        let rest = nested.map { " \(matcher($0, isHidden: isHidden))" } ?? ""
        return "\(key) \(quoted(path.utf8))\(rest)"
    }

    private static func graphQL(_ pattern: GraphQLPattern) -> String {
        var text = "graphqlQuery \(quoted(pattern.query.text.utf8))"
        if let name = pattern.operationName { text += " with operationName \(quoted(name.utf8))" }
        if let variables = pattern.variables { text += " with variables \(json(variables))" }
        return text
    }
}
