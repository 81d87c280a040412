// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

extension StubFileReader {
    /// The keys that select a matcher of one value.
    private static let operators =
        [
            "equalTo", "contains", "doesNotContain", "matches", "doesNotMatch", "absent", "equalToJson", "and", "or",
            "not", "anything", "matchesJsonPath", "matchesXPath",
        ] + LeafKind.all.flatMap(\.operators)
    /// The options, each with the operators that it may stand beside.
    private static let options: [String: [String]] = {
        var options = [
            "caseInsensitive": ["equalTo"], "ignoreArrayOrder": ["equalToJson"],
            "ignoreExtraElements": ["equalToJson"], "xPathNamespaces": ["matchesXPath"],
            "operationName": ["graphqlQuery"], "variables": ["graphqlQuery"],
        ]
        for kind in LeafKind.all {
            for option in kind.options { options[option] = kind.operators }
        }
        // Options of a value are options of its file, too.
        for file in FileMatcher.allCases where file != .bytes {
            for (option, owners) in options where owners == file.inlineKeys.map(\.rawValue) {
                options[option] = owners + [file.rawValue]
            }
        }
        return options
    }()

    mutating func matcher(_ cursor: Cursor) -> ValueMatcher? {
        guard let name = operation(of: cursor, among: Self.operators), let operand = cursor[name] else { return nil }
        return matcher(name, operand, in: cursor)
    }

    mutating func multiMatcher(_ cursor: Cursor) -> MultiValueMatcher? {
        guard let name = operation(of: cursor, among: Self.operators + ["hasExactly", "includes"]),
            let operand = cursor[name]
        else { return nil }
        switch name {
        case "hasExactly":
            if operand.elements.isEmpty {
                report(
                    .warning, "no request can reach this: an empty \"hasExactly\" matches no value, as in WireMock",
                    at: operand)
            }
            let matchers = operand.elements.compactMap { matcher($0) }
            return .hasExactly(operand.elements.isEmpty ? [.not(.anything)] : matchers)
        case "includes":
            let matchers = operand.elements.compactMap { matcher($0) }
            return .includes(operand.elements.isEmpty ? [.anything] : matchers)
        default: return matcher(name, operand, in: cursor).map { .single($0) }
        }
    }

    mutating func bodyMatcher(_ cursor: Cursor) -> BodyMatcher? {
        let own = ["binaryEqualTo", "graphqlQuery"] + FileMatcher.allCases.map(\.rawValue)
        guard let name = operation(of: cursor, among: Self.operators + own), let operand = cursor[name] else {
            return nil
        }
        if let kind = FileMatcher(rawValue: name) { return fileMatcher(kind, operand, in: cursor) }
        guard name == "binaryEqualTo" else { return matcher(name, operand, in: cursor).map { .value($0) } }
        guard let text = operand.node.string else { return nil }
        guard let bytes = Base64.decode(text, .written) else {
            report(.error, "this is not Base64", at: operand)
            return nil
        }
        return .binaryEqualTo(bytes)
    }

