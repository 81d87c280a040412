// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import Testing

@Suite(.supervised) struct WireMockRootTests {
    /// One mapping in a WireMock root.
    private func load(_ mapping: String, files: KeyValuePairs<String, String> = [:]) throws -> FixtureSet {
        let directory = try TemporaryDirectory(files)
        try directory.write("mappings/x.json", Array(mapping.utf8))
        return try directory.load()
    }

    private func findings(_ mapping: String) throws -> [String] {
        try load(mapping, files: ["__files/a/b.json": "{}"]).findings.map(\.description)
    }

    @Test func `mappings without stub files make a WireMock root`() throws {
        #expect(try load("{}").dialect == .wireMock)
        #expect(try TemporaryDirectory(["mappings/a/b.json": "{}"]).load().dialect == .wireMock)
        let mixed = try TemporaryDirectory(["mappings/a.json": "{}", "x/a.stub.json": #"{"response": {}}"#]).load()
        #expect(mixed.dialect == .mockapi)
        #expect(mixed.stubs.count == 1 && mixed.files.map(\.path) == ["mappings/a.json"])
        let asked = try TemporaryDirectory(["mappings/a.json": "{}", "x/a.stub.json": "{}"]).load(wireMock: true)
        #expect(asked.dialect == .wireMock)
        #expect(asked.stubs.map(\.place.path) == ["mappings/a.json"] && asked.files.isEmpty)
        let empty = try TemporaryDirectory()
        empty.makeFolder("mappings")
        #expect(!(try empty.findings(wireMock: true).contains { $0.contains("here is neither") }))
        #expect(
            try TemporaryDirectory(["a.json": "{}"]).findings(wireMock: true) == [
                #".: warning: a WireMock root has stubs in "mappings" and bodies in "__files", and here is neither"#
            ])
    }

    @Test func `an empty mapping answers anything with 200`() throws {
        let set = try load("{}")
        #expect(set.findings == [])
        let stub = try #require(set.stubs.first)
        #expect(stub.request.method == nil && stub.responses.map(\.status) == [200])
    }

    @Test func `several mappings, comments and single quotes are read`() throws {
        let set = try load(
            """
            // two of them
            {"mappings": [{'name': 'a', /* none */ "priority": -1}, {"name": "b"}], "meta": {"total": 2}}
            """)
        #expect(set.findings == [])
        #expect(set.stubs.map(\.name) == ["a", "b"])
        #expect(set.stubs[0].priority == -1)
    }

    @Test func `WireMock's words are read`() throws {
        let set = try load(
            #"""
            {
              "uuid": "8C5DB8B0-2DB4-4AD7-A99F-38C9B00DA3F7", "persistent": true, "insertionIndex": 3, "scenarioName": null,
              "request": {
                "method": "GET_OR_HEAD", "urlPathTemplate": "/v1/things/{id}/**", "url": null, "formParameters": {},
                "pathParameters": {"id": {"matches": "[0-9]+"}, "0": {"equalTo": "x"}},
                "queryParameters": {"q": {"hasExactly": [{"equalTo": "1"}, {"contains": "2"}]}, "debug": {"absent": true}},
                "headers": {"Accept": {"contains": "json"}, "X": {"or": [{"equalTo": "a"}, {"absent": true}]}},
                "cookies": {"session": {"anything": "x"}}, "basicAuth": {"username": "u", "password": "p"},
                "bodyPatterns": [{"equalToJson": "{\"a\": 1}", "ignoreExtraElements": true}]
              },
              "response": {
                "status": 0, "statusMessage": "Fine", "bodyFileName": "a/b.json", "transformers": [],
                "headers": {"Set-Cookie": ["a=1", "b=2"], "X-Count": 1.50, "X-On": true, "Content-Length": "3"}
              }
            }
            """#, files: ["__files/a/b.json": "{}"])
        #expect(set.findings == [])
        let stub = try #require(set.stubs.first)
        #expect(stub.id == "8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7")
        #expect(stub.request.method == "GET")
        #expect(stub.request.basicAuth == .init(username: "u", password: "p"))
        #expect(stub.request.pathParameters.map(\.name) == ["id", "0"])
        let response = stub.responses[0]
        #expect(response.status == 200 && response.reason == "Fine" && response.body.count == 2)
        #expect(
            response.headers == [
                HeaderLine("Set-Cookie", "a=1"), HeaderLine("Set-Cookie", "b=2"), HeaderLine("X-Count", "1.50"),
                HeaderLine("X-On", "true"),
            ])
    }

    @Test func `files are served by their path below __files, bodies too`() throws {
        let set = try load(
            #"{"response": {"bodyFileName": "a.json"}}"#,
            files: [
                "__files/a.json": "{}", "__files/b": "{}", "__files/c/index.html": "<p>", "README.md": "",
                "other.txt": "",
            ])
        #expect(set.findings == [])
        #expect(set.files.map(\.path) == ["a.json", "b", "c/index.html"])
        #expect(set.files.map(\.requestPaths) == [["/a.json"], ["/b"], ["/c/index.html", "/c/", "/c"]])
        #expect(set.files[1].mediaType == "application/json")
    }

    @Test func `a matcher of no known operation is an error, and what stands in absent does not count`() throws {
        let stub = #"{"request": {"headers": {"A": {"matching": "x"}, "B": {"absent": "(absent)"}}}}"#
        let findings = try TemporaryDirectory(["mappings/x.json": stub]).load().findings.filter {
            $0.severity == .error
        }
        #expect(
            findings.map(\.description) == [
                #"mappings/x.json:1:31: error: {"matching":"x"} is not a valid match operation (/request/headers/A)"#
            ])
    }

    @Test(arguments: [
        (
            #"{"request": {"url": "/a", "urlPath": "/b"}}"#,
            #"1:38: warning: "urlPath" beside "url"; it is ignored, as in WireMock (/request/urlPath)"#
        ),
        (
            #"{"request": {"urlPath": "/b", "pathParameters": {"a": {"equalTo": "1"}}}}"#,
            #"1:49: warning: "pathParameters" goes with "urlPathTemplate"; it is ignored, as in WireMock (/request/pathParameters)"#
        ),
        (
            #"{"request": {"headers": {"A": {"contains": "x", "equalTo": "y"}}}}"#,
            #"1:49: warning: "equalTo" beside "contains"; it is ignored, as in WireMock (/request/headers/A/equalTo)"#
        ),
        (
            #"{"request": {"headers": {"A": {"contains": "x", "caseInsensitive": true}}}}"#,
            #"1:49: warning: "caseInsensitive" goes with "equalTo"; it is ignored, as in WireMock (/request/headers/A/caseInsensitive)"#
        ),
        (
            #"{"request": {"headers": {"A": {"contains": "x", "contians": "y"}}}}"#,
            #"1:49: warning: unknown key "contians"; did you mean "contains"? (/request/headers/A/contians)"#
        ),
        (
            #"{"response": {"body": "x", "base64Body": "eA=="}}"#,
            #"1:42: warning: "base64Body" beside "body"; it is ignored, as in WireMock (/response/base64Body)"#
        ),
        (
            #"{"response": {"bodyFileName": "c.json"}}"#,
            #"1:31: warning: there is no body file "c.json"; it is answered 500 (/response/bodyFileName)"#
        ),
        (
            #"{"response": {"bodyFileName": "../mappings/x.json"}}"#,
            #"1:31: warning: the body file "../mappings/x.json" lies outside of "__files"; it is answered 500 (/response/bodyFileName)"#
        ),
        (
            #"{"response": {"bodyFile": "x"}}"#,
            #"1:27: error: in a WireMock root write "bodyFileName", relative to "__files" (/response/bodyFile)"#
        ),
        (
            #"{"request": {"customMatcher": {"name": "x"}}}"#,
            #"1:14: warning: no request can reach this: "customMatcher" is code, which is not run; "bodyPatterns" and "headers" say most of it (/request/customMatcher)"#
        ),
        (
            #"{"response": {"transformers": ["response-template", "mine"]}}"#,
            #"1:53: warning: there is no transformer "mine"; the only one is "response-template" (/response/transformers/1)"#
        ),
        (
            #"{"response": {"proxyBaseUrl": "{{x}}"}}"#,
            #"1:31: warning: a URL that is a template needs "transformers": ["response-template"]; it is answered 500 (/response/proxyBaseUrl)"#
        ),
        (
            #"{"postServeActions": [{"name": "webhook"}]}"#,
            #"1:23: warning: "parameters" is missing; it is not sent (/postServeActions/0)"#
        ),
        (
            #"{"postServeActions": {"webhook": {"method": "POST"}}}"#,
            #"1:34: warning: "url" is missing; it is not sent (/postServeActions/webhook)"#
        ),
        (
            #"{"postServeActions": {"webhook": {"url": "nope"}}}"#,
            #"1:42: warning: expected a URL of http or https, found "nope"; it is not sent (/postServeActions/webhook/url)"#
        ),
        (
            #"{"postServeActions": {"webhook": {"url": "http://a/", "jsonBody": {}}}}"#,
            #"1:67: warning: a webhook has no "jsonBody": it is a parameter for templates; write "body" (/postServeActions/webhook/jsonBody)"#
        ),
        (
            #"{"serveEventListeners": [{"name": "state", "parameters": {}}]}"#,
            #"1:35: warning: the listener "state" is not known; "webhook" is, and others are passed over (/serveEventListeners/0/name)"#
        ),
        (#"{"reponse": {}}"#, #"1:2: error: unknown key "reponse"; did you mean "response"? (/reponse)"#),
        ("[1]", #"1:1: error: expected an object, found a list; several stubs go into {"mappings": […]}"#),
    ])
    func `what WireMock would pass over is told`(mapping: String, finding: String) throws {
        #expect(try findings(mapping) == ["mappings/x.json:" + finding])
    }
}
