// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiFixtures

/// A WireMock root is read as WireMock reads it; what fails there at a request fails that request here.
@Suite(.supervised) struct JacksonValuesTests {
    private func load(_ mapping: String, files: KeyValuePairs<String, String> = [:]) throws -> FixtureSet {
        let directory = try TemporaryDirectory(files)
        try directory.write("mappings/a.json", Array(mapping.utf8))
        return try directory.load()
    }

    @Test func `numbers and truths in quotes, and scalars for texts, are taken`() throws {
        let set = try load(
            """
            {"name": 5, "priority": "1", "request": {"url": "/a", "headers": {"X": {"equalTo": "5", "caseInsensitive": "true"}}},
             "response": {"status": "201", "body": true, "fixedDelayMilliseconds": "3000"}}
            """)
        #expect(set.findings.map(\.description) == [])
        let stub = try #require(set.stubs.first)
        #expect(stub.name == "5")
        #expect(stub.priority == 1)
        #expect(stub.responses[0].status == 201)
        #expect(stub.responses[0].body.bytes.map { String(decoding: $0, as: UTF8.self) } == "true")
        #expect(stub.responses[0].delay.fixedMilliseconds == 3000)
    }

    @Test(arguments: ["equalTo", "contains", "doesNotContain", "matches", "doesNotMatch"])
    func `a matcher's text is not taken from a number, a truth value or null`(name: String) throws {
        for value in ["5", "true", "null"] {
            for place in [#""headers": {"X": M}"#, #""bodyPatterns": [M]"#, #""queryParameters": {"q": {"not": M}}"#] {
                let request = place.replacing("M", with: #"{"\#(name)": \#(value)}"#)
                let set = try load(#"{"request": {\#(request)}, "response": {}}"#)
                #expect(set.findings.map(\.text) == ["\(name) operand must be a non-null string"])
                #expect(set.findings.first?.severity == .error && set.stubs.isEmpty)
            }
        }
    }

    @Test func `of a number with a fraction the whole part is taken`() throws {
        #expect(try load(#"{"request": {}, "response": {"status": 200.7}}"#).stubs.first?.responses[0].status == 200)
    }

    @Test(arguments: [
        (
            #"{"response": {"bodyFileName": "none.json"}}"#,
            #"there is no body file "none.json""#
        ),
        (
            #"{"response": {"body": "{{nope 1}}", "transformers": ["response-template"]}}"#,
            #"the template is broken at line 1, column 1: there is no helper "nope""#
        ),
        (
            #"{"response": {"body": "{{#if a}}", "transformers": ["response-template"]}}"#,
            "the template is broken at line 1, column 1: this block has no end; write {{/if}}"
        ),
    ])
    func `a response that cannot be made fails its requests alone`(mapping: String, reason: String) throws {
        let set = try load(mapping)
        #expect(set.findings.count == 1)
        #expect(set.findings[0].severity == .warning)
        #expect(set.findings[0].text.hasPrefix(reason), "\(set.findings[0].text)")
        #expect(set.findings[0].text.hasSuffix("; it is answered 500"))
        let response = try #require(set.stubs.first?.responses.first)
        #expect(response.status == 500)
        let text = response.body.bytes.map { String(decoding: $0, as: UTF8.self) }
        #expect(text?.hasPrefix("500: \(reason)") == true)
    }

    @Test func `a transformer that is not known is passed over`() throws {
        let set = try load(#"{"response": {"status": 202, "transformers": ["body-mangler"]}}"#)
        #expect(set.findings.map(\.severity) == [.warning])
        #expect(set.stubs.first?.responses[0].status == 202)
    }

    @Test func `a directory of our own stays strict`() throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"status": "200"}}"#
        ])
        let set = try directory.load()
        #expect(set.findings.map(\.severity) == [.error])
        #expect(set.stubs.isEmpty)
    }

    @Test func `what is of the right kind stays as it is`() throws {
        var random = SystemRandomNumberGenerator()
        let shapes: [ValueShape] = [
            .string, .boolean, .number, .integer(1...9), .either([.string, .number]), .template(.integer(1...9)),
        ]
        let values: [JSONNode] = [
            .string("a"), .string("{{a}}"), .bool(true), .integer(5), .double(1.5), .null, .array([]), .object([:]),
        ]
        for _ in 0..<500 {
            guard let shape = shapes.randomElement(using: &random), let value = values.randomElement(using: &random)
            else { continue }
            let coerced = JacksonValues.coerced(value, to: shape)
            if shape.accepts(value) { #expect(coerced == value) }
            #expect(JacksonValues.coerced(coerced, to: shape) == coerced)
        }
    }
}
