// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMatchingSupport

/// Matching as the fixture format says it, one stub after the other, in plain words: what the index must agree with.
struct LinearMatcher {
    let set: FixtureSet

    struct Request {
        var method: String
        var target: String
        var headers: [(String, String)]
        var host: String?
        var isSecure: Bool
        var client: String?
        var body: String
        var matchesAnyHost: Bool

        var path: String { String(target.prefix { $0 != "?" }) }
        var query: String { target.contains("?") ? String(target.drop { $0 != "?" }.dropFirst()) : "" }

        var parameters: [(name: String, value: String)] { pairs(of: query) }

        private func pairs(of text: String) -> [(name: String, value: String)] {
            text.split(separator: "&").map { pair in
                let name = pair.prefix { $0 != "=" }
                return (decoded(name, true), decoded(pair.dropFirst(name.count + 1), true))
            }
        }

        var isForm: Bool { value(of: "content-type")?.contains("x-www-form-urlencoded") ?? false }
        var fields: [(name: String, value: String)] { isForm ? pairs(of: body) : [] }

        /// The parts of the simple bodies that the random requests have.
        var parts: [(headers: [(String, String)], content: String)]? {
            guard value(of: "content-type")?.hasPrefix("multipart/") ?? false else { return nil }
            return body.components(separatedBy: "--b\r\n").dropFirst().map { part in
                let end = part.firstRange(of: "\r\n\r\n")
                let head = part[..<(end?.lowerBound ?? part.startIndex)].components(separatedBy: "\r\n")
                let content = part[(end?.upperBound ?? part.endIndex)...]
                return (
                    head.map { line in
                        let colon = line.firstIndex(of: ":") ?? line.endIndex
                        return (String(line[..<colon]).lowercased(), String(line[colon...].dropFirst(2)))
                    }, content.components(separatedBy: "\r\n")[0]
                )
            }
        }

        func value(of name: String) -> String? { headers.first { $0.0.lowercased() == name }?.1 }

        var cookies: [(name: String, value: String)] {
            headers.filter { $0.0.lowercased() == "cookie" }.flatMap { line in
                line.1.split(separator: ";").map { pair in
                    let pair = String(pair.drop { $0 == " " })
                    let name = pair.prefix { $0 != "=" }
                    return (String(name), String(pair.dropFirst(name.count + 1)))
                }
            }
        }
    }

    /// The first eligible stub in the order of rank, else the file.
    func match(_ request: Request, isEligible: (Int) -> Bool) -> String {
        let order = set.stubs.indices.sorted { precedes($0, $1) }
        var methods: [(String, any: Bool)] = [(request.method, true)]
        if request.method == "HEAD" { methods = [("HEAD", false), ("GET", true)] }
        let file = file(for: request)
        for (method, any) in methods {
            for ordinal in order {
                let pattern = set.stubs[ordinal].request
                guard pattern.method == method || pattern.method == nil && any else { continue }
                if file != nil, isBehindFiles(ordinal) { continue }
                if matches(pattern, request), isEligible(ordinal) { return "stub \(ordinal)" }
            }
        }
        return file ?? "none"
    }

    private func file(for request: Request) -> String? {
        guard request.method == "GET" || request.method == "HEAD" else { return nil }
        let path = decoded(request.path[...], false)
        return set.files.firstIndex { $0.requestPaths.contains(path) }.map { "file \($0)" }
    }

    /// Of many paths, and with a priority above that of files.
    private func isBehindFiles(_ ordinal: Int) -> Bool {
        let stub = set.stubs[ordinal]
        guard set.dialect == .mockapi, stub.priority > 5, !stub.isAdded else { return false }
        switch stub.request.url {
        case .any, .pattern, .pathPattern, .pathTemplate: return true
        case .url, .path: return false
        }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        let one = set.stubs[left]
        let other = set.stubs[right]
        if one.priority != other.priority { return one.priority < other.priority }
        if set.dialect == .mockapi {
            if breadth(one) != breadth(other) { return breadth(one) < breadth(other) }
            if conditions(one) != conditions(other) { return conditions(one) > conditions(other) }
        }
        return left > right
    }

    private func breadth(_ stub: Stub) -> Int {
        switch stub.request.url.key {
        case "url", "urlPath": 0
        case "urlPathTemplate": 1
        case nil: 3
        default: 2
        }
    }

