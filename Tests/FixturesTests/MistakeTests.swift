// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import Testing

/// What is well-formed and hardly what was meant.
@Suite(.supervised) struct MistakeTests {
    private func findings(ofRequest request: String, and more: String = "") throws -> [String] {
        try TemporaryDirectory.findings(ofStub: #"{"request": \#(request), "response": {"status": 200}\#(more)}"#)
    }

    @Test(arguments: [
        ("urlPath", "/x/{id}", "/x/{id}"), ("urlPath", "/x/:id", "/x/{id}"), ("urlPath", "/x/*", "/x/{any}"),
        ("urlPath", "/*/x/*", "/{any}/x/{any2}"), ("urlPath", "/x/**", "/x/**"),
        ("url", "/x/:user_id/y?q=*", "/x/{user_id}/y"), ("urlPath", "/x/${id}", "/x/{id}"),
        ("urlPath", "/x/*rest", "/x/**"), ("urlPath", "/x/[...rest]", "/x/**"),
        ("url", "/x/<int:id>/[slug]", "/x/{id}/{slug}"), ("urlPath", "/:id/{id}/${id}", "/{id2}/{id}/{id3}"),
    ])
    func `a variable in what is compared byte for byte is told`(key: String, path: String, template: String) throws {
        #expect(
            try findings(ofRequest: #"{"\#(key)": "\#(path)"}"#) == [
                #"1:\#(key == "url" ? 21 : 25): warning: "\#(key)" is compared byte for byte, and has no variables; "#
                    + #"write "urlPathTemplate": "\#(template)" (/request/\#(key))"#
            ])
    }

    @Test(arguments: ["urlPath", "url", "urlPathTemplate"])
    func `what is advised in the place of variables draws no other warning`(key: String) throws {
        let forms = [
            "{id}", ":id", "<id>", "<int:id>", "[id]", "${id}", "*", "*rest", "[...rest]", "**", "a", "{id}.json",
        ]
        for first in forms {
            for second in forms {
                let path = "/x/\(first)/\(second)"
                // The same name in braces twice is an error, which its author has to mend.
                if [first, second].allSatisfy({ $0.hasPrefix("{id}") }) { continue }
                let found = try findings(ofRequest: #"{"\#(key)": "\#(path)"}"#).filter {
                    !$0.contains("stands here twice")
                }
                #expect(found.count <= 1, "\(found)")
                guard let advice = found.first?.split(separator: "write ").last?.split(separator: " (/").first else {
                    continue
                }
                let template = advice.replacing(#""urlPathTemplate": "#, with: "").filter { $0 != "\"" }
                #expect(try findings(ofRequest: #"{"urlPathTemplate": "\#(template)"}"#) == [], "\(path): \(advice)")
            }
        }
    }

    @Test func `so is a star in a word`() throws {
        #expect(
            try findings(ofRequest: #"{"urlPath": "/x/a*.json"}"#) == [
                #"1:25: warning: "urlPath" is compared byte for byte, "*" too; write "urlPathPattern", in which ".*" is any text (/request/urlPath)"#
            ])
    }

    @Test(arguments: [
        #"{"urlPath": "/x/a:b/~id/@me"}"#, #"{"url": "/x?q=*&a={b}"}"#, #"{"urlPathTemplate": "/x/{id}/**"}"#,
        #"{"urlPathPattern": "/x/[0-9]*"}"#, #"{"urlPath": "*"}"#, #"{"urlPath": "/__administration"}"#,
        #"{"urlPattern": "/__adm.*"}"#, #"{"urlPath": "/x/$id/[a-b/<a"}"#,
    ])
    func `what may well be meant is not`(request: String) throws {
        #expect(try findings(ofRequest: request).isEmpty)
    }

    @Test func `a path that was recorded was asked for`() throws {
        let recorded = #", "recorded": {"from": "https://api.example.com"}"#
        #expect(try findings(ofRequest: #"{"urlPath": "/x/:id/*/{id}/**"}"#, and: recorded).isEmpty)
    }

