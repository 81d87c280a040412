// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What people get wrong in fixtures in their first hour: each has one finding, with its place and the way out.
@Suite(.supervised) struct FixtureMistakesTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [String: [UInt8]]
        /// The paths begin in the fixture directory.
        let finding: String

        init(_ name: String, _ files: [String: String], _ finding: String) {
            testDescription = name
            self.files = files.mapValues { Array($0.utf8) }
            self.finding = finding
        }

        init(_ name: String, bytes: [UInt8], _ finding: String) {
            testDescription = name
            files = ["a.stub.json": bytes]
            self.finding = finding
        }
    }

    static let mistakes: [Mistake] = [
        Mistake(
            "trailing comma", ["a.stub.json": #"{"request": {"urlPath": "/a",}, "response": {"status": 200}}"#],
            "a.stub.json:1:29: error: this is not JSON: a comma in front of '}'; take it out"),
        Mistake(
            "comment", ["a.stub.json": "// hi\n{\"request\": {\"urlPath\": \"/a\"}, \"response\": {\"status\": 200}}"],
            "a.stub.json:1:1: error: this is not JSON: JSON has no comments; take it out"),
        Mistake(
            "single quotes", ["a.stub.json": "{'request': {'urlPath': '/a'}, 'response': {}}"],
            "a.stub.json:1:2: error: this is not JSON: a single quote; JSON has double quotes only"),
        Mistake(
            "UTF-16", bytes: [0xFF, 0xFE, 0x7B, 0, 0x7D, 0],
            "a.stub.json:1:1: error: this is not JSON: the text is in UTF-16; save it in UTF-8"),
        Mistake(
            "Latin-1",
            bytes: Array(#"{"request": {"urlPath": "/grXn"}, "response": {"status": 200}}"#.utf8).map {
                $0 == UInt8(ascii: "X") ? 0xFC : $0
            }, "a.stub.json:1:25: error: this is not JSON: a string that is not UTF-8; save the text in UTF-8"),
        Mistake(
            "empty file", ["a.stub.json": ""],
            #"a.stub.json:1:1: error: this is not JSON: the text is empty; write {"request": {"urlPath": "/…"}, "response": {"status": 200}}"#
        ),
        Mistake(
            "delay", ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"status":200,"delay":100}}"#],
            #"a.stub.json:1:58: error: unknown key "delay"; did you mean "fixedDelayMilliseconds"? (/response/delay)"#),
        Mistake(
            "fixedDelay",
            ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"status":200,"fixedDelay":100}}"#],
            #"a.stub.json:1:58: error: unknown key "fixedDelay"; did you mean "fixedDelayMilliseconds"? (/response/fixedDelay)"#
        ),
        Mistake(
            "query", ["a.stub.json": #"{"request": {"urlPath":"/a","query":{"a":"1"}}, "response": {"status": 200}}"#],
            #"a.stub.json:1:29: error: unknown key "query"; did you mean "queryParameters"? (/request/query)"#),
        Mistake(
            "statusCode", ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"statusCode":200}}"#],
            #"a.stub.json:1:45: error: unknown key "statusCode"; did you mean "status"? (/response/statusCode)"#),
        Mistake(
            "json", ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"json":{}}}"#],
            #"a.stub.json:1:45: error: unknown key "json"; did you mean "jsonBody"? (/response/json)"#),
        Mistake(
            "bodyFileName",
            ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"bodyFileName":"a.json"}}"#, "a.json": "{}"],
            #"a.stub.json:1:45: error: unknown key "bodyFileName"; did you mean "bodyFile"? (/response/bodyFileName)"#),
        Mistake(
            "scenario", ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"status": 200},"scenario":"x"}"#],
            #"a.stub.json:1:60: error: unknown key "scenario"; did you mean "scenarioName"? (/scenario)"#),
        Mistake(
            "matcher as a string",
            ["a.stub.json": #"{"request": {"urlPath":"/a","headers":{"X":"1"}}, "response": {"status": 200}}"#],
            #"a.stub.json:1:44: error: expected a matcher such as {"equalTo": "…"}, found a string (/request/headers/X)"#
        ),
        Mistake(
            "body beside jsonBody",
            ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"body":"a","jsonBody":{}}}"#],
            #"a.stub.json:1:67: error: "jsonBody" beside "body"; leave one of them out (/response/jsonBody)"#),
        Mistake(
            "list of stubs", ["a.stub.json": #"[{"request": {"urlPath": "/a"}, "response": {"status": 200}}]"#],
            #"a.stub.json:1:1: error: expected an object, found a list; several stubs go into {"stubs": […]}"#),
        Mistake(
            "no response", ["a.stub.json": #"{"request":{"urlPath": "/a"}}"#],
            #"a.stub.json:1:1: error: a stub needs "response" or "responses"; {"status": 200} answers with an empty body"#
        ),
        Mistake(
            "x.json", ["x.json": #"{"request": {"urlPath": "/a"}, "response": {"status": 200}}"#],
            #"x.json: warning: this looks like a stub, and is served as a plain file; stub files end in ".stub.json": name it "x.stub.json""#
        ),
        Mistake(
            "stubs.json", ["stubs.json": #"{"stubs":[{"request": {"urlPath": "/a"}, "response": {"status": 200}}]}"#],
            #"stubs.json: warning: this looks like a stub, and is served as a plain file; stub files end in ".stub.json": name it "stubs.stub.json""#
        ),
        Mistake(
            ".stub.yaml", ["a.stub.yaml": "request:\n  urlPath: /a\n"],
            #"a.stub.yaml: warning: the name looks like a stub's, and the file is served as it is; stubs are JSON, in files that end in ".stub.json""#
        ),
        Mistake(
            "get", ["a.stub.json": #"{"request": {"method":"get","urlPath":"/a"}, "response": {"status": 200}}"#],
            #"a.stub.json:1:23: warning: methods are case-sensitive, and no client sends "get"; did you mean "GET"? (/request/method)"#
        ),
        Mistake(
            ":id", ["a.stub.json": #"{"request": {"urlPath":"/a/:id"}, "response": {"status": 200}}"#],
            #"a.stub.json:1:24: warning: "urlPath" is compared byte for byte, and has no variables; write "urlPathTemplate": "/a/{id}" (/request/urlPath)"#
        ),
        Mistake(
            "{id}", ["a.stub.json": #"{"request": {"urlPath":"/a/{id}"}, "response": {"status": 200}}"#],
            #"a.stub.json:1:24: warning: "urlPath" is compared byte for byte, and has no variables; write "urlPathTemplate": "/a/{id}" (/request/urlPath)"#
        ),
        Mistake(
            "*", ["a.stub.json": #"{"request": {"urlPath":"/a/*"}, "response": {"status": 200}}"#],
            #"a.stub.json:1:24: warning: "urlPath" is compared byte for byte, and has no variables; write "urlPathTemplate": "/a/{any}" (/request/urlPath)"#
        ),
        Mistake(
            "no slash", ["a.stub.json": #"{"request": {"urlPath":"a"}, "response": {"status": 200}}"#],
            #"a.stub.json:1:24: warning: no request can reach this: "urlPath" must begin with "/" (/request/urlPath)"#),
        Mistake(
            "query in urlPath", ["a.stub.json": #"{"request": {"urlPath":"/a?b=1"}, "response": {"status": 200}}"#],
            #"a.stub.json:1:24: warning: no request can reach this: "urlPath" has no query; write it to "queryParameters", or use "url" (/request/urlPath)"#
        ),
        Mistake(
            "full URL",
            ["a.stub.json": #"{"request": {"url":"http://localhost:8080/a"}, "response": {"status": 200}}"#],
            #"a.stub.json:1:20: warning: no request can reach this: "url" has no origin; write the path, and the name to "host" (/request/url)"#
        ),
        Mistake(
            "missing body file",
            ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"bodyFile":"b.json"}}"#, "c.json": "{}"],
            #"a.stub.json:1:56: error: there is no body file "b.json"; did you mean "c.json"? (/response/bodyFile)"#),
        Mistake(
            "absolute body file",
            ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"bodyFile":"/tmp/b.json"}}"#],
            #"a.stub.json:1:56: error: the body file "/tmp/b.json" lies outside of the fixture directory; write a path from the stub file on (/response/bodyFile)"#
        ),
        Mistake(
            "bad header line",
            ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"headers":["Content-Type text/html"]}}"#],
            #"a.stub.json:1:56: error: expected a line such as "Name: value", found "Content-Type text/html" (/response/headers/0)"#
        ),
        Mistake(
            "{{}} without transformer",
            ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"body":"hi {{request.path}}"}}"#],
            #"a.stub.json:1:52: warning: {{request.path}} is sent as it stands; "transformers": ["response-template"] renders templates (/response/body)"#
        ),
        Mistake(
            "open block",
            [
                "a.stub.json":
                    #"{"request": {"urlPath": "/a"}, "response": {"body":"{{#if a}}x","transformers":["response-template"]}}"#
            ],
            "a.stub.json:1:52: error: the template is broken at line 1, column 1: this block has no end; write {{/if}} (/response/body)"
        ),
        Mistake(
            "broken plain JSON", ["a.json": #"{"a": 1,}"#],
            "a.json:1:8: warning: the media type is application/json, but the bytes are not JSON: a comma in front of '}'; take it out"
        ),
        Mistake(
            "empty directory", [:],
            ".: warning: there are no stubs and no files here to be served; mockapi init writes some"),
        Mistake(
            "unreachable stub",
            [
                "a.stub.json":
                    #"{"stubs":[{"priority":1,"request":{"urlPath":"/a"},"response":{}},{"priority":9,"request":{"urlPath":"/a"},"response":{}}]}"#
            ],
            "a.stub.json:1:67: warning: no request reaches this stub: a.stub.json:1 answers every request that it matches; remove one of them, or ask more of the other or give it a higher priority number (/stubs/1)"
        ),
        Mistake(
            "unreachable state",
            [
                "a.stub.json":
                    #"{"request": {"urlPath": "/a"}, "response": {"status": 200},"scenarioName":"s","requiredScenarioState":"never"}"#
            ],
            #"a.stub.json:1:103: warning: no stub leaves the scenario "s" in "never": this one answers only after it is set to that by PUT /__admin/scenarios/…/state or a test (/requiredScenarioState)"#
        ),
        Mistake(
            "status 99", ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"status":99}}"#],
            "a.stub.json:1:54: error: expected a whole number from 200 to 999, found 99 (/response/status)"),
        Mistake(
            "unquoted key", ["a.stub.json": #"{request: {"urlPath": "/a"}, "response": {}}"#],
            "a.stub.json:1:2: error: this is not JSON: expected a member's name in quotes, found 'r'"),
        Mistake(
            "missing brace", ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"status": 200}"#],
            "a.stub.json:1:59: error: this is not JSON: expected ',' or '}', found the end of the text"),
        Mistake(
            "status as text", ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"status":"200"}}"#],
            "a.stub.json:1:54: error: expected a whole number from 200 to 999, found a string; write 200 without quotes (/response/status)"
        ),
        Mistake(
            "equalTo a number",
            [
                "a.stub.json":
                    #"{"request": {"urlPath":"/a","headers":{"X":{"equalTo":1}}}, "response": {"status": 200}}"#
            ],
            #"a.stub.json:1:55: error: expected a string, found 1; write "1" in quotes, or "equalToNumber" (/request/headers/X/equalTo)"#
        ),
        Mistake(
            "body an object", ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"body":{"a":1}}}"#],
            #"a.stub.json:1:52: error: expected a string, found an object; write "jsonBody" for JSON (/response/body)"#),
        Mistake(
            "bodyPatterns an object",
            [
                "a.stub.json":
                    #"{"request": {"urlPath":"/a","bodyPatterns":{"contains":"x"}}, "response": {"status": 200}}"#
            ], "a.stub.json:1:44: error: expected a list, found an object; write it in [ ] (/request/bodyPatterns)"),
        Mistake(
            "broken pattern", ["a.stub.json": #"{"request": {"urlPathPattern":"/a("}, "response": {"status": 200}}"#],
            "a.stub.json:1:31: error: the pattern is broken at its byte 3: missing closing parenthesis (/request/urlPathPattern)"
        ),
        Mistake(
            "broken JSON path",
            [
                "a.stub.json":
                    #"{"request": {"urlPath":"/a","bodyPatterns":[{"matchesJsonPath":"$.a["}]}, "response": {"status": 200}}"#
            ],
            "a.stub.json:1:64: error: the JSON path is broken at its byte 4: expected a name in quotes, an index, a slice, '*' or '?', found the end of the path (/request/bodyPatterns/0/matchesJsonPath)"
        ),
        Mistake(
            "priority a word",
            ["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"status": 200},"priority":"high"}"#],
            "a.stub.json:1:71: error: expected a whole number of 1 or more, found a string (/priority)"),
        Mistake(
            "/api/data without extension", ["api/data": #"{"a":1"#],
            "api/data:1:7: warning: begins as JSON, and is served as application/octet-stream, since it is not JSON: expected ',' or '}', found the end of the text"
        ),
        Mistake(
            "path", ["a.stub.json": #"{"request": {"path":"/a"}, "response": {"status": 200}}"#],
            #"a.stub.json:1:14: error: unknown key "path"; did you mean "urlPath"? (/request/path)"#),
        Mistake(
            "method a list",
            ["a.stub.json": #"{"request": {"method":["GET","POST"],"urlPath":"/a"}, "response": {"status": 200}}"#],
            #"a.stub.json:1:23: error: expected a string, found a list; write a stub for each, or "ANY" (/request/method)"#
        ),
        Mistake(
            "two stubs in a row",
            [
                "a.stub.json":
                    "{\"request\": {\"urlPath\": \"/a\"}, \"response\": {\"status\": 200}}\n{\"request\": {\"urlPath\": \"/a\"}, \"response\": {\"status\": 200}}"
            ],
            #"a.stub.json:2:1: error: this is not JSON: text behind the end of the value; several stubs go into {"stubs": […]}"#
        ),
        Mistake(
            "no request", ["a.stub.json": #"{"response":{"status":200}}"#],
            #"a.stub.json:1:1: warning: a stub without "request" answers every request; write {"urlPath": "/…"}, or {} if every one is meant"#
        ),
        Mistake(
            "openapi.yaml", ["openapi.yaml": "openapi: 3.0.0\n"],
            "openapi.yaml: warning: this is an OpenAPI document, and is served as a plain file: none of its requests is served; record the service (mockapi record URL), and compare fixtures with it (mockapi diff); one that is meant to lie here unserved has a name that begins with a dot"
        ),
        Mistake(
            ".har", ["s.har": #"{"log":{"entries":[]}}"#],
            "s.har: warning: this is a HAR archive, and is served as a plain file: none of its requests is served; record the service (mockapi record URL)"
        ),
        Mistake(
            "{{uuid}}",
            [
                "a.stub.json":
                    #"{"request": {"urlPath": "/a"}, "response": {"body":"{{uuid}}","transformers":["response-template"]}}"#
            ],
            #"a.stub.json:1:52: warning: nothing has the name "uuid", so that {{uuid}} renders to nothing; write {{randomValue type='UUID'}} (/response/body)"#
        ),
        Mistake(
            "{{request.querry}}",
            [
                "a.stub.json":
                    #"{"request": {"urlPath": "/a"}, "response": {"body":"{{request.querry.a}}","transformers":["response-template"]}}"#
            ],
            #"a.stub.json:1:52: warning: "request" has no "querry", and renders to nothing; did you mean "query"? (/response/body)"#
        ),
    ]

    @Test(arguments: mistakes) func `a mistake in a fixture is one finding with its cure`(mistake: Mistake) async throws
    {
        let directory = try TemporaryDirectory()
        for (name, bytes) in mistake.files { try directory.write(name, bytes) }
        let result = try await Command.run("check", directory.path)
        let output = result.output.replacing(directory.path + "/", with: "").replacing(directory.path, with: ".")
        #expect(output == mistake.finding + "\n")
        #expect(result.code == 1)
    }
}
