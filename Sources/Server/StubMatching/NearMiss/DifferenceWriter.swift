// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMetering

/// Describes in words how a request differs from a stub or a plain file.
struct DifferenceWriter {
    let stub: Stub
    let entry: Entry
    let program: Program
    /// The header lines that the stub asks for, as its file has them; nil until one is needed.
    private var headers: [JSONObject.Member]?

    init(stub: Stub, entry: Entry, program: Program) {
        self.stub = stub
        self.entry = entry
        self.program = program
    }

    /// Every difference, in the order of the fixture format.
    ///
    /// - Parameter target: how the target compares.
    mutating func differences(_ target: TargetComparison, _ state: inout RequestState) -> [Difference] {
        var found: [Difference] = []
        let request = stub.request
        if let method = request.method, !StubDistance.matches(entry, method: program.methodNumber(state.method)) {
            let isCase = state.method.equalsIgnoringCase(program.bytes(program.methods[Int(entry.method) - 1]))
            found.append(
                Difference(
                    "method", method, Words.shortened(state.method), note: isCase ? "only the case differs" : "",
                    isPlain: true))
        }
        if target.distance > 0 { found.append(self.target(target, state)) }
        _ = program.matchesURL(entry, &state)
        for (condition, index) in zip(request.conditions, entry.conditionStart...) {
            let record = program.conditions[index]
            state.givenUp = []
            if program.satisfies(record, of: entry, &state) { continue }
            // Without its target a stub has no variables.
            if record.kind == .pathParameter, target.distance > 0 { continue }
            found += differences(condition, record, &state)
        }
        state.givenUp = []
        return found
    }

    /// How a condition that does not hold differs.
    private mutating func differences(
        _ condition: RequestPattern.Condition, _ record: Condition, _ state: inout RequestState
    ) -> [Difference] {
        switch condition {
        case .host(let host): return [difference("host", .single(host), record, state.readHost(), &state)]
        case .port(let port): return [Difference("port", "\(port)", "\(state.readPort())", isPlain: true)]
        case .scheme(let scheme):
            return [Difference("scheme", scheme, state.isSecure ? "https" : "http", isPlain: true)]
        case .clientIP(let matcher):
            return [difference("clientIp", .single(matcher), record, state.readClient(), &state)]
        case .pathParameter(let parameter):
            let value = program.pathParameter(record, &state)
            return [difference("pathParameters.\(parameter.name)", .single(parameter.matcher), record, value, &state)]
        case .queryParameter(let parameter): return [named("queryParameters", parameter, record, &state)]
        case .formParameter(let parameter): return [named("formParameters", parameter, record, &state)]
        case .onlyNamedQueryParameters: return [otherParameters(&state)]
        case .header(let header):
            let values = program.values(record, &state)
            let name = written(header.name)
            return [
                difference(
                    "headers.\(name)", header.matcher, record, values,
                    isHidden: Confidential.isHeader(header.name), &state)
            ]
        case .cookie(let cookie):
            let values = program.values(record, &state)
            return [
                difference("cookies.\(cookie.name)", .single(cookie.matcher), record, values, isHidden: true, &state)
            ]
        case .basicAuth(let basic): return [credentials(basic, &state)]
        case .body(let body): return self.body(body, record, &state)
        case .multipart(let pattern): return [multipart(pattern, record, &state)]
        }
    }

    /// The difference of a query parameter or a field of a form.
    private func named(
        _ kind: String, _ parameter: RequestPattern.Named<MultiValueMatcher>, _ record: Condition,
        _ state: inout RequestState
    ) -> Difference {
        let values = program.values(record, &state)
        let isHidden = Self.isHidden(parameter: parameter.name, parameter.matcher, values)
        return difference("\(kind).\(parameter.name)", parameter.matcher, record, values, isHidden: isHidden, &state)
    }

