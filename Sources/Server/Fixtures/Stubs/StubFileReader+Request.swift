// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

extension StubFileReader {
    mutating func request(_ cursor: Cursor?) -> RequestPattern {
        guard let cursor, cursor.node.object != nil else { return RequestPattern() }
        let url = url(of: cursor)
        var pathParameters = named(cursor[.pathParameters]) { $0.matcher($1) }
        check(pathParameters.map(\.name), at: cursor[.pathParameters], url: url)
        if isWireMock { if case .pathTemplate = url {} else { pathParameters = [] } }
        let credentials = credentials(cursor[.basicAuthCredentials] ?? (isWireMock ? cursor["basicAuth"] : nil))
        var headers = headers(cursor[.headers])
        if isWireMock, credentials != nil, headers.contains(where: { $0.name == "authorization" }) {
            headers.removeAll { $0.name == "authorization" }
            report(
                .warning, "\"Authorization\" is ignored beside \"basicAuth\", as in WireMock",
                at: cursor[.headers] ?? cursor)
        }
        var body = (cursor[.bodyPatterns]?.elements ?? []).compactMap { bodyMatcher($0) }
        // A custom matcher is code, which is not run: its stub matches nothing.
        if isWireMock, cursor["customMatcher"]?.node.object?.members.isEmpty == false {
            body.append(.value(.not(.anything)))
        }
        checkNames(of: cursor)
        checkValues(of: cursor)
        return RequestPattern(
            method: method(cursor[.method]),
            url: url,
            host: host(cursor[.host]),
            port: cursor[.port]?.node.number?.integer,
            scheme: cursor[.scheme]?.node.string,
            clientIP: cursor[.clientIp].flatMap { matcher($0) },
            pathParameters: pathParameters,
            queryParameters: named(cursor[.queryParameters]) { $0.multiMatcher($1) },
            allowsOtherQueryParameters: cursor[.otherQueryParameters]?.node.string != "refuse",
            headers: headers,
            cookies: named(cursor[.cookies]) { $0.matcher($1) },
            basicAuth: credentials,
            formParameters: named(cursor[.formParameters]) { $0.multiMatcher($1) },
            body: body,
            multipart: (cursor[.multipartPatterns]?.elements ?? []).map { multipart($0) })
    }

    private mutating func headers(_ cursor: Cursor?) -> [RequestPattern.Named<MultiValueMatcher>] {
        named(cursor) { $0.multiMatcher($1) }.map { header in
            let name = header.name.lowercased()
            // WireMock compares text.
            if isWireMock { return .init(name, header.matcher) }
            return .init(name, header.matcher.map { MediaTypePattern.matcher($0, ofHeader: name) })
        }
    }

    private mutating func multipart(_ cursor: Cursor) -> MultipartPattern {
        var pattern = MultipartPattern(
            asksAll: cursor[.matchingType]?.node.string == "ALL", name: cursor[.name]?.node.string,
            fileName: cursor[.fileName]?.node.string, headers: headers(cursor[.headers]),
            body: (cursor[.bodyPatterns]?.elements ?? []).compactMap { bodyMatcher($0) })
        guard isWireMock else { return pattern }
        if let name = cursor[.name], pattern.name != nil {
            report(
                .warning,
                "\"name\" is ignored, as in WireMock; write {\"headers\": {\"Content-Disposition\": {\"contains\": "
                    + "\"name=\\\"\(pattern.name ?? "")\\\"\"}}}", at: name)
            pattern.name = nil
        }
        if let name = cursor[.fileName], pattern.fileName != nil, pattern.headers.isEmpty, pattern.body.isEmpty {
            report(
                .warning, "\"fileName\" is ignored without \"headers\" or \"bodyPatterns\", as in WireMock",
                at: name)
            pattern.fileName = nil
        }
        return pattern
    }

    private mutating func named<Matcher>(
        _ cursor: Cursor?, read: (inout StubFileReader, Cursor) -> Matcher?
    ) -> [RequestPattern.Named<Matcher>] {
        guard let cursor else { return [] }
        return cursor.members.compactMap { member in
            read(&self, member.value).map { RequestPattern.Named(member.name, $0) }
        }
    }

