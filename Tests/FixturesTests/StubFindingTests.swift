// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import Testing

/// Every finding of a stub and of the file around it, word for word.
@Suite(.supervised) struct StubFindingTests {
    @Test(arguments: [
        (
            "",
            #"1:1: error: this is not JSON: the text is empty; write {"request": {"urlPath": "/…"}, "response": {"status": 200}}"#
        ),
        (
            #"{"response": {"#,
            "1:15: error: this is not JSON: expected a member's name in quotes, found the end of the text"
        ),
        ("{\n  'response': {}}", "2:3: error: this is not JSON: a single quote; JSON has double quotes only"),
        ("[]", #"1:1: error: expected an object, found an empty list; several stubs go into {"stubs": […]}"#),
        (#""x""#, #"1:1: error: expected an object, found a string; several stubs go into {"stubs": […]}"#),
        (
            "{}",
            #"1:1: error: a stub needs "response" or "responses"; {"status": 200} answers with an empty body"#
        ),
        (#"{"stubs": {}}"#, "1:11: error: expected a list, found an object; write it in [ ] (/stubs)"),
        (#"{"stubs": [1]}"#, "1:12: error: expected an object, found 1 (/stubs/0)"),
        (
            #"{"stubs": [], "request": {}}"#,
            #"1:15: error: unknown key "request"; it belongs to a stub of the list (/request)"#
        ),
        (
            #"{"mappings": [], "response": {}}"#,
            #"1:2: error: unknown key "mappings"; did you mean "stubs"? (/mappings)"#
        ),
        (#"{"response": {}, "id": "1"}"#, #"1:24: error: expected a UUID such as "ID", found "1" (/id)"#),
        (#"{"response": {}, "response": {}}"#, #"1:18: error: repeated key "response" (/response)"#),
        (
            "{\"response\": {}}\n{\"response\": {}}",
            #"2:1: error: this is not JSON: text behind the end of the value; several stubs go into {"stubs": […]}"#
        ),
        (#"{"response": null}"#, "1:14: error: expected an object, found null (/response)"),
        (
            #"{"response": {}, "name": 1.5}"#,
            #"1:26: error: expected a string, found 1.5; write "1.5" in quotes (/name)"#
        ),
        (#"{"response": {}, "priority": 0}"#, "1:30: error: expected a whole number of 1 or more, found 0 (/priority)"),
        (
            #"{"response": {}, "priority": "1"}"#,
            "1:30: error: expected a whole number of 1 or more, found a string; write 1 without quotes (/priority)"
        ),
        (#"{"response": {}, "reqest": {}}"#, #"1:18: error: unknown key "reqest"; did you mean "request"? (/reqest)"#),
        (
            #"{"response": {}, "uuid": "x"}"#, #"1:18: error: unknown key "uuid"; did you mean "id"? (/uuid)"#
        ),
        (
            #"{"response": {}, "persistent": true}"#,
            #"1:18: error: unknown key "persistent"; WireMock knows it, but it has no meaning here (/persistent)"#
        ),
        (
            #"{"response": {}, "requiredScenarioState": "s"}"#,
            #"1:43: error: "requiredScenarioState" without "scenarioName", which says of what (/requiredScenarioState)"#
        ),
        (
            #"{"response": {}, "responses": [{}]}"#,
            #"1:14: error: "response" beside "responses"; leave one of them out (/response)"#
        ),
        (#"{"responses": []}"#, "1:15: error: expected a list that is not empty, found an empty list (/responses)"),
        (#"{"response": {}, "afterLast": "restart"}"#, #"1:31: error: "afterLast" goes with "responses" (/afterLast)"#),
        (
            #"{"responses": [{}], "afterLast": "again"}"#,
            #"1:34: error: expected "repeat" or "restart" or "unmatched", found "again" (/afterLast)"#
        ),
        (
            #"{"response": {}, "recorded": {"form": "x"}}"#,
            #"1:31: error: unknown key "form"; did you mean "from"? (/recorded/form)"#
        ),
        (
            #"{"response": {}, "urlPath": "/"}"#,
            #"1:18: error: unknown key "urlPath"; it belongs to "request" (/urlPath)"#
        ),
        (
            #"{"response": {}, "status": 200}"#,
            #"1:18: error: unknown key "status"; it belongs to "response" (/status)"#
        ),
        (
            #"{"response": {"method": "GET"}}"#,
            #"1:15: error: unknown key "method"; it belongs to "request" (/response/method)"#
        ),
        (
            #"{"response": {}, "a\nb/~": 1}"#,
            #"1:18: error: unknown key "a\u{a}b/~"; the nearest known key is "id" (/a\u{a}b~1~0)"#
        ),
    ])
    func `a stub`(text: String, finding: String) throws {
        let found = try TemporaryDirectory.findings(ofStub: text).map { line in
            line.replacing(/such as "[0-9a-f-]{36}"/, with: #"such as "ID""#)
        }
        #expect(found == [finding])
    }

    @Test func `all findings come together, in the order of their places`() throws {
        let text = """
            {
              "stubs": [
                {"request": {"metod": "GET"}, "response": {"status": 99}},
                {"response": {}, "name": "fine"},
                {"response": {"bodyFile": "no"}}
              ]
            }
            """
        let directory = try TemporaryDirectory(["b.stub.json": text, "a.stub.json": "{"])
        let set = try directory.load()
        #expect(
            set.findings.map(\.description) == [
                "a.stub.json:1:2: error: this is not JSON: expected a member's name in quotes, found the end of the text",
                #"b.stub.json:3:18: error: unknown key "metod"; did you mean "method"? (/stubs/0/request/metod)"#,
                "b.stub.json:3:58: error: expected a whole number from 200 to 999, found 99 (/stubs/0/response/status)",
                #"b.stub.json:5:31: error: there is no body file "no" (/stubs/2/response/bodyFile)"#,
            ])
        #expect(set.stubs.map(\.name) == ["fine"])
    }
}
