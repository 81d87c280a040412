// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// Hashes of matchers by their conditions, wherever they stand.
enum MatcherHash {
    static func of(_ matcher: MultiValueMatcher) -> UInt64 {
        switch matcher {
        case .single(let matcher): of(matcher)
        case .hasExactly(let matchers): list(20, matchers)
        case .includes(let matchers): list(21, matchers)
        }
    }

    static func of(_ matcher: ValueMatcher) -> UInt64 {
        switch matcher {
        case .equalTo(let text, let ignoringCase): ByteHash.hash(text, seed: ignoringCase ? 2 : 1)
        case .contains(let text): ByteHash.hash(text, seed: 3)
        case .doesNotContain(let text): ByteHash.hash(text, seed: 4)
        case .matches(let pattern): ByteHash.hash(pattern.text, seed: 5)
        case .doesNotMatch(let pattern): ByteHash.hash(pattern.text, seed: 6)
        case .absent: 7
        case .equalToJSON(let node, let order, let extra): ByteHash.combine((order ? 8 : 9) + (extra ? 2 : 0), of(node))
        case .anything: 22
        case .leaf(let leaf): text(23, [leaf.key] + leaf.identity)
        case .jsonPath(let path, let nested): text(25, [path.text], nested.map { of($0) } ?? 0)
        case .xPath(let path, let namespaces, let nested):
            text(26, [path.text] + namespaces.flatMap { [$0.name, $0.matcher] }, nested.map { of($0) } ?? 0)
        case .graphQL(let pattern):
            text(30, [pattern.query.text, pattern.operationName ?? "\u{0}"], pattern.variables.map { of($0) } ?? 0)
        case .and(let matchers): list(12, matchers)
        case .or(let matchers): list(13, matchers)
        case .not(let matcher): ByteHash.combine(14, of(matcher))
        }
    }

    static func of(_ matcher: BodyMatcher) -> UInt64 {
        switch matcher {
        case .value(let matcher): of(matcher)
        case .binaryEqualTo(let bytes): bytes.withUnsafeBufferPointer { ByteHash.hash($0, seed: 15) }
        case .file(_, let matcher): of(matcher)
        }
    }

    static func of(_ pattern: MultipartPattern) -> UInt64 {
        let names = text(31, [pattern.asksAll ? "ALL" : "ANY", pattern.name ?? "\u{0}", pattern.fileName ?? "\u{0}"])
        let headers = pattern.headers.reduce(names) { ByteHash.combine($0, text(32, [$1.name], of($1.matcher))) }
        return pattern.body.reduce(headers) { ByteHash.combine($0, of($1)) }
    }

    private static func text(_ seed: UInt64, _ texts: [String], _ last: UInt64 = 0) -> UInt64 {
        ByteHash.combine(texts.reduce(seed) { ByteHash.combine($0, ByteHash.hash($1, seed: seed)) }, last)
    }

    private static func list(_ seed: UInt64, _ matchers: [ValueMatcher]) -> UInt64 {
        matchers.reduce(seed) { ByteHash.combine($0, of($1)) }
    }

    /// Equal for values that are equal, whatever their members' order and their numbers' literals.
    static func of(_ node: JSONNode) -> UInt64 {
        switch node.value {
        case .null: 1
        case .bool(let value): value ? 2 : 3
        case .number(let number): ByteHash.combine(4, exact(number))
        case .string(let text): ByteHash.hash(text, seed: 5)
        case .array(let elements): elements.reduce(6) { ByteHash.combine($0, of($1)) }
        case .object(let object):
            members(object).reduce(7) {
                ByteHash.combine(ByteHash.combine($0, ByteHash.hash($1.name, seed: 8)), of($1.value))
            }
        }
    }

    /// Equal for equal numbers alone, of any size.
    private static func exact(_ number: JSONNumber) -> UInt64 { ByteHash.hash(number.canonicalText, seed: 9) }

    /// The members in byte order of their names; of a repeated name the last.
    private static func members(_ object: JSONObject) -> [JSONObject.Member] {
        let order = object.members.enumerated().sorted { left, right in
            let one = left.element.name.utf8
            let other = right.element.name.utf8
            if one.elementsEqual(other) { return left.offset < right.offset }
            return one.lexicographicallyPrecedes(other)
        }
        var members: [JSONObject.Member] = []
        for (_, member) in order {
            if let last = members.last, last.name.utf8.elementsEqual(member.name.utf8) { members.removeLast() }
            members.append(member)
        }
        return members
    }
}
