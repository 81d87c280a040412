// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures
import MockapiJSONText
import MockapiTemplating
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Templates in the strings of JSON: whatever they render to, what is sent is JSON.
@Suite(.supervised) struct JSONTemplateTests {
    private static func stub(_ body: String, _ more: String = "") -> String {
        #"{"request": {"urlPathTemplate": "/o/{id}"}, "response": {"transformers": ["response-template"]\#(more), "jsonBody": \#(body)}}"#
    }

    private static func request(_ server: TestServer, _ body: String, _ target: String = "/o/1") throws -> String {
        try server.request("POST", target, ["User-Agent: a \"b\" \\c"], body: body).text
    }

    @Test(arguments: [
        (#"{"v": "{{jsonPath request.body '$.n'}}"}"#, #"{"n": 5}"#, #"{"v":5}"#),
        (#"{"v": "{{jsonPath request.body '$.n'}}"}"#, #"{"n": "5"}"#, #"{"v":"5"}"#),
        (#"{"v": "{{jsonPath request.body '$.n'}}"}"#, #"{"n": {"a": ["b", null]}}"#, #"{"v":{"a":["b",null]}}"#),
        (#"{"v": "{{jsonPath request.body '$.n'}}"}"#, #"{"n": [1, 2.50]}"#, #"{"v":[1,2.50]}"#),
        (#"{"v": "{{jsonPath request.body '$.n'}}"}"#, #"{"n": false}"#, #"{"v":false}"#),
        (#"{"v": "n: {{jsonPath request.body '$.n'}}"}"#, #"{"n": 5}"#, #"{"v":"n: 5"}"#),
        (#"{"v": "{{jsonPath request.body '$.n'}}"}"#, #"{"n": "Ann \"Bee\"\nC\\"}"#, #"{"v":"Ann \"Bee\"\nC\\"}"#),
        (#"{"v": "<{{jsonPath request.body '$.n'}}>"}"#, #"{"n": {"a": "b"}}"#, #"{"v":"<{\"a\":\"b\"}>"}"#),
        (#"{"v": "{{math 1 \"+\" 2}}", "w": ["{{math 1 '+' 2}}!"]}"#, "{}", #"{"v":3,"w":["3!"]}"#),
        (#"{"{{request.method}}": true, "b": "{{request.path.id}}"}"#, "{}", #"{"POST":true,"b":"1"}"#),
        (
            #"{"v": "{{request.path}}", "w": "{{request.headers.user-agent}}"}"#, "{}",
            #"{"v":"/o/1","w":"a \"b\" \\c"}"#
        ),
        (
            #"{"v": "{{#if true}}\"{{/if}}", "n": 1.0, "z": [null, true, {}]}"#, "{}",
            #"{"v":"\"","n":1.0,"z":[null,true,{}]}"#
        ),
        (#"{"a": "{{#assign 'x'}}q\"{{/assign}}", "b": "{{x}}"}"#, "{}", #"{"a":"","b":"q\""}"#),
        (#""{{jsonPath request.body '$'}}""#, #"{"n": 5}"#, #"{"n":5}"#),
    ])
    func `each string is rendered by itself, and one tag alone keeps its type`(
        body: String, sent: String, expected: String
    ) async throws {
        try await TestServer.serving(stub: Self.stub(body)) { server throws in
            #expect(try Self.request(server, sent) == expected)
        }
    }

    @Test func `a segment with a quote in it, encoded, is a string of JSON`() async throws {
        try await TestServer.serving(stub: Self.stub(#"{"v": "{{request.path.id}}"}"#)) { server throws in
            #expect(try Self.request(server, "", "/o/a%22b%0A%5C") == #"{"v":"a\"b\n\\"}"#)
        }
    }

    @Test func `a value that is missing is null where it stands alone, and nothing among others`() async throws {
        let stub = Self.stub(#"{"v": "{{jsonPath request.body '$.n'}}", "w": "<{{jsonPath request.body '$.n'}}>"}"#)
        try await TestServer.serving(stub: stub) { server throws in
            #expect(try Self.request(server, "{}") == #"{"v":null,"w":"<>"}"#)
        }
    }

    /// Strings of every code point below U+0300, quotes, objects and lists come back as they were, alone and among others.
    @Test func `what is put into JSON comes out of it as it was`() throws {
        let template = try JSONTemplate(
            JSONParser.parse(
                Array(#"{"alone": "{{parameters.v}}", "among": ["<{{parameters.v}}>", {"{{parameters.k}}": 1}]}"#.utf8)),
            dialect: .handlebars, keepsTypes: true)
        var random = SystemRandomNumberGenerator()
        func text() -> String {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                let code = UInt32.random(in: 0..<0x300, using: &random)
                text.append(
                    Unicode.Scalar(Bool.random() ? code : [0x22, 0x5C, 0x0A, 0x7B, 0x7D, 0x27].randomElement() ?? 0x22)
                        ?? " ")
            }
            return String(text)
        }
        func value(_ depth: Int) -> JSONNode {
            switch Int.random(in: 0..<(depth > 2 ? 5 : 7), using: &random) {
            case 0: .null
            case 1: .bool(Bool.random())
            case 2: .integer(Int.random(in: -1_000_000...1_000_000, using: &random))
            case 3: .double(Double.random(in: -1e9...1e9, using: &random))
            case 4: .string(text())
            case 5: .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth + 1) })
            default:
                JSONNode(
                    .object(
                        JSONObject(
                            (0..<Int.random(in: 0...3, using: &random)).map {
                                JSONObject.Member(name: "\($0)" + text(), value: value(depth + 1))
                            })))
            }
        }
        for _ in 0..<Thoroughness.rounds(5_000, thorough: 100_000) {
            let (given, key) = (value(0), text())
            let model = JSONNode.object(["parameters": .object(["v": given, "k": .string(key)])])
            let bytes = try template.render(
                .json(model), TemplateSurroundings(clock: .frozen(0), random: TemplateRandom(1)))
            let made = try JSONParser.parse(bytes)
            #expect(made["alone"] == given)
            let among = try #require(made["among"]?.array)
            if let text = given.string { #expect(among[0].string?.utf8.elementsEqual("<\(text)>".utf8) == true) }
            #expect(among[1].object?.members.first?.name.utf8.elementsEqual(key.utf8) == true)
        }
    }

    @Test func `a string that is not a template by itself is an error at its place`() async throws {
        let stub = Self.stub(#"{"a": ["{{#if true}}b", "c{{/if}}"]}"#)
        await #expect {
            try await TestServer.serving(stub: stub) { _ in }
        } throws: {
            "\($0)".contains("/response/jsonBody/a/0") && "\($0)".contains("/response/jsonBody/a/1")
        }
    }

    @Test func `in a WireMock root the type is the string's, and a block may go through several`() async throws {
        let mapping =
            #"{"request": {"urlPath": "/a"}, "response": {"transformers": ["response-template"], "jsonBody": "#
        let files: KeyValuePairs = [
            "mappings/a.json": mapping + #"{"n": "{{math 1 '+' 2}}", "q": "{{request.query.q}}"}}}"#
        ]
        try await TestServer.serving(files) { server throws in
            #expect(try server.get("/a?q=%22").text == #"{"n":"3","q":"\""}"#)
        }
        let through: KeyValuePairs = [
            "mappings/a.json": mapping + #"{"a": "{{#if true}}b", "c": "d{{/if}}"}}}"#
        ]
        try await TestServer.serving(through) { server throws in
            #expect(try server.get("/a").text == #"{"a":"b","c":"d"}"#)
        }
    }

    @Test(
        arguments: [
            ("{{request.querry.a}}", #""request" has no "querry", and renders to nothing; did you mean "query"?"#),
            ("{{foo}}", #"nothing has the name "foo", so that {{foo}} renders to nothing"#),
            (
                "{{uuid}}",
                #"nothing has the name "uuid", so that {{uuid}} renders to nothing; write {{randomValue type='UUID'}}"#
            ),
            (
                "{{#if requst.a}}b{{/if}}",
                #"nothing has the name "requst", so that {{requst}} renders to nothing; did you mean "request"?"#
            ),
            ("{{#each request.query as |v k|}}{{v}}{{k}}{{@index}}{{/each}}{{#assign 'x'}}1{{/assign}}{{x}}", nil),
            (
                "{{request.query.foo}}{{parameters.a}}{{#with request.body}}{{foo}}{{/with}}{{request.pathSegments.[0]}}",
                nil
            ),
            ("{{#each (array 1 2)}}{{this}}{{foo}}{{/each}}{{val request.body assign='b'}}{{b}}", nil),
        ] as [(String, String?)])
    func `a name that nothing has is a finding`(template: String, text: String?) async throws {
        for body in ["\"body\": \"\(template)\"", "\"jsonBody\": {\"a\": \"\(template)\"}"] {
            let directory = try TemporaryDirectory([
                "a.stub.json":
                    #"{"request": {"urlPath": "/a"}, "response": {"transformers": ["response-template"], \#(body)}}"#
            ])
            let findings = try LoadedFixtures(path: directory.path, wireMock: false).findings.map(\.text)
            #expect(findings == (text.map { [$0] } ?? []))
        }
    }
}
