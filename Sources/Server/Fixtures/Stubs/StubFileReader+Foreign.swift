// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Checks for targets that mean something to Spring, Express, ASP.NET, OpenAPI or JavaScript, and another thing here.
extension StubFileReader {
    /// ASP.NET's constraints, as patterns.
    private static let constraints = [
        "int": "-?[0-9]+", "long": "-?[0-9]+", "alpha": "[A-Za-z]+", "bool": "true|false", "guid": "[0-9a-fA-F-]{36}",
        "uuid": "[0-9a-fA-F-]{36}", "path": ".*", "str": "[^/]+", "string": "[^/]+",
    ]

    /// Reports variables of a template that are more than a name, and other servers' forms of variables.
    mutating func checkForeign(_ template: String, at cursor: Cursor) {
        for case let variable? in PathTemplate.variables(of: template) {
            let name = variable.filter { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "." }
            let isRest =
                ["*", "..."].contains(where: variable.hasPrefix)
                || ["*", "+", "..."].contains(where: variable.hasSuffix)
            if isRest, !variable.contains(":") {
                report(
                    .warning,
                    "{\(variable)} is one segment of the path; write \"**\" for the rest of it", at: cursor)
            } else if let colon = variable.firstIndex(of: ":") {
                let constraint = String(variable[variable.index(after: colon)...])
                let pattern = Self.constraints[constraint.lowercased()] ?? constraint
                report(
                    .warning,
                    "{\(variable)} is a variable of that name, and takes any text; write {\(variable[..<colon])}, and "
                        + "\"pathParameters\": {\"\(variable[..<colon])\": {\"matches\": \"\(pattern)\"}}", at: cursor)
            } else if variable.hasSuffix("?") {
                report(
                    .warning,
                    "{\(variable)} is a variable of that name, which every request must have; write {\(variable.dropLast())}, and "
                        + "a stub of its own for the path without it", at: cursor)
            } else if variable.contains("=") {
                report(
                    .warning,
                    "{\(variable)} is a variable of that name, and has no default; write {\(variable.prefix { $0 != "=" })}",
                    at: cursor)
            } else if name.isEmpty, !variable.isEmpty {
                report(.warning, "{\(variable)} has no name; write for instance {id}", at: cursor)
            }
        }
        if isRecorded { return }
        let written = Self.template(of: template)
        if template != written {
            report(
                .warning,
                "a variable of \"urlPathTemplate\" stands in braces, and everything else is compared byte for byte; write \""
                    + "\(written)\"", at: cursor)
        }
    }

    /// A path with each variable of another server as it is written here; if two have one name, the second has a number behind it.
    static func template(of path: String) -> String {
        let segments = path.split(ascii: "/", omittingEmptySubsequences: false).map(String.init)
        // A variable in braces keeps its name before others.
        var names = Set(
            segments.filter { variable(in: $0) == nil }.flatMap(PathTemplate.variables(of:)).compactMap { $0 })
        return segments.map { segment in
            guard let variable = variable(in: segment) else { return segment }
            guard let name = PathTemplate.variables(of: variable).first ?? nil else { return variable }
            var own = name
            var number = 2
            while !names.insert(own).inserted {
                own = "\(name)\(number)"
                number += 1
            }
            return "{\(own)}"
        }.joined(separator: "/")
    }

    /// The variable that a segment is elsewhere: `:id`, `<id>`, `<int:id>`, `[id]`, `${id}`, `*`; and the rests `*rest` and `[...rest]`.
    private static func variable(in segment: String) -> String? {
        func named(_ text: Substring) -> String? {
            let name = text.filter { $0.isLetter || $0.isNumber || $0 == "_" }
            return name.isEmpty ? nil : "{\(name)}"
        }
        if segment == "*" { return "{any}" }
        if segment.hasPrefix("[..."), segment.hasSuffix("]") { return "**" }
        if segment.hasPrefix("*"), segment.dropFirst().first?.isLetter == true { return "**" }
        if segment.hasPrefix("${"), segment.hasSuffix("}") { return String(segment.dropFirst()) }
        if segment.hasPrefix(":"), segment.dropFirst().first?.isLetter == true {
            return named(segment.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        }
        if segment.hasPrefix("<"), segment.hasSuffix(">") {
            let inner = segment.dropFirst().dropLast()
            return named(inner.split(ascii: ":").last ?? inner)
        }
        if segment.hasPrefix("["), segment.hasSuffix("]") { return named(segment.dropFirst().dropLast()) }
        return nil
    }

    /// Reports a pattern that is one elsewhere, and matches nothing here, or less than it seems to.
    mutating func checkPattern(_ text: String, of key: (key: String, value: Cursor)) {
        if text.hasPrefix("/^") || text.hasPrefix("/") && text.hasSuffix("$/") {
            var inner = String(text.dropFirst())
            if inner.hasSuffix("/") { inner.removeLast() }
            return report(
                .warning,
                "no request can reach this: the slashes around a pattern are JavaScript's, and part of it here; write \""
                    + "\(inner.replacing(bytesOf: "\\/", with: "/"))\"", at: key.value)
        }
        if key.key == "urlPathPattern", Self.hasQuery(text, "\\?") {
            return report(
                .warning,
                "no request can reach this: a path has no \"?\"; write the query to \"queryParameters\", or use "
                    + "\"urlPattern\"", at: key.value)
        }
        if Self.hasQuery(text, "?") {
            let way =
                key.key == "urlPattern"
                ? "write \"\\\\?\" for the query's" : "write the query to \"queryParameters\""
            return report(
                .warning,
                "this \"?\" makes the character or group before it optional, and does not begin a "
                    + "query; \(way)", at: key.value)
        }
        for segment in text.split(ascii: "/") {
            guard let variable = Self.variable(inPattern: segment) else { continue }
            return report(
                .warning,
                "\"\(segment)\" is not a variable in a pattern, and stands for itself; write \"[^/]+\", or \"urlPathTemplate\" with {\(variable)}",
                at: key.value)
        }
        if text.hasSuffix("/*") {
            report(
                .warning,
                "\"/*\" is any number of slashes, and not a wildcard; write \"\(text.dropLast()).*\"", at: key.value)
        }
    }

    /// The name of the variable that a segment of a pattern is meant for: `{id}` or `:id`; no quantifier such as `{2}`.
    private static func variable(inPattern segment: Substring) -> Substring? {
        let isInBraces = segment.hasPrefix("{") && segment.hasSuffix("}")
        guard isInBraces || segment.hasPrefix(":") else { return nil }
        let name = segment.dropFirst().dropLast(isInBraces ? 1 : 0)
        let isName = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        return isName && name.first?.isLetter == true ? name : nil
    }

    /// Whether a pattern has a question mark, as written, with a parameter's name and `=` behind it.
    private static func hasQuery(_ text: String, _ mark: String) -> Bool {
        var rest = text[...]
        while let found = rest.firstRange(of: mark) {
            let isEscaped = mark == "?" && rest[..<found.lowerBound].hasSuffix("\\")
            let before = rest[..<found.lowerBound].last
            let name = rest[found.upperBound...].prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
            let isOfName = !name.isEmpty && rest[name.endIndex...].first == "="
            // Behind a bracket or a quantifier it is one of the pattern's own.
            if isOfName, !isEscaped, mark != "?" || before.map({ $0.isLetter || $0.isNumber || $0 == "/" }) ?? false {
                return true
            }
            rest = rest[found.upperBound...]
        }
        return false
    }
}
