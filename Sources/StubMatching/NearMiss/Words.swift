// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import JSONText

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

    /// The values of one name: `"3"`, `"3" and "4"`, or nothing.
    static func values(_ values: [Bytes]) -> String {
        if values.isEmpty { return "nothing" }
        let shown = values.prefix(3).map { quoted($0) }.joined(separator: " and ")
        return values.count > 3 ? "\(shown) and \(values.count - 3) more" : shown
    }

    static func matcher(_ matcher: MultiValueMatcher) -> String {
        switch matcher {
        case .single(let matcher): Words.matcher(matcher)
        case .hasExactly(let matchers): "hasExactly [\(matchers.map { Words.matcher($0) }.joined(separator: ", "))]"
        case .includes(let matchers): "includes [\(matchers.map { Words.matcher($0) }.joined(separator: ", "))]"
        }
    }

    static func matcher(_ matcher: ValueMatcher) -> String {
        switch matcher {
        case .equalTo(let text, caseInsensitive: false): "equalTo \(quoted(text.utf8))"
        case .equalTo(let text, caseInsensitive: true): "equalTo \(quoted(text.utf8)) in any case"
        case .contains(let text): "contains \(quoted(text.utf8))"
        case .doesNotContain(let text): "doesNotContain \(quoted(text.utf8))"
        case .matches(let pattern): "matches \(quoted(pattern.text.utf8))"
        case .doesNotMatch(let pattern): "doesNotMatch \(quoted(pattern.text.utf8))"
        case .absent: "absent"
        case .equalToJSON(let node, _, _): "equalToJson \(shortened(JSONWriter.compact(node)))"
        case .and(let matchers): "(\(matchers.map { Words.matcher($0) }.joined(separator: " and ")))"
        case .or(let matchers): "(\(matchers.map { Words.matcher($0) }.joined(separator: " or ")))"
        case .not(let matcher): "not \(Words.matcher(matcher))"
        }
    }
}