    private mutating func method(_ cursor: Cursor?) -> String? {
        guard let cursor, let method = cursor.node.string else { return nil }
        if method == "ANY" { return nil }
        if method == "GET_OR_HEAD" {
            if !isWireMock { report(.warning, "\"GET\" answers HEAD as well; write \"GET\"", at: cursor) }
            return "GET"
        }
        if !FieldText.isToken(method) {
            report(.error, "expected a method such as \"GET\", or \"ANY\", found \"\(method)\"", at: cursor)
            return nil
        }
        let upper = method.uppercased()
        if upper != method, Self.commonMethods.contains(upper) {
            report(
                .warning, "methods are case-sensitive, and no client sends \"\(method)\"; did you mean \"\(upper)\"?",
                at: cursor)
        }
        return method
    }

    private static let commonMethods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "ANY",
    ]

    private mutating func url(of cursor: Cursor) -> URLMatcher {
        // In the order in which WireMock takes the first.
        let keys = ["url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate"]
        let written = keys.compactMap { key in
            cursor[key].flatMap { value in value.node.isNull ? nil : (key: key, value: value) }
        }
        guard let first = written.first else { return .any }
        for other in written.dropFirst() {
            report(
                isWireMock ? .warning : .error,
                "\"\(other.key)\" beside \"\(first.key)\"; "
                    + (isWireMock ? "it is ignored, as in WireMock" : "leave one of them out"), at: other.value)
        }
        guard let text = first.value.node.string else { return .any }
        switch first.key {
        case "urlPattern", "urlPathPattern":
            checkAdministration(text, at: first.value)
            checkPattern(text, of: first)
            let pattern = pattern(text, at: first.value)
            return first.key == "urlPattern" ? .pattern(pattern) : .pathPattern(pattern)
        case "url":
            checkPath(text, of: first, mayHaveQuery: true)
            return .url(text)
        case "urlPath":
            checkPath(text, of: first, mayHaveQuery: false)
            return .path(text)
        default:
            // Text in braces is not a query.
            checkPath(text, of: first, mayHaveQuery: PathTemplate.hasOptionalVariable(text))
            if checkTemplate(text, at: first.value) { checkForeign(text, at: first.value) }
            return .pathTemplate(text)
        }
    }

    /// Reports paths that the target of a request never has.
    private mutating func checkPath(_ text: String, of key: (key: String, value: Cursor), mayHaveQuery: Bool) {
        if text.contains("://") {
            report(
                .warning,
                "no request can reach this: \"\(key.key)\" has no origin; write the path, and the name to \"host\"",
                at: key.value)
        } else if !text.hasPrefix("/"), text != "*", !(key.key == "urlPathTemplate" && text.hasPrefix("**")) {
            report(.warning, "no request can reach this: \"\(key.key)\" must begin with \"/\"", at: key.value)
        } else if text.utf8.contains(UInt8(ascii: "#")) {
            report(.warning, "no request can reach this: clients do not send the part after \"#\"", at: key.value)
        } else if !mayHaveQuery, text.utf8.contains(UInt8(ascii: "?")) {
            report(
                .warning,
                "no request can reach this: \"\(key.key)\" has no query; write it to \"queryParameters\", or use \"url\"",
                at: key.value)
        } else if key.key != "urlPathTemplate", text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) {
            report(
                .warning,
                "no request can reach this: clients send spaces and letters beyond ASCII percent-encoded; write it so",
                at: key.value)
        } else {
            checkAdministration(text, at: key.value)
            if key.key != "urlPathTemplate" { checkVariables(text, of: key) }
        }
    }

    /// Whether the braces of a template are in order.
    @discardableResult
    mutating func checkTemplate(_ text: String, at cursor: Cursor) -> Bool {
        if PathTemplate.isTooLong(text) {
            report(.error, "more than \(PathTemplate.mostParts) segments and variables", at: cursor)
            return false
        }
        var names: Set<ExactText> = []
        for variable in PathTemplate.variables(of: text) {
            guard let variable else {
                report(
                    .error,
                    "a \"{\" without its \"}\", or a \"}\" without its \"{\"; a variable is a name alone, such as {id}: a "
                        + "pattern for it stands in \"pathParameters\"", at: cursor)
                return false
            }
            if variable.isEmpty {
                report(.error, "a variable without a name; write for instance {id}", at: cursor)
            } else if !names.insert(ExactText(variable)).inserted {
                report(.error, "the variable {\(variable)} stands here twice", at: cursor)
            }
        }
        return true
    }

    private mutating func check(_ parameters: [String], at cursor: Cursor?, url: URLMatcher) {
        guard let cursor, !parameters.isEmpty else { return }
        guard case .pathTemplate(let template) = url else {
            report(
                isWireMock ? .warning : .error,
                "\"pathParameters\" goes with \"urlPathTemplate\""
                    + (isWireMock ? "; it is ignored, as in WireMock" : ""), at: cursor)
            return
        }
        let variables = PathTemplate.variables(of: template).compactMap { $0 }
        let wildcards = template.split(separator: "**", omittingEmptySubsequences: false).count - 1
        let known = variables + (0..<wildcards).map(String.init)
        for parameter in parameters where !known.contains(parameter) {
            let way = Nearest.word(to: parameter, among: variables).map { "; did you mean \"\($0.word)\"?" } ?? ""
            report(
                isWireMock ? .warning : .error, "\"urlPathTemplate\" has no variable {\(parameter)}\(way)",
                at: cursor[parameter] ?? cursor)
        }
    }

    /// Reports names that no request can have.
    private mutating func checkNames(of cursor: Cursor) {
        for header in cursor[.headers]?.members ?? [] where !FieldText.isToken(header.name) {
            report(
                .warning, "no request can reach this: \"\(header.name)\" is not a field name (RFC 9110 §5.1)",
                at: header.value)
        }
        for parameter in cursor[.queryParameters]?.members ?? [] where PercentCoding.isEncoded(parameter.name) {
            report(
                .warning, "names are compared decoded; write \"\(parameter.name)\" without its percent codes",
                at: parameter.value)
        }
    }

    /// Reports values of parameters that are written as a URL has them.
    private mutating func checkValues(of cursor: Cursor) {
        for parameter in cursor[.queryParameters]?.members ?? [] {
            guard let written = parameter.value[.equalTo], let text = written.node.string else { continue }
            if !PercentCoding.isEncoded(text) {
                if let blanked = Self.blanked(text), !isRecorded {
                    report(
                        .warning,
                        "values are compared decoded, in which a \"+\" of the URL is a blank; write \"\(blanked)\" if a blank is meant",
                        at: written)
                }
                continue
            }
            let decoded = String(decoding: PercentCoding.decode(text.utf8), as: UTF8.self)
            report(.warning, "values are compared decoded; write \"\(decoded)\"", at: written)
        }
    }

    /// The text with blanks for the plus signs between words; nil if none stands there.
    private static func blanked(_ text: String) -> String? {
        let words = text.split(ascii: "+", omittingEmptySubsequences: false)
        let areWords = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isLetter || "'-,.".contains($0) } && word.count > 1
        }
        return words.count > 1 && areWords ? words.joined(separator: " ") : nil
    }

    private mutating func host(_ cursor: Cursor?) -> ValueMatcher? {
        guard let cursor, let matcher = matcher(cursor) else { return nil }
        guard case .equalTo(let name, _) = matcher else { return matcher }
        if name.utf8.contains(UInt8(ascii: ":")), !name.hasPrefix("[") {
            report(
                .warning, "no request can reach this: \"host\" is compared without the port; leave the port out",
                at: cursor[.equalTo] ?? cursor)
        }
        if name.utf8.contains(where: { $0 >= 0x80 }) {
            report(
                .warning,
                "no request can reach this: clients send a name beyond ASCII as \"xn--…\" (RFC 5891 §4.4); write it so",
                at: cursor[.equalTo] ?? cursor)
        }
        // Requests are compared without the dot that may end a full name (RFC 1034 §3.1).
        let host = name.utf8.count > 1 && name.hasSuffix(".") ? String(name.dropLast()) : name
        return .equalTo(host.lowercased(), caseInsensitive: false)
    }

    private mutating func credentials(_ cursor: Cursor?) -> RequestPattern.BasicCredentials? {
        guard let cursor, cursor.node.object != nil else { return nil }
        for key in ["username", "password"] where cursor[key] == nil {
            report(.error, "\"\(key)\" is missing", at: cursor)
        }
        guard let username = cursor[.username]?.node.string, let password = cursor[.password]?.node.string
        else { return nil }
        return .init(username: username, password: password)
    }
}