    /// The one operator of a matcher; WireMock reads the first and nothing of the others.
    private mutating func operation(of cursor: Cursor, among operators: [String]) -> String? {
        guard let members = cursor.node.object?.members else { return nil }
        let found = members.filter { operators.contains($0.name) }
        guard let first = found.first else {
            if isWireMock, !members.isEmpty {
                let written = String(decoding: JSONWriter.compact(cursor.node).prefix(200), as: UTF8.self)
                report(.error, "\(written) is not a valid match operation", at: cursor)
            } else if members.allSatisfy({ Self.options[$0.name] != nil }) {
                // An unknown key or one of later work has its own finding.
                report(.error, "a matcher without an operator; write for instance {\"equalTo\": \"…\"}", at: cursor)
            }
            return nil
        }
        for other in found.dropFirst() where other.name != first.name {
            report(
                isWireMock ? .warning : .error,
                "\"\(other.name)\" beside \"\(first.name)\"; "
                    + (isWireMock
                        ? "it is ignored, as in WireMock"
                        : "write {\"and\": [{\"\(first.name)\": …}, {\"\(other.name)\": …}]}"),
                offset: other.nameOffset, pointer: .member(other.name, of: cursor.pointer))
        }
        for member in members {
            guard let owners = Self.options[member.name], !owners.contains(first.name) else { continue }
            report(
                isWireMock ? .warning : .error,
                "\"\(member.name)\" goes with \(owners.map { "\"\($0)\"" }.joined(separator: " or "))"
                    + (isWireMock ? "; it is ignored, as in WireMock" : ""),
                offset: member.nameOffset, pointer: .member(member.name, of: cursor.pointer))
        }
        return first.name
    }

    private mutating func matcher(_ name: String, _ operand: Cursor, in cursor: Cursor) -> ValueMatcher? {
        let text = operand.node.string
        if isWireMock, text == nil, JacksonValues.textOperators.contains(name) {
            report(.error, "\(name) operand must be a non-null string", at: operand)
            return nil
        }
        switch name {
        case "equalTo":
            return text.map { .equalTo($0, caseInsensitive: cursor[.caseInsensitive]?.node.bool ?? false) }
        case "contains": return text.map { .contains($0) }
        case "doesNotContain": return text.map { .doesNotContain($0) }
        case "matches":
            return text.map { .matches(pattern($0, at: operand)) }
        case "doesNotMatch":
            return text.map { .doesNotMatch(pattern($0, at: operand)) }
        case "absent":
            if operand.node.bool == false {
                report(
                    .warning,
                    "\"absent\": false means the same as true, as in WireMock; "
                        + "for a value that must be there write {\"not\": {\"absent\": true}}", at: operand)
            }
            return .absent
        case "equalToJson": return expectedJSON(operand).flatMap { equalToJSON($0, of: operand, in: cursor) }
        case "and": return .and(operand.elements.compactMap { matcher($0) })
        case "or": return .or(operand.elements.compactMap { matcher($0) })
        case "not": return matcher(operand).map { .not($0) }
        case "anything": return .anything
        case "matchesJsonPath":
            return found(operand, in: cursor).map { .jsonPath($0.expression, $0.matcher) }
        case "matchesXPath":
            let namespaces = cursor[.xPathNamespaces]?.members ?? []
            return found(operand, in: cursor).map {
                .xPath(
                    $0.expression, namespaces: namespaces.map { .init($0.name, $0.value.node.string ?? "") },
                    $0.matcher)
            }
        case "graphqlQuery":
            return text.map {
                .graphQL(
                    GraphQLPattern(
                        expression($0, at: operand), operationName: cursor[.operationName]?.node.string,
                        variables: cursor[.variables]?.node))
            }
        default:
            let kind = LeafKind.all.first { $0.operators.contains(name) }
            return kind?.read(&self, name, operand, cursor).map { .leaf($0) }
        }
    }

    mutating func expression(_ text: String, at cursor: Cursor) -> Expression {
        Expression(text, at: place(of: cursor))
    }

    /// A path and the condition on its result: the path alone, or an object with `expression` and a matcher.
    private mutating func found(_ operand: Cursor, in cursor: Cursor) -> (
        expression: Expression, matcher: ValueMatcher?
    )? {
        if let text = operand.node.string { return (expression(text, at: operand), nil) }
        guard operand.node.object != nil else { return nil }
        guard let path = operand[.expression], let text = path.node.string else {
            report(.error, "\"expression\" is missing", at: operand)
            return nil
        }
        let others = operand.members.contains { $0.name != "expression" }
        let matcher = others ? matcher(operand) : nil
        return others && matcher == nil ? nil : (expression(text, at: path), matcher)
    }

    mutating func option(_ name: KeyName, in cursor: Cursor) -> Expression? {
        cursor[name].flatMap { value in value.node.string.map { expression($0, at: value) } }
    }

    /// The JSON that `equalToJson` has, as it is or as text.
    private mutating func expectedJSON(_ operand: Cursor) -> JSONNode? {
        guard let text = operand.node.string else { return operand.node }
        do {
            return try JSONParser.parse(text, options: isWireMock ? [.comments, .singleQuotes, .textBehind] : [])
        } catch {
            report(
                .error,
                "this string is not JSON: \(error.message); to expect a JSON string, put it between \\\" and \\\"",
                at: operand)
            return nil
        }
    }

    mutating func equalToJSON(_ expected: JSONNode, of operand: Cursor, in cursor: Cursor) -> ValueMatcher? {
        if let unknown = JSONPlaceholder.strings(of: expected).first(where: JSONPlaceholder.isUnknown) {
            report(
                isWireMock ? .warning : .error,
                "\"\(unknown)\" is not a placeholder of \"equalToJson\" that is supported; there are any-string, any-number, any-boolean, "
                    + "ignore, ignore-element, and regex with a pattern behind the brace", at: operand)
            if !isWireMock { return nil }
        }
        return .equalToJSON(
            expected, ignoreArrayOrder: cursor[.ignoreArrayOrder]?.node.bool ?? false,
            ignoreExtraElements: cursor[.ignoreExtraElements]?.node.bool ?? false)
    }
}