    @Test(arguments: [
        ("urlPath", "/__admin"), ("url", "/__admin?x"), ("urlPathTemplate", "/__admin/{x}"),
        ("urlPattern", "/__admin/.*"),
    ])
    func `a stub below the admin API is told`(key: String, path: String) throws {
        let finding = try #require(try findings(ofRequest: #"{"\#(key)": "\#(path)"}"#).first)
        #expect(
            finding.hasSuffix(
                ": warning: no request reaches this: paths below /__admin are the server's own (/request/\(key))"))
    }

    @Test(arguments: [
        (#"{"body": "Hello {{request.query.name}}!"}"#, "{{request.query.name}}", "1:23", "body"),
        (
            #"{"jsonBody": {"id": "{{ randomValue type='UUID' }}"}}"#, "{{ randomValue type='UUID' }}", "1:27",
            "jsonBody"
        ),
        (#"{"body": "{{#if a}}"}"#, "{{#if a}}", "1:23", "body"),
        (#"{"bodyFile": "t.json"}"#, "{{now}}", "1:27", "bodyFile"),
        (#"{"headers": ["Location: /x/{{id}}"]}"#, "{{id}}", "1:27", "headers/0"),
    ])
    func `an expression of a template is told`(response: String, expression: String, place: String, pointer: String)
        throws
    {
        #expect(
            try TemporaryDirectory.findings(
                ofStub: #"{"response": \#(response)}"#, files: ["t.json": #"{"at": "{{now}}"}"#]) == [
                    "\(place): warning: \(expression) is sent as it stands; \"transformers\": [\"response-template\"] renders templates "
                        + "(/response/\(pointer))"
                ])
    }

    @Test(arguments: [
        #"{"response": {"body": "{{ 1 }} {{}} { {a}} {{a} }"}}"#, #"{"response": {"bodyFile": "page.html"}}"#,
        #"{"response": {"body": "{{name}}"}, "recorded": {"from": "https://a.example"}}"#,
        #"{"response": {"jsonBody": {"a": {"b": {"c": {}}}}}}"#,
    ])
    func `braces that are no template, or one of a page, are not`(stub: String) throws {
        #expect(try TemporaryDirectory.findings(ofStub: stub, files: ["page.html": "<p>{{title}}</p>"]).isEmpty)
    }

    @Test(arguments: [
        (
            #""body": "{{#if a}}""#,
            "x.stub.json:1:62: error: the template is broken at line 1, column 1: this block has no end; write {{/if}} (/response/body)"
        ),
        (
            #""jsonBody": {"a": "{{b c}}"}"#,
            "x.stub.json:1:72: error: the template is broken at line 1, column 1: there is no helper \"b\" (/response/jsonBody/a)"
        ),
        (
            #""headers": ["A: {{/b}}"]"#,
            "x.stub.json:1:66: error: the template is broken at line 1, column 1: {{/b}} closes no block (/response/headers/0)"
        ),
        (#""bodyFile": "t.txt""#, "t.txt:2:3: error: the template is broken: this tag does not end with }}"),
        (
            #""transformers": ["mine"]"#,
            #"x.stub.json:1:54: error: repeated key "transformers" (/response/transformers)"#
        ),
        (#""status": "{{now}}""#, nil), (#""body": "{{now}}", "headers": {"X": "{{request.id}}"}"#, nil),
        (
            #""status": "abc""#,
            #"x.stub.json:1:64: error: expected a whole number from 200 to 999, found a string (/response/status)"#
        ),
    ])
    func `a template that is broken is told where it stands`(response: String, finding: String?) throws {
        let directory = try TemporaryDirectory([
            "x.stub.json": #"{"response": {"transformers": ["response-template"], \#(response)}}"#,
            "t.txt": "{\n  {{a",
        ])
        let findings = try directory.findings()
        #expect(findings.first == finding, "\(findings)")
    }

    @Test(arguments: [
        (
            #"{"transformers": ["body-mangler"]}"#,
            #"1:32: error: there is no transformer "body-mangler"; the only one is "response-template" (/response/transformers/0)"#
        ),
        (
            #"{"transformers": "response-template"}"#,
            "1:31: error: expected a list, found a string; write it in [ ] (/response/transformers)"
        ),
        (
            #"{"status": "{{a}}"}"#,
            #"1:25: error: a status that is a template needs "transformers": ["response-template"] (/response/status)"#
        ),
    ])
    func `a transformer that there is none of is told`(response: String, finding: String) throws {
        #expect(try TemporaryDirectory.findings(ofStub: #"{"response": \#(response)}"#) == [finding])
    }

    @Test(arguments: [
        ("gzip", #"; write "contentEncoding": "gzip" in place of the line"#),
        ("br", #"; write "contentEncoding": "br" in place of the line"#),
        ("zstd", #"; write "contentEncoding": "zstd" in place of the line"#), ("gzip, br", "; leave the line out"),
    ])
    func `a body that is not in the coding of its line is told`(coding: String, way: String) throws {
        #expect(
            try TemporaryDirectory.findings(
                ofStub: #"{"response": {"headers": ["Content-Encoding: \#(coding)"], "body": "plain text"}}"#) == [
                    "1:27: warning: the body is not in \(coding), as this line says, and clients cannot read it\(way) (/response/headers/0)"
                ])
    }

    @Test(arguments: [
        #"{"headers": ["Content-Encoding: gzip"], "base64Body": "H4sIAAAAAAACAyvISczMUyhJrSgBALgPC0QKAAAA"}"#,
        #"{"headers": ["Content-Encoding: identity"], "body": "a"}"#, #"{"headers": ["Content-Encoding: gzip"]}"#,
        #"{"headers": ["Content-Encoding: aes128gcm"], "body": "a"}"#,
        #"{"headers": ["Content-Encoding: gzip"], "body": "a", "fault": "STALL"}"#,
    ])
    func `a body in its coding, without bytes or with a fault is not`(response: String) throws {
        #expect(try TemporaryDirectory.findings(ofStub: #"{"response": \#(response)}"#).isEmpty)
    }

    @Test(arguments: [
        ("x.json", #"{"request": {"urlPath": "/x"}, "response": {"status": 200}}"#),
        ("a/x.json", #"{"name": "x", "request": {}, "responses": [{}]}"#),
        ("stubs.json", #"{"stubs": [{"request": {}, "response": {}}]}"#),
        ("mappings.json", #"{"mappings": [{"request": {}, "response": {}}]}"#),
    ])
    func `a stub in a file that is not called so is told`(path: String, text: String) throws {
        let directory = try TemporaryDirectory([path: text])
        let name = path.split(separator: "/").last?.dropLast(5) ?? ""
        #expect(
            try directory.findings() == [
                #"\#(path): warning: this looks like a stub, and is served as a plain file; stub files end in ".stub.json": name it "\#(name).stub.json""#
            ])
    }

    @Test(arguments: ["x.stub.yaml", "x.stub.yml", "a/x.stub", "x.STUB.JSON"])
    func `a name that is nearly a stub's is told`(path: String) throws {
        #expect(
            try TemporaryDirectory([path: "{}"]).findings() == [
                #"\#(path): warning: the name looks like a stub's, and the file is served as it is; stubs are JSON, in files that end in ".stub.json""#
            ])
    }

    @Test(arguments: [
        ("x.json", #"{"request": {"id": 1}, "response": {"ok": true}, "took": 3}"#),
        ("x.json", #"{"mappings": {"a": 1}}"#),
        ("stub.yaml", "a: 1"), ("x.json", #"{"response": {}}"#), ("stubs.json", #"{"stubs": []}"#),
    ])
    func `a file that may be what it is served as is not`(path: String, text: String) throws {
        #expect(try TemporaryDirectory([path: text]).findings().isEmpty)
    }

    @Test func `a file below the admin API is told`() throws {
        #expect(
            try TemporaryDirectory(["__admin/x.txt": "x", "a/__admin/x.txt": "x"]).findings() == [
                "__admin/x.txt: warning: no request reaches this file: paths below /__admin are the server's own"
            ])
    }

    @Test(arguments: [
        ("fixedDelay", "did you mean \"fixedDelayMilliseconds\"?"),
        ("delay", "did you mean \"fixedDelayMilliseconds\"?"),
        ("chunked", "did you mean \"chunkedDribbleDelay\"?"), ("statusCode", "did you mean \"status\"?"),
        ("json", "did you mean \"jsonBody\"?"), ("header", "did you mean \"headers\"?"),
        ("priority", "it belongs to the stub itself"),
    ])
    func `a key that one begins with is that one`(key: String, hint: String) throws {
        #expect(
            try TemporaryDirectory.findings(ofStub: #"{"response": {"\#(key)": 1}}"#) == [
                #"1:15: error: unknown key "\#(key)"; \#(hint) (/response/\#(key))"#
            ])
    }

    @Test func `what is left out is named, with its patterns`() throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": "{", "b.stub.json": #"{"request": {"urlPathPattern": "(", "x": 1}, "response": {}}"#,
            "c.stub.json": #"{"stubs": [{"response": {}}, 1, {"respons": {}}]}"#, "d.stub.json": "[]",
        ])
        let leftOut = try directory.load().leftOut
        #expect(
            leftOut.map { "\($0.place.path):\($0.place.line):\($0.place.column)" } == [
                "a.stub.json:0:0", "b.stub.json:1:1", "c.stub.json:1:30", "c.stub.json:1:33", "d.stub.json:0:0",
            ])
        #expect(leftOut.map { $0.patterns.map(\.text) } == [[], ["("], [], [], []])
    }

    @Test(arguments: [("Fixtuers", "Fixtures"), ("fixtures", "Fixtures"), ("Fix", "Fixtures"), ("else", nil)])
    func `a directory that is missing is told with one that is nearly called so`(name: String, near: String?) throws {
        let directory = try TemporaryDirectory(["Fixtures/a.txt": "a", "Fixturef": "no directory", ".Fixtuers/a": "a"])
        let path = "\(directory.path)/\(name)"
        let error = #expect(throws: FixtureError.self) { try FixtureLoader.load(root: path) }
        #expect(error?.near == near.map { "\(directory.path)/\($0)" })
        let hint = near.map { "; did you mean \(directory.path)/\($0)?" } ?? ""
        #expect(error?.description == "the fixture directory \(path) does not exist\(hint)")
    }

    @Test(arguments: ["/a", "/{a#}", "/**"])
    func `a path template has no more than 1,000 parts`(part: String) throws {
        func template(_ count: Int) -> String {
            (0..<count).map { part.replacing("#", with: "\($0)") }.joined()
        }
        let parts = part == "/a" ? 1_000 : part == "/**" ? 333 : 500
        #expect(try findings(ofRequest: #"{"urlPathTemplate": "\#(template(parts))"}"#) == [])
        #expect(
            try findings(ofRequest: #"{"urlPathTemplate": "\#(template(parts + 1))"}"#) == [
                "1:33: error: more than 1000 segments and variables (/request/urlPathTemplate)"
            ])
    }
}
