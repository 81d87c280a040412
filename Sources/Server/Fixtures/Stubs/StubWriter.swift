// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiHTTPSyntax
package import MockapiJSONText

/// The writer of the fixture format: it writes the model so that `StubFileReader` reads the same of it.
///
/// If the format can say a thing in several ways, it is written in one, in the order of the model; values that are the default are left
/// out. Names that no reader takes twice are written once, as far as the format can say both conditions; a value that it has no words for is
/// written as it is, and is a finding of the reader.
package enum StubWriter {
    /// A stub.
    ///
    /// - Parameters:
    ///   - request: as `request` writes it.
    ///   - steps: as `response` writes them: one is the response, unless it is a sequence of one.
    ///   - afterLast: makes a sequence of the steps; nil if the last of several is repeated.
    ///   - recorded: where the response came from.
    package static func stub(
        priority: Int? = nil, request: JSONNode, steps: [JSONNode], afterLast: Stub.SequenceEnd? = nil,
        recorded: JSONNode? = nil
    ) -> JSONNode {
        var stub = ObjectWriter()
        stub.add(.priority, number: priority)
        stub.add(.request, request)
        let (key, value) = responses(steps, isSequence: afterLast != nil)
        stub.add(key, value)
        stub.add(.afterLast, text: afterLast?.rawValue)
        stub.add(.recorded, recorded)
        return stub.node
    }

    /// The key of a stub for its steps, and its value.
    package static func responses(_ steps: [JSONNode], isSequence: Bool) -> (key: KeyName, value: JSONNode) {
        steps.count == 1 && !isSequence ? (.response, steps[0]) : (.responses, .array(steps))
    }

    /// The keys of the part that a stub has in a scenario.
    ///
    /// - Parameters:
    ///   - required: the state in which it matches; nil for any.
    ///   - next: the state that it leaves; nil if that stays.
    package static func scenario(_ name: String, required: String?, next: String?) -> JSONNode {
        var part = ObjectWriter()
        part.add(.scenarioName, text: name)
        part.add(.requiredScenarioState, text: required)
        part.add(.newScenarioState, text: next)
        return part.node
    }

    /// The key of a stub whose responses are held.
    package static func hold(_ name: String) -> JSONNode { ObjectWriter.node(.hold, .string(name)) }
}

// MARK: Requests

extension StubWriter {
    /// The `request` of a stub: its conditions in their order, those on one part together.
    package static func request(_ pattern: RequestPattern) -> JSONNode {
        var request = request(method: pattern.method, url: pattern.url)
        for condition in pattern.conditions { write(condition, to: &request) }
        return request.node
    }

    /// The beginning of a request, which asks for its method and its target.
    ///
    /// - Parameter method: nil for any.
    package static func request(method: String?, url: URLMatcher) -> ObjectWriter {
        var request = ObjectWriter()
        request.add(.method, text: method)
        if let (key, text) = url.written { request.add(key, text: text) }
        return request
    }

    private static func write(_ condition: RequestPattern.Condition, to request: inout ObjectWriter) {
        switch condition {
        case .host(let host): request.add(.host, matcher(host))
        case .port(let port): request.add(.port, number: port)
        case .scheme(let scheme): request.add(.scheme, text: scheme)
        case .clientIP(let address): request.add(.clientIp, matcher(address))
        case .pathParameter(let variable):
            request.addAsking(variable.name, matcher(variable.matcher), to: .pathParameters)
        case .queryParameter(let parameter):
            request.add(parameter.name, matcher(parameter.matcher), to: .queryParameters)
        case .onlyNamedQueryParameters: request.add(.otherQueryParameters, text: "refuse")
        case .header(let header): request.addField(header.name, matcher(header.matcher), to: .headers)
        case .cookie(let cookie): request.addAsking(cookie.name, matcher(cookie.matcher), to: .cookies)
        case .basicAuth(let basic): request.add(.basicAuthCredentials, credentials(basic))
        case .formParameter(let field): request.add(field.name, matcher(field.matcher), to: .formParameters)
        case .body(let body): request.append(matcher(body), to: .bodyPatterns)
        case .multipart(let part): request.append(multipart(part), to: .multipartPatterns)
        }
    }

    /// The name and password of Basic authentication.
    package static func credentials(_ basic: RequestPattern.BasicCredentials) -> JSONNode {
        var credentials = ObjectWriter()
        credentials.add(.username, text: basic.username)
        credentials.add(.password, text: basic.password)
        return credentials.node
    }

