// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets
import MockapiStubMatching
import MockapiSystemIO
import MockapiUpstream

/// Makes a request that a stub matches: as it was recorded, or of the stub's matchers if they leave no choice.
struct RequestBuilder {
    let stub: Stub
    /// The recorder's notes on it; nil if it was not recorded.
    let recorded: JSONNode?
    let root: String
    let secrets: SecretValues
    /// The names that stubs give to values of their responses.
    let captures: Set<String>

    private var pattern: RequestPattern { stub.request }

    func request() throws(Unclear) -> AskedRequest {
        let (method, target) = try place()
        var fields = try lines()
        let body = try content()
        if let basic = pattern.basicAuth, !has("Authorization", fields) {
            let credentials = try filled("\(basic.username):\(basic.password)")
            fields.append(
                UpstreamField(
                    "Authorization", "Basic " + Base64.text(of: Array(credentials.utf8)))
            )
        }
        return AskedRequest(
            method: method, target: target, fields: fields, body: body)
    }

    private func filled(_ text: String, encode: (String) -> String = { $0 }) throws(Unclear) -> String {
        do throws(SecretValues.Missing) {
            return try secrets.filled(text, names: captures, encode: encode)
        } catch {
            throw Unclear(text: "it needs \(error.text)")
        }
    }

    // MARK: Method and target

    private func place() throws(Unclear) -> (method: String, target: String) {
        if let label = recorded?["request"]?.string {
            let parts = label.split(ascii: " ", maxSplits: 1)
            if parts.count == 2 {
                return (
                    String(parts[0]), try filled(String(parts[1]), encode: PercentCoding.encode)
                )
            }
        }
        return (pattern.method ?? "GET", try filled(try target(), encode: PercentCoding.encode))
    }

    private func target() throws(Unclear) -> String {
        switch pattern.url {
        case .url(let target): return target
        case .path(let path): return path + (try query())
        case .pathTemplate(let template): return try path(of: template) + (try query())
        case .any: throw Unclear(text: "it answers to any URL")
        case .pattern, .pathPattern: throw Unclear(text: "it answers to a pattern of URLs")
        }
    }

    private func path(of template: String) throws(Unclear) -> String {
        var path = template
        for parameter in pattern.pathParameters {
            guard case .equalTo(let value, _) = parameter.matcher else { continue }
            path = path.replacing(bytesOf: "{\(parameter.name)}", with: PercentCoding.encode(value))
        }
        let names = captures.map { "{\($0)}" }
        if path.contains("*") || path.contains("{") && !names.contains(where: path.contains) {
            throw Unclear(text: "it answers to a template of paths")
        }
        return path
    }

    private func query() throws(Unclear) -> String {
        var items: [String] = []
        for parameter in pattern.queryParameters {
            let name = PercentCoding.encode(parameter.name)
            for value in try values(parameter.matcher, of: "the parameter \(parameter.name)") {
                let isPlaceholder = Placeholders.stand(in: value) || captures.contains { value.contains("{\($0)}") }
                items.append("\(name)=\(isPlaceholder ? value : PercentCoding.encode(value))")
            }
        }
        return items.isEmpty ? "" : "?" + items.joined(separator: "&")
    }

    /// The values that a matcher leaves no choice but to send.
    private func values(_ matcher: MultiValueMatcher, of what: String) throws(Unclear) -> [String] {
        switch matcher {
        case .single(let matcher):
            if Self.takesNothing(matcher) { return [] }
            guard let value = Self.only(matcher) else { throw Unclear(text: "\(what) may be one of several") }
            return [value]
        case .hasExactly(let matchers), .includes(let matchers):
            var values: [String] = []
            for matcher in matchers {
                guard let value = Self.only(matcher) else { throw Unclear(text: "\(what) may be one of several") }
                values.append(value)
            }
            return values
        }
    }

    private static func only(_ matcher: ValueMatcher) -> String? {
        switch matcher {
        case .equalTo(let value, _): value
        case .leaf(let type as MediaTypePattern): type.text
        case .and(let matchers): matchers.compactMap(only).first
        default: nil
        }
    }

    /// Whether a value that is not there matches.
    private static func takesNothing(_ matcher: ValueMatcher) -> Bool {
        switch matcher {
        case .absent, .doesNotContain, .doesNotMatch, .not: true
        case .and(let matchers): matchers.allSatisfy(takesNothing)
        case .or(let matchers): matchers.contains(where: takesNothing)
        default: false
        }
    }

    // MARK: Header lines

    private func has(_ name: String, _ fields: [UpstreamField]) -> Bool {
        fields.contains { $0.name.lowercased() == name.lowercased() }
    }

