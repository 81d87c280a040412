// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPMessage
import JSONText

/// Says in words where a request differs from a stub or a plain file.
struct DifferenceWriter {
    let stub: Stub
    let entry: Entry
    let program: Program

    /// Every difference, in the order of the fixture format.
    ///
    /// - Parameter target: how the target compares.
    func differences(_ target: TargetComparison, _ state: inout RequestState) -> [Difference] {
        var found: [Difference] = []
        let request = stub.request
        if let method = request.method, !StubDistance.answers(entry, program.methodNumber(state.method)) {
            let isCase = state.method.equalsIgnoringCase(program.bytes(program.methods[Int(entry.method) - 1]))
            found.append(
                Difference(
                    "method", method, Words.shortened(state.method), note: isCase ? "only the case differs" : "",
                    isPlain: true))
        }
        if target.distance > 0 { found.append(self.target(target, state)) }
        _ = program.matchesURL(entry, &state)
        var index = entry.conditionStart
        func fails(_ state: inout RequestState) -> Condition? {
            defer { index += 1 }
            let condition = program.conditions[index]
            return program.satisfies(condition, of: entry, &state) ? nil : condition
        }
        if let host = request.host, fails(&state) != nil {
            let value = state.readHost().map { [$0] } ?? []
            found.append(difference("host", .single(host), value))
        }
        for parameter in request.pathParameters {
            guard let condition = fails(&state), target.distance == 0 else { continue }
            let value = program.pathParameter(condition, &state).map { [$0] } ?? []
            found.append(difference("pathParameters.\(parameter.name)", .single(parameter.matcher), value))
        }
        for parameter in request.queryParameters {
            guard let condition = fails(&state) else { continue }
            let values = program.values(condition, &state)
            let isHidden = Self.isHidden(parameter: parameter.name, parameter.matcher, values)
            found.append(
                difference("queryParameters.\(parameter.name)", parameter.matcher, values, isHidden: isHidden))
        }
        if !request.allowsOtherQueryParameters, fails(&state) != nil { found.append(otherParameters(&state)) }
        for header in request.headers {
            guard let condition = fails(&state) else { continue }
            let values = program.values(condition, &state)
            found.append(
                difference(
                    "headers.\(written(header.name))", header.matcher, values,
                    isHidden: Confidential.isHeader(header.name)))
        }
        for cookie in request.cookies {
            guard let condition = fails(&state) else { continue }
            let values = program.values(condition, &state)
            found.append(difference("cookies.\(cookie.name)", .single(cookie.matcher), values, isHidden: true))
        }
        if let basic = request.basicAuth, fails(&state) != nil { found.append(credentials(basic, state)) }
        for body in request.body {
            if let condition = fails(&state) { found += self.body(body, condition, &state) }
        }
        state.givenUp = []
        return found
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

    /// Whether the values of a query parameter are those of a secret, by its name and what is asked or found under it.
    private static func isHidden(parameter name: String, _ matcher: MultiValueMatcher, _ values: [Bytes]) -> Bool {
        var texts = values.map(\.text)
        if case .single(.equalTo(let text, caseInsensitive: _)) = matcher { texts.append(text) }
        return Confidential.isParameter(name, values: texts)
    }

    /// - Parameter isHidden: whether only the lengths of values are told.
    private func difference(
        _ field: String, _ matcher: MultiValueMatcher, _ values: [Bytes], isHidden: Bool = false
    ) -> Difference {
        var note = ""
        if case .single(.equalTo(let text, caseInsensitive: false)) = matcher, values.count == 1,
            Array(values[0]).map(ASCII.lowercased) == Array(text.utf8).map(ASCII.lowercased)
        {
            note = "only the case differs"
        }
        return Difference(
            field, Words.matcher(matcher, isHidden: isHidden), Words.values(values, isHidden: isHidden), note: note)
    }

    private func otherParameters(_ state: inout RequestState) -> Difference {
        state.readQuery()
        var names: [Bytes] = []
        var seen: Set<[UInt8]> = []
        for index in 0..<state.parameters.count {
            let parameter = state.parameters[index]
            if program.isNamed(parameter, by: entry, state) { continue }
            let name = state.name(parameter)
            if seen.insert(Array(name)).inserted { names.append(name) }
        }
        return Difference("otherQueryParameters", "none beside those of queryParameters", Words.values(names))
    }

    /// A header's name as the file has it.
    private func written(_ name: String) -> String {
        let members = stub.source["request"]?["headers"]?.object?.members
        return members?.first { $0.name.lowercased() == name }?.name ?? name
    }

    private func credentials(_ basic: RequestPattern.BasicCredentials, _ state: RequestState) -> Difference {
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
        case .value(let value) where state.body.count > NearMissLimits.bodyBytes:
            return [
                Difference(
                    "body", Words.matcher(value), "a body of \(Self.size(state.body.count))",
                    note: "not compared in detail")
            ]
        case .value(.equalToJSON(let expected, _, _)) where test.operation == .equalToJSON:
            guard let actual = state.readJSON(), let tree = actual.tree else {
                let found = state.body.isEmpty ? "nothing" : "\(Words.quoted(state.body)), which is no JSON"
                return [Difference("body", "equalToJson \(Words.json(expected))", found)]
            }
            let comparer = program.comparer(test, actual.form, JSONPatterns(program, state.patterns), state.budget)
            let differences = JSONDifferences(comparer, expected, tree, limit: NearMissLimits.bodyDifferences)
            return differences.found.map {
                Difference($0.pointer.isEmpty ? "body" : "body \($0.pointer)", $0.expected, $0.actual)
            }
        case .value(let value):
            return [Difference("body", Words.matcher(value), Words.values(state.body.isEmpty ? [] : [state.body]))]
        }
    }

    private static func count(_ bytes: Int) -> String { bytes == 1 ? "1 byte" : "\(bytes) bytes" }

    /// A size with one decimal place.
    private static func size(_ bytes: Int) -> String {
        bytes < 1_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
    }
}