    private func multipart(
        _ pattern: MultipartPattern, _ record: Condition, _ state: inout RequestState
    ) -> Difference {
        let expected = Words.multipart(pattern)
        guard let parts = state.readParts() else {
            var reason = "a body that was not read"
            if case .broken(let text) = state.multipart { reason = "a body \(text)" }
            return Difference("multipartPatterns", expected, state.body.isEmpty ? "nothing" : reason)
        }
        let names = parts.map { part in part.name.map { Words.quoted($0) } ?? "one without a name" }
        let shown = names.prefix(3).joined(separator: " and ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
        return Difference("multipartPatterns", expected, parts.isEmpty ? "no parts" : "the parts \(shown)")
    }

    /// The differences of a plain file.
    static func differences(
        _ file: PlainFile, _ target: TargetComparison, _ state: RequestState
    ) -> [Difference] {
        var found: [Difference] = []
        let method = state.method.text
        if method != "GET", method != "HEAD" {
            found.append(Difference("method", "GET or HEAD", Words.shortened(state.method), isPlain: true))
        }
        if target.distance > 0 {
            let path = file.requestPaths.first ?? file.path
            found.append(
                Difference(
                    "path", Words.shortened(path.utf8), Words.shortened(state.path), note: target.note, isPlain: true))
        }
        return found
    }

    private func target(_ comparison: TargetComparison, _ state: RequestState) -> Difference {
        let text: String
        var actual = state.path
        switch stub.request.url {
        case .any: text = ""
        case .url(let url):
            text = url
            actual = state.full
        case .pattern(let pattern):
            text = pattern.text
            actual = state.full
        case .path(let path): text = path
        case .pathPattern(let pattern): text = pattern.text
        case .pathTemplate(let template): text = template
        }
        return Difference(
            stub.request.url.key ?? "url", Words.shortened(Confidential.target(text).utf8),
            Words.shortened(Confidential.target(actual.text).utf8), note: comparison.note, isPlain: true)
    }

    /// Whether the values of a query parameter are those of a secret, by its name and its expected or actual values.
    private static func isHidden(parameter name: String, _ matcher: MultiValueMatcher, _ values: [Bytes]) -> Bool {
        var texts = values.map(\.text)
        if case .single(.equalTo(let text, caseInsensitive: _)) = matcher { texts.append(text) }
        return Confidential.isParameter(name, values: texts)
    }

    private func difference(
        _ field: String, _ matcher: MultiValueMatcher, _ record: Condition, _ value: Bytes?,
        _ state: inout RequestState
    ) -> Difference {
        difference(field, matcher, record, value.map { [$0] } ?? [], isHidden: false, &state)
    }

    /// - Parameter isHidden: whether only the lengths of values are reported.
    private func difference(
        _ field: String, _ matcher: MultiValueMatcher, _ record: Condition, _ values: [Bytes], isHidden: Bool,
        isBody: Bool = false, _ state: inout RequestState
    ) -> Difference {
        var note = ""
        var found = Words.values(values, isHidden: isHidden)
        if case .single(.equalTo(let text, caseInsensitive: false)) = matcher, values.count == 1,
            Array(values[0]).map(ASCII.lowercased) == Array(text.utf8).map(ASCII.lowercased)
        {
            note = "only the case differs"
        } else if !isHidden, !isBody, case .single(.equalTo(let text, caseInsensitive: _)) = matcher, values.count == 1,
            Self.hasParameters(values[0], behind: text)
        {
            note = Mismatch.otherParameters.note
        } else if case .single = matcher, values.count == 1,
            let mismatch = program.mismatch(record.test, values[0], isBody: isBody, &state)
        {
            note = isHidden && mismatch.found != nil ? "" : mismatch.note
            if !isHidden { found = mismatch.found ?? found }
        } else if !state.givenUp.isEmpty {
            note = Mismatch.givenUp.note
        }
        if note == Mismatch.givenUp.note, state.budget.meter.isShortened { note = Mismatch.shortened.note }
        return Difference(field, Words.matcher(matcher, isHidden: isHidden), found, note: note)
    }

    /// Whether a value is a text and parameters behind it, as `application/json; charset=utf-8` is.
    private static func hasParameters(_ value: Bytes, behind text: String) -> Bool {
        guard let end = value.firstPlace(of: UInt8(ascii: ";")) else { return false }
        var base = Array(value.slice(0, end))
        while base.last == ASCII.space { base.removeLast() }
        return base.elementsEqual(text.utf8)
    }

    private func otherParameters(_ state: inout RequestState) -> Difference {
        state.readQuery()
        var names: [Bytes] = []
        var seen: Set<[UInt8]> = []
        for index in 0..<state.query.count where !program.isNamed(index, by: entry, state) {
            let name = state.query.name(index)
            if seen.insert(Array(name)).inserted { names.append(name) }
        }
        return Difference("otherQueryParameters", "none beside those of queryParameters", Words.values(names))
    }

    /// A header's name as the file has it.
    private mutating func written(_ name: String) -> String {
        let members = headers ?? stub.source["request"]?["headers"]?.object?.members ?? []
        headers = members
        return members.first { $0.name.lowercased() == name }?.name ?? name
    }

    private func credentials(_ basic: RequestPattern.BasicCredentials, _ state: inout RequestState)
        -> Difference
    {
        let isPresent = state.fields.contains { state.isName($0, "authorization") }
        return Difference(
            "basicAuthCredentials", "those of user \(Words.quoted(basic.username.utf8))",
            isPresent ? "others" : "nothing")
    }

    private func body(_ matcher: BodyMatcher, _ condition: Condition, _ state: inout RequestState) -> [Difference] {
        let test = program.tests[condition.test]
        switch matcher {
        case .binaryEqualTo(let bytes):
            let others = state.body.count == bytes.count ? "others" : Self.count(state.body.count)
            let found = state.body.isEmpty ? "nothing" : others
            return [Difference("body", "the \(Self.count(bytes.count)) of binaryEqualTo", found)]
        case .file(let name, let matcher): return body(matcher, of: name, condition, &state)
        case .value(let value) where state.body.count > NearMissLimits.bodyBytes:
            return [
                Difference(
                    "body", Words.matcher(value), "a body of \(Self.size(state.body.count))",
                    note: "not compared in detail")
            ]
        case .value(.equalToJSON(let expected, _, _)) where test.operation == .equalToJSON:
            return json(expected, "equalToJson \(Words.json(expected))", test, &state)
        case .value(let value):
            let values = state.body.isEmpty ? [] : [state.body]
            return [difference("body", .single(value), condition, values, isHidden: false, isBody: true, &state)]
        }
    }

    /// The places at which JSON differs from a stub's.
    ///
    /// - Parameter wanted: all that it expects, in words.
    private func json(
        _ expected: JSONNode, _ wanted: String, _ test: ValueTest, _ state: inout RequestState
    ) -> [Difference] {
        guard let actual = state.readJSON() else {
            let found = state.body.isEmpty ? "nothing" : "\(Words.quoted(state.body)), which is not JSON"
            return [Difference("body", wanted, found)]
        }
        let comparer = program.comparer(test, actual.form, JSONPatterns(program, state.patterns), state.budget)
        let differences = JSONDifferences(comparer, expected, actual.tree, limit: NearMissLimits.bodyDifferences)
        return differences.found.map {
            Difference($0.pointer.isEmpty ? "body" : "body \($0.pointer)", $0.expected, $0.actual)
        }
    }

    /// The differences of a body from a file's content.
    private func body(
        _ matcher: BodyMatcher, of file: String, _ condition: Condition, _ state: inout RequestState
    ) -> [Difference] {
        let test = program.tests[condition.test]
        switch matcher {
        case .binaryEqualTo(let bytes):
            let wanted = "the \(Self.count(bytes.count)) of \(file)"
            if state.body.isEmpty { return [Difference("body", wanted, "nothing")] }
            let place = Self.firstDifference(state.body, from: bytes)
            return [Difference("body", wanted, "\(Self.count(state.body.count)) that differ from \(place)")]
        case .value(.equalToJSON(let expected, _, _))
        where test.operation == .equalToJSON && state.body.count <= NearMissLimits.fileBodyBytes:
            return json(expected, "the JSON of \(file)", test, &state)
        case .value where state.body.isEmpty: return [Difference("body", "what \(file) holds", "nothing")]
        case .value:
            return [
                Difference(
                    "body", "what \(file) holds", "a body of \(Self.size(state.body.count))",
                    note: "not compared in detail")
            ]
        case .file(_, let matcher): return body(matcher, of: file, condition, &state)
        }
    }

    /// Where a body begins to differ from a file's content: the line and column of a text, and else the byte.
    private static func firstDifference(_ body: Bytes, from expected: [UInt8]) -> String {
        let offset = zip(expected, body).enumerated().first { $1.0 != $1.1 }?.offset ?? min(expected.count, body.count)
        guard String(validating: expected, as: UTF8.self) != nil else { return "byte \(offset + 1) on" }
        let position = LineMap(expected).position(of: offset)
        return "line \(position.line), column \(position.column) on"
    }

    private static func count(_ bytes: Int) -> String { bytes == 1 ? "1 byte" : "\(bytes) bytes" }

    /// A size with one decimal place.
    private static func size(_ bytes: Int) -> String {
        bytes < 1_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
    }
}