    private func lines() throws(Unclear) -> [UpstreamField] {
        var fields: [UpstreamField] = []
        for line in (recorded?["headers"]?.array ?? []).compactMap(\.string) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields.append(UpstreamField(String(line[..<colon]), try filled(String(value))))
        }
        for header in pattern.headers where !has(header.name, fields) {
            if let secret = secrets.header(header.name) {
                fields.append(UpstreamField(header.name, secret))
                continue
            }
            do throws(Unclear) {
                for value in try values(header.matcher, of: "the header \(header.name)") {
                    fields.append(UpstreamField(header.name, try filled(value)))
                }
            } catch {
                // A line that --header gives is added when the request is sent.
                if CredentialNames.isHeader(header.name) { continue }
                throw error
            }
        }
        var cookies: [String] = []
        for cookie in pattern.cookies {
            if case .equalTo(let value, _) = cookie.matcher {
                cookies.append("\(cookie.name)=\(try filled(value))")
            } else if let value = secrets.value("cookie.\(cookie.name)") {
                cookies.append("\(cookie.name)=\(value)")
            } else if !Self.takesNothing(cookie.matcher) {
                throw Unclear(text: "it needs a cookie; give --secret cookie.\(cookie.name)=env:VARIABLE")
            }
        }
        if !cookies.isEmpty { fields.append(UpstreamField("Cookie", cookies.joined(separator: "; "))) }
        return fields
    }

    /// The header lines that the stub asks for and the request has not, so that they must be given.
    func missingCredentials(_ fields: [UpstreamField]) -> String? {
        for header in pattern.headers where CredentialNames.isHeader(header.name) && !has(header.name, fields) {
            if case .single(let matcher) = header.matcher, Self.takesNothing(matcher) { continue }
            return header.name
        }
        return nil
    }

    // MARK: Content

    private func content() throws(Unclear) -> [UInt8]? {
        if let path = recorded?["bodyFile"]?.string {
            let folder = stub.place.path.split(ascii: "/").dropLast().map { $0 + "/" }.joined()
            guard let bytes = FileReader.contents("\(root)/\(folder)\(path)") else {
                throw Unclear(text: "the content of its request, \(path), cannot be read")
            }
            guard let text = String(validating: bytes, as: UTF8.self) else { return bytes }
            if text.contains(" bytes that are not stored)") {
                throw Unclear(text: "the content of its request was not stored")
            }
            return Array(try filled(text).utf8)
        }
        for condition in pattern.conditions {
            switch condition {
            case .formParameter: throw Unclear(text: "it asks for fields of a form")
            case .multipart: throw Unclear(text: "it asks for parts of a body")
            default: break
            }
        }
        if pattern.body.isEmpty { return nil }
        if pattern.body.count == 1 {
            switch pattern.body[0].compared {
            case .binaryEqualTo(let bytes): return bytes
            case .value(.equalTo(let text, _)): return Array(try filled(text).utf8)
            case .value(.equalToJSON(let node, _, _)):
                return JSONWriter.compact(try json(node, at: ""))
            default: break
            }
        }
        if let form = try form() { return Array(form.utf8) }
        throw Unclear(text: "the content of its request may be one of several")
    }

    /// JSON with its placeholders replaced.
    private func json(_ node: JSONNode, at path: String) throws(Unclear) -> JSONNode {
        switch node.value {
        case .string(let text):
            guard JSONPlaceholder(text) != nil else { return .string(try filled(text)) }
            let name = "request." + path
            guard let value = secrets.value(name) else {
                throw Unclear(
                    text: "it needs a value that was not recorded, \(path); give --secret \(name)=env:VARIABLE")
            }
            return .string(value)
        case .array(let elements):
            var copies: [JSONNode] = []
            for (index, element) in elements.enumerated() {
                copies.append(try json(element, at: path.isEmpty ? "\(index)" : "\(path).\(index)"))
            }
            return .array(copies)
        case .object(let object):
            var members: [JSONObject.Member] = []
            for member in object.members {
                let value = try json(member.value, at: path.isEmpty ? member.name : "\(path).\(member.name)")
                members.append(.init(name: member.name, value: value))
            }
            return JSONNode(.object(JSONObject(members)))
        default: return node
        }
    }

    /// The fields of a form, each recorded as a pattern, in any order; nil for other patterns.
    private func form() throws(Unclear) -> String? {
        var fields: [String] = []
        for matcher in pattern.body {
            guard case .value(.matches(let pattern)) = matcher else { return nil }
            let text = pattern.text
            if text.hasPrefix("[^&]*(&[^&]*){"), text.hasSuffix("}"), self.pattern.body.count > 1 { continue }
            var field = text[...]
            if field.hasPrefix("(.*&)?"), field.hasSuffix("(&.*)?") { field = field.dropFirst(6).dropLast(6) }
            let isOpen = field.hasSuffix("=[^&]+")
            if isOpen { field = field.dropLast(5) }
            guard var plain = Self.unescaped(field) else { return nil }
            if isOpen {
                let name = "request." + plain.dropLast()
                guard let value = secrets.value(name) else {
                    throw Unclear(
                        text: "it needs a value that was not recorded; give --secret \(name)=env:VARIABLE")
                }
                plain += PercentCoding.encode(value)
            }
            fields.append(plain)
        }
        return fields.isEmpty ? nil : fields.joined(separator: "&")
    }

    /// The text that a pattern matches and no other; nil if there are others.
    private static func unescaped(_ pattern: Substring) -> String? {
        var text = ""
        var isEscaped = false
        for character in pattern {
            if isEscaped {
                if character.isLetter || character.isNumber { return nil }
                text.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if ".[](){}*+?^$|".contains(character) {
                return nil
            } else {
                text.append(character)
            }
        }
        return isEscaped ? nil : text
    }
}