    private static func multipart(_ pattern: MultipartPattern) -> JSONNode {
        var part = multipart(asksAll: pattern.asksAll, name: pattern.name)
        part.add(.fileName, text: pattern.fileName)
        for header in pattern.headers { part.addField(header.name, matcher(header.matcher), to: .headers) }
        for body in pattern.body { part.append(matcher(body), to: .bodyPatterns) }
        return part.node
    }

    /// The beginning of the conditions on parts of a multipart body.
    package static func multipart(asksAll: Bool, name: String?) -> ObjectWriter {
        var part = ObjectWriter()
        part.add(.matchingType, text: asksAll ? "ALL" : nil)
        part.add(.name, text: name)
        return part
    }
}

// MARK: Responses

extension StubWriter {
    /// A response.
    package static func response(_ response: ResponseDefinition) -> JSONNode {
        var object = ObjectWriter()
        object.add(.status, number: response.status)
        object.add(.reason, text: response.reason)
        object.add(.headerCharset, text: response.isLatin1 ? "ISO-8859-1" : nil)
        object.add(.headers, texts: lines(response.headers))
        switch response.content {
        case .none: break
        case .text(let text): object.add(.body, text: text)
        case .json(let node): object.add(.jsonBody, node)
        case .bytes(let bytes): object.add(.base64Body, text: Base64.text(of: bytes))
        case .file(let name): object.add(.bodyFile, text: name)
        }
        object.add(.contentEncoding, text: response.contentEncoding?.rawValue)
        object.add(.defaultContentType, response.isTyped ? nil : .bool(false))
        object.add(.contentLength, number: response.contentLength)
        object.add(.trailers, texts: lines(response.trailers))
        object.add(.rewriteOrigins, texts: response.rewriteOrigins)
        object.add(.ranges, response.hasRanges ? nil : .bool(false))
        write(response.delay, to: &object)
        if let fault = response.fault { write(fault, unknownErrorCode: response.unknownErrorCode, to: &object) }
        object.add(.scope, text: response.faultEndsConnection ? "connection" : nil)
        return object.node
    }

    private static func lines(_ lines: [HeaderLine]) -> [String] { lines.map { "\($0.name): \($0.value)" } }

    private static func write(_ delay: ResponseDelay, to object: inout ObjectWriter) {
        object.add(.fixedDelayMilliseconds, number: delay.fixedMilliseconds == 0 ? nil : delay.fixedMilliseconds)
        object.add(.delayDistribution, delay.distribution.map { distribution($0) })
        guard let dribble = delay.dribble else { return }
        var parts = ObjectWriter()
        parts.add(.numberOfChunks, number: dribble.chunks)
        parts.add(.totalDuration, number: dribble.milliseconds)
        object.add(.chunkedDribbleDelay, parts.node)
    }

    /// A distribution that delays are drawn from.
    package static func distribution(_ distribution: ResponseDelay.Distribution) -> JSONNode {
        var object = ObjectWriter()
        switch distribution {
        case .fixed(let milliseconds):
            object.add(.type, text: "fixed")
            object.add(.milliseconds, number: milliseconds)
        case .uniform(let lower, let upper):
            object.add(.type, text: "uniform")
            object.add(.lower, number: lower)
            object.add(.upper, number: upper)
        case .lognormal(let median, let sigma, let maximum):
            object.add(.type, text: "lognormal")
            object.add(.median, .double(median))
            object.add(.sigma, .double(sigma))
            object.add(.maxValue, maximum.map { .double($0) })
        }
        return object.node
    }
}

// MARK: Matchers

extension StubWriter {
    /// A matcher of one value.
    package static func matcher(_ matcher: ValueMatcher) -> JSONNode {
        var object = ObjectWriter()
        switch matcher {
        case .equalTo(let text, let caseInsensitive):
            object.add(.equalTo, text: text)
            object.add(.caseInsensitive, if: caseInsensitive)
        case .contains(let text): object.add(.contains, text: text)
        case .doesNotContain(let text): object.add(.doesNotContain, text: text)
        case .matches(let pattern): object.add(.matches, text: pattern.text)
        case .doesNotMatch(let pattern): object.add(.doesNotMatch, text: pattern.text)
        case .absent: object.add(.absent, .bool(true))
        case .equalToJSON(let expected, let ignoreArrayOrder, let ignoreExtraElements):
            // A string is read as JSON text.
            let operand = expected.string == nil ? expected : text(of: expected)
            return equalToJSON(operand, ignoreArrayOrder: ignoreArrayOrder, ignoreExtraElements: ignoreExtraElements)
        case .anything: object.add(.anything, text: "anything")
        case .leaf(let leaf): leaf.write(to: &object)
        case .jsonPath(let path, let found): return jsonPath(path.text, found.map { self.matcher($0) })
        case .xPath(let path, let namespaces, let found):
            return xPath(path.text, namespaces: namespaces, found.map { self.matcher($0) })
        case .graphQL(let pattern):
            object.add(.graphqlQuery, text: pattern.query.text)
            object.add(.operationName, text: pattern.operationName)
            object.add(.variables, pattern.variables)
        case .and(let matchers): return self.matcher(.and, of: matchers.map { self.matcher($0) })
        case .or(let matchers): return self.matcher(.or, of: matchers.map { self.matcher($0) })
        case .not(let other): return not(self.matcher(other))
        }
        return object.node
    }