    private func conditions(_ stub: Stub) -> Int {
        let request = stub.request
        let exact = request.url.key == "url" ? 1 : 0
        return exact + (request.method == nil ? 0 : 1) + request.conditions.count
    }

    func matches(_ pattern: RequestPattern, _ request: Request) -> Bool {
        var variables: [String: String] = [:]
        let target = request.target.hasSuffix("?") ? String(request.target.dropLast()) : request.target
        switch pattern.url {
        case .any: break
        case .url(let url): if (url.hasSuffix("?") ? String(url.dropLast()) : url) != target { return false }
        case .path(let path): if path != request.path { return false }
        case .pattern(let pattern): if !PatternOracle.matches(pattern.text, target) { return false }
        case .pathPattern(let pattern): if !PatternOracle.matches(pattern.text, request.path) { return false }
        case .pathTemplate(let template):
            guard let found = TemplateOracle.variables(template, request.path) else { return false }
            variables = found
        }
        return pattern.conditions.allSatisfy { holds($0, of: pattern, request, variables) }
    }

    private func holds(
        _ condition: RequestPattern.Condition, of pattern: RequestPattern, _ request: Request,
        _ variables: [String: String]
    ) -> Bool {
        func values(_ pairs: [(name: String, value: String)], _ name: String) -> [String] {
            pairs.filter { $0.name == name }.map(\.value)
        }
        switch condition {
        case .host(let host):
            let name = request.host.map { String($0.prefix { $0 != ":" }).lowercased() }
            return request.matchesAnyHost || passes(host, name)
        case .port(let port):
            let written = request.host.flatMap { $0.contains(":") ? Int($0.drop { $0 != ":" }.dropFirst()) : nil }
            return port == written ?? (request.isSecure ? 443 : 80)
        case .scheme(let scheme): return scheme == (request.isSecure ? "https" : "http")
        case .clientIP(let matcher): return passes(matcher, request.value(of: "x-forwarded-for") ?? request.client)
        case .pathParameter(let parameter):
            return passes(parameter.matcher, variables[parameter.name].map { decoded($0[...], false) })
        case .queryParameter(let parameter):
            return passes(parameter.matcher, values(request.parameters, parameter.name))
        case .onlyNamedQueryParameters:
            let named = Set(pattern.queryParameters.map(\.name))
            return !request.parameters.contains { !named.contains($0.name) }
        case .header(let header):
            return passes(header.matcher, request.headers.filter { $0.0.lowercased() == header.name }.map(\.1))
        case .cookie(let cookie):
            let values = values(request.cookies, cookie.name)
            return values.isEmpty ? isAbsent(cookie.matcher) : values.contains { passes(cookie.matcher, $0) }
        case .basicAuth(let basic):
            let expected = basic.username == "u" ? "dTpw" : "YTpi"
            let values = request.headers.filter { $0.0.lowercased() == "authorization" }.map(\.1)
            return values.contains {
                $0.lowercased().hasPrefix("basic ") && $0.dropFirst(6).drop { $0 == " " } == expected
            }
        case .formParameter(let parameter): return passes(parameter.matcher, values(request.fields, parameter.name))
        case .body(let body): return passes(body, request.body, isPart: false)
        case .multipart(let pattern):
            guard let parts = request.parts, !parts.isEmpty else { return false }
            return pattern.asksAll
                ? parts.allSatisfy { passes(pattern, $0) } : parts.contains { passes(pattern, $0) }
        }
    }

    private func passes(_ body: BodyMatcher, _ text: String, isPart: Bool) -> Bool {
        switch body {
        case .value(let matcher): passes(matcher, text.isEmpty && !isPart ? nil : text)
        case .binaryEqualTo(let bytes): Array(text.utf8) == bytes
        case .file(_, let matcher): passes(matcher, text, isPart: isPart)
        }
    }

    private func passes(_ pattern: MultipartPattern, _ part: (headers: [(String, String)], content: String)) -> Bool {
        let disposition = part.headers.first { $0.0 == "content-disposition" }?.1 ?? ""
        if let name = pattern.name, !disposition.contains("; name=\"\(name)\"") { return false }
        if let name = pattern.fileName, !disposition.contains("; filename=\"\(name)\"") { return false }
        for header in pattern.headers {
            if !passes(header.matcher, part.headers.filter { $0.0 == header.name }.map(\.1)) { return false }
        }
        return pattern.body.allSatisfy { passes($0, part.content, isPart: true) }
    }