    /// A matcher of all values of a name.
    package static func matcher(_ matcher: MultiValueMatcher) -> JSONNode {
        switch matcher {
        case .single(let matcher): self.matcher(matcher)
        case .hasExactly(let matchers): self.matcher(.hasExactly, of: matchers.map { self.matcher($0) })
        case .includes(let matchers): self.matcher(.includes, of: matchers.map { self.matcher($0) })
        }
    }

    /// A matcher of a body.
    package static func matcher(_ matcher: BodyMatcher) -> JSONNode {
        switch matcher {
        case .value(let matcher): return self.matcher(matcher)
        case .binaryEqualTo(let bytes):
            var object = ObjectWriter()
            object.add(.binaryEqualTo, text: Base64.text(of: bytes))
            return object.node
        case .file(let name, let matcher): return FileMatcher.matcher(self.matcher(matcher), reading: name)
        }
    }

    /// A matcher that is put together of others, as they are written: `and`, `or`, `hasExactly` or `includes`.
    package static func matcher(_ key: KeyName, of matchers: [JSONNode]) -> JSONNode {
        ObjectWriter.node(key, .array(matchers))
    }

    /// A matcher of values that another does not match.
    ///
    /// - Parameter matcher: as it is written.
    package static func not(_ matcher: JSONNode) -> JSONNode {
        var object = ObjectWriter()
        object.add(.not, matcher)
        return object.node
    }

    /// A matcher of JSON that equals another.
    ///
    /// - Parameter operand: JSON, or a string with JSON text.
    package static func equalToJSON(
        _ operand: JSONNode, ignoreArrayOrder: Bool, ignoreExtraElements: Bool
    ) -> JSONNode {
        var object = ObjectWriter()
        object.add(.equalToJson, operand)
        object.add(.ignoreArrayOrder, if: ignoreArrayOrder)
        object.add(.ignoreExtraElements, if: ignoreExtraElements)
        return object.node
    }

    /// A matcher of JSON that meets a schema.
    ///
    /// - Parameter operand: the schema, or a string with its text.
    package static func jsonSchema(_ operand: JSONNode, version: String?) -> JSONNode {
        var object = ObjectWriter()
        object.add(.matchesJsonSchema, operand)
        object.add(.schemaVersion, text: version)
        return object.node
    }

    /// A matcher of JSON in which a path finds something.
    ///
    /// - Parameter matcher: for the path's result, as it is written; nil for anything at all.
    package static func jsonPath(_ path: String, _ matcher: JSONNode?) -> JSONNode {
        var object = ObjectWriter()
        object.add(.matchesJsonPath, found(path, matcher))
        return object.node
    }

    /// A matcher of XML in which an XPath finds something.
    ///
    /// - Parameter matcher: for the path's result, as it is written; nil for anything at all.
    package static func xPath(
        _ path: String, namespaces: [RequestPattern.Named<String>], _ matcher: JSONNode?
    ) -> JSONNode {
        var object = ObjectWriter()
        object.add(.matchesXPath, found(path, matcher))
        for namespace in namespaces { object.add(namespace.name, .string(namespace.matcher), to: .xPathNamespaces) }
        return object.node
    }

    /// The operand of a path: by itself, or beside the matcher of its result.
    private static func found(_ path: String, _ matcher: JSONNode?) -> JSONNode {
        guard let matcher else { return .string(path) }
        var object = ObjectWriter()
        object.add(.expression, text: path)
        object.add(contentsOf: matcher)
        return object.node
    }

    private static func text(of node: JSONNode) -> JSONNode {
        .string(String(decoding: JSONWriter.compact(node), as: UTF8.self))
    }
}