    private func passes(_ matcher: MultiValueMatcher, _ values: [String]) -> Bool {
        switch matcher {
        case .single(let matcher):
            return values.isEmpty ? passes(matcher, nil) : values.contains { passes(matcher, $0) }
        case .includes(let matchers):
            return !values.isEmpty && matchers.allSatisfy { matcher in values.contains { passes(matcher, $0) } }
        case .hasExactly(let matchers):
            if values.isEmpty || values.count != matchers.count { return false }
            if set.dialect == .wireMock {
                return matchers.allSatisfy { matcher in values.contains { passes(matcher, $0) } }
            }
            return permutations(values).contains { zip(matchers, $0).allSatisfy { passes($0, $1) } }
        }
    }

    private func permutations(_ values: [String]) -> [[String]] {
        if values.isEmpty { return [[]] }
        return values.indices.flatMap { index in
            var others = values
            let first = others.remove(at: index)
            return permutations(others).map { [first] + $0 }
        }
    }

    private func passes(_ matcher: ValueMatcher, _ value: String?) -> Bool {
        switch matcher {
        case .equalTo(let text, caseInsensitive: false): value == text
        case .equalTo(let text, caseInsensitive: true): value?.lowercased() == text.lowercased()
        case .contains(let text): value?.contains(text) ?? false
        case .doesNotContain(let text): !(value?.contains(text) ?? false)
        case .matches(let pattern): value.map { PatternOracle.matches(pattern.text, $0) } ?? false
        case .doesNotMatch(let pattern): !(value.map { PatternOracle.matches(pattern.text, $0) } ?? false)
        case .absent: value == nil
        case .and(let matchers): matchers.allSatisfy { passes($0, value) }
        case .or(let matchers): matchers.contains { passes($0, value) }
        case .not(let matcher): !passes(matcher, value)
        case .equalToJSON(let expected, _, let ignoresExtra):
            ignoresExtra
                ? value.flatMap { try? JSONParser.parse($0) }?.object != nil
                : value.flatMap { try? JSONParser.parse($0) } == expected
        case .anything: true
        case .leaf(let leaf): value.map { EngineOracle.holds(leaf, $0) } ?? false
        case .jsonPath(let path, let nested):
            value.map { found(EngineOracle.find(path.text, $0), nested) } ?? false
        case .xPath(_, namespaces: _, let nested):
            value.map { text in
                let found = EngineOracle.xml(text).map { [$0] } ?? []
                guard EngineOracle.canonical(text) != nil else { return false }
                guard let nested else { return !found.isEmpty }
                if found.isEmpty, isAbsentItself(nested) { return set.dialect == .mockapi }
                return found.contains { passes(nested, $0) }
            } ?? false
        case .graphQL(let pattern): value.map { EngineOracle.holds(pattern, $0) } ?? false
        }
    }

    /// What a JSON path found, asked of a matcher: nil for a body that is not JSON.
    private func found(_ node: EngineOracle.Found?, _ nested: ValueMatcher?) -> Bool {
        guard let node else { return false }
        guard let nested else { return node.isPresent }
        if case .equalToJSON = nested {
            return node.json.map { passes(nested, $0) } ?? (set.dialect == .wireMock && passes(nested, "null"))
        }
        let texts = node.texts(isJava: set.dialect == .wireMock)
        if texts.isEmpty, isAbsentItself(nested) { return true }
        return texts.contains { passes(nested, $0) }
    }

    private func isAbsentItself(_ matcher: ValueMatcher) -> Bool {
        if case .absent = matcher { true } else { false }
    }

    private func isAbsent(_ matcher: ValueMatcher) -> Bool {
        switch matcher {
        case .absent: true
        case .and(let matchers): matchers.allSatisfy { isAbsent($0) }
        case .or(let matchers): matchers.contains { isAbsent($0) }
        default: false
        }
    }
}

private func decoded(_ text: Substring, _ plusIsSpace: Bool) -> String {
    String(decoding: PercentCoding.decode(text.utf8, plusIsSpace: plusIsSpace), as: UTF8.self)
}
