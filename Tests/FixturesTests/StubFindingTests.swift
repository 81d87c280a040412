// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import Testing

/// Every finding of a stub file, word for word.
@Suite struct StubFindingTests {
    /// The findings of one stub file, without its path.
    private func findings(_ text: String, files: KeyValuePairs<String, String> = [:]) throws -> [String] {
        let directory = try TemporaryDirectory(files)
        try directory.write("x.stub.json", Array(text.utf8))
        return try directory.findings().map { finding in
            finding.hasPrefix("x.stub.json:") ? String(finding.dropFirst("x.stub.json:".count)) : finding
        }
    }

    @Test(arguments: [
        ("", "1:1: error: this is no JSON: the text is empty"),
        (
            #"{"response": {"#,
            "1:15: error: this is no JSON: expected a member's name in quotes, found the end of the text"
        ),
        ("{\n  'response': {}}", "2:3: error: this is no JSON: expected a member's name in quotes, found '''"),
        ("[]", #"1:1: error: expected an object, found an empty list; several stubs go into {"stubs": […]}"#),
        (#""x""#, #"1:1: error: expected an object, found a string; several stubs go into {"stubs": […]}"#),
        (
            "{}",
            #"1:1: error: a stub needs "response" or "responses"; {"status": 200} answers with an empty body"#
        ),
        (#"{"stubs": {}}"#, "1:11: error: expected a list, found an object (/stubs)"),
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
        (#"{"response": null}"#, "1:14: error: expected an object, found null (/response)"),
        (#"{"response": {}, "name": 1.5}"#, "1:26: error: expected a string, found 1.5 (/name)"),
        (#"{"response": {}, "priority": 0}"#, "1:30: error: expected a whole number from 1, found 0 (/priority)"),
        (
            #"{"response": {}, "priority": "1"}"#,
            "1:30: error: expected a whole number from 1, found a string (/priority)"
        ),
        (#"{"response": {}, "reqest": {}}"#, #"1:18: error: unknown key "reqest"; did you mean "request"? (/reqest)"#),
        (
            #"{"response": {}, "uuid": "x"}"#, #"1:18: error: unknown key "uuid"; did you mean "id"? (/uuid)"#
        ),
        (
            #"{"response": {}, "persistent": true}"#,
            #"1:18: error: unknown key "persistent"; WireMock knows it, and here it has no meaning (/persistent)"#
        ),
        (
            #"{"response": {}, "scenarioName": "s"}"#,
            #"1:18: error: "scenarioName" is not supported yet (/scenarioName)"#
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
        let found = try findings(text).map { line in
            line.replacing(/such as "[0-9a-f-]{36}"/, with: #"such as "ID""#)
        }
        #expect(found == [finding])
    }

    @Test(arguments: [
        (
            #"{"method": "G T"}"#,
            #"1:24: error: expected a method such as "GET", or "ANY", found "G T" (/request/method)"#
        ),
        (
            #"{"method": "get"}"#,
            #"1:24: warning: methods are case-sensitive, and no client sends "get"; did you mean "GET"? (/request/method)"#
        ),
        (
            #"{"method": "GET_OR_HEAD"}"#,
            #"1:24: warning: "GET" answers HEAD as well; write "GET" (/request/method)"#
        ),
        (#"{"method": ["GET"]}"#, "1:24: error: expected a string, found a list (/request/method)"),
        (
            #"{"url": "/", "urlPath": "/"}"#,
            #"1:37: error: "urlPath" beside "url"; leave one of them out (/request/urlPath)"#
        ),
        (#"{"url": "x"}"#, #"1:21: warning: no request can reach this: "url" must begin with "/" (/request/url)"#),
        (
            #"{"url": "http://a/b"}"#,
            #"1:21: warning: no request can reach this: "url" has no origin; write the path, and the name to "host" (/request/url)"#
        ),
        (
            #"{"urlPath": "/a?b=c"}"#,
            #"1:25: warning: no request can reach this: "urlPath" has no query; write it to "queryParameters", or use "url" (/request/urlPath)"#
        ),
        (
            #"{"urlPath": "/a#b"}"#,
            ##"1:25: warning: no request can reach this: clients do not send what stands behind "#" (/request/urlPath)"##
        ),
        (
            #"{"urlPath": "/ü"}"#,
            "1:25: warning: no request can reach this: clients send spaces and letters beyond ASCII percent-encoded; write it so (/request/urlPath)"
        ),
        (
            #"{"urlPathTemplate": "/a/{b"}"#,
            #"1:33: error: a "{" without its "}", or a "}" without its "{" (/request/urlPathTemplate)"#
        ),
        (
            #"{"urlPathTemplate": "/a/{}"}"#,
            "1:33: error: a variable without a name; write for instance {id} (/request/urlPathTemplate)"
        ),
        (
            #"{"urlPathTemplate": "/{a}/{a}"}"#,
            "1:33: error: the variable {a} stands here twice (/request/urlPathTemplate)"
        ),
        (
            #"{"urlPath": "/a", "pathParameters": {"a": {"equalTo": "b"}}}"#,
            #"1:49: error: "pathParameters" goes with "urlPathTemplate" (/request/pathParameters)"#
        ),
        (
            #"{"urlPathTemplate": "/{id}", "pathParameters": {"di": {"equalTo": "b"}}}"#,
            #"1:67: error: "urlPathTemplate" has no variable {di}; did you mean "id"? (/request/pathParameters/di)"#
        ),
        (
            #"{"host": {"equalTo": "a:80"}}"#,
            #"1:34: warning: no request can reach this: "host" is compared without the port; leave the port out (/request/host/equalTo)"#
        ),
        (
            #"{"headers": {"A b": {"absent": true}}}"#,
            #"1:33: warning: no request can reach this: "A b" is no field name (RFC 9110 §5.1) (/request/headers/A b)"#
        ),
        (
            #"{"queryParameters": {"a%5Bb%5D": {"absent": true}}}"#,
            #"1:46: warning: names are compared decoded; write "a%5Bb%5D" without its percent codes (/request/queryParameters/a%5Bb%5D)"#
        ),
        (
            #"{"headers": {"Accept": "x"}}"#,
            #"1:36: error: expected a matcher such as {"equalTo": "…"}, found a string (/request/headers/Accept)"#
        ),
        (
            #"{"headers": {"A~b": {"equalTo": 1}}}"#,
            "1:45: error: expected a string, found 1 (/request/headers/A~0b/equalTo)"
        ),
        (
            #"{"headers": {"A": {"equalTo": "1"}, "A": {"equalTo": "2"}}}"#,
            #"1:49: error: repeated key "A" (/request/headers/A)"#
        ),
        (
            #"{"headers": {"A": {}}}"#,
            #"1:31: error: a matcher without an operator; write for instance {"equalTo": "…"} (/request/headers/A)"#
        ),
        (
            #"{"headers": {"A": {"caseInsensitive": true, "contains": "x"}}}"#,
            #"1:32: error: "caseInsensitive" goes with "equalTo" (/request/headers/A/caseInsensitive)"#
        ),
        (
            #"{"headers": {"A": {"contains": "x", "doesNotContain": "y"}}}"#,
            #"1:49: error: "doesNotContain" beside "contains"; write {"and": [{"contains": …}, {"doesNotContain": …}]} (/request/headers/A/doesNotContain)"#
        ),
        (
            #"{"headers": {"A": {"absent": false}}}"#,
            #"1:42: warning: "absent": false means the same as true, as in WireMock; for a value that must be there write {"not": {"absent": true}} (/request/headers/A/absent)"#
        ),
        (
            #"{"headers": {"A": {"or": []}}}"#,
            "1:38: error: expected a list that is not empty, found an empty list (/request/headers/A/or)"
        ),
        (
            #"{"headers": {"A": {"equalsTo": "x"}}}"#,
            #"1:32: error: unknown key "equalsTo"; did you mean "equalTo"? (/request/headers/A/equalsTo)"#
        ),
        (
            #"{"headers": {"A": {"matchesJsonPath": "$"}}}"#,
            #"1:32: error: "matchesJsonPath" is not supported yet (/request/headers/A/matchesJsonPath)"#
        ),
        (
            #"{"cookies": {"A": {"hasExactly": [{"equalTo": "x"}]}}}"#,
            #"1:32: error: unknown key "hasExactly"; it is for what can have several values: query parameters and headers (/request/cookies/A/hasExactly)"#
        ),
        (
            #"{"otherQueryParameters": "no"}"#,
            #"1:38: error: expected "allow" or "refuse", found "no" (/request/otherQueryParameters)"#
        ),
        (
            #"{"basicAuthCredentials": {"username": "u"}}"#,
            #"1:38: error: "password" is missing (/request/basicAuthCredentials)"#
        ),
        (
            #"{"basicAuth": {"username": "u", "password": "p"}}"#,
            #"1:14: error: unknown key "basicAuth"; did you mean "basicAuthCredentials"? (/request/basicAuth)"#
        ),
        (#"{"formParameters": {}}"#, #"1:14: error: "formParameters" is not supported yet (/request/formParameters)"#),
        (
            #"{"multipartPatterns": []}"#,
            #"1:14: error: "multipartPatterns" is not supported yet (/request/multipartPatterns)"#
        ),
        (
            #"{"bodyPatterns": {"contains": "x"}}"#,
            "1:30: error: expected a list, found an object (/request/bodyPatterns)"
        ),
        (
            #"{"bodyPatterns": [{"binaryEqualTo": "!"}]}"#,
            "1:49: error: this is no Base64 (/request/bodyPatterns/0/binaryEqualTo)"
        ),
        (
            #"{"bodyPatterns": [{"not": {"binaryEqualTo": "AA=="}}]}"#,
            #"1:40: error: unknown key "binaryEqualTo"; it is for "bodyPatterns", and not inside of "and", "or" and "not" (/request/bodyPatterns/0/not/binaryEqualTo)"#
        ),
        (
            #"{"bodyPatterns": [{"equalToJson": "{"}]}"#,
            #"1:47: error: this string is no JSON: expected a member's name in quotes, found the end of the text; to expect a JSON string, put it between \" and \" (/request/bodyPatterns/0/equalToJson)"#
        ),
        (
            #"{"bodyPatterns": [{"equalToJson": {"a": ["${json-unit.any-string}"]}}]}"#,
            #"1:47: error: placeholders of "equalToJson" are not supported yet (/request/bodyPatterns/0/equalToJson)"#
        ),
        (
            #"{"bodyPatterns": [{"equalToJson": 1, "ignoreArrayOrder": "x"}]}"#,
            "1:70: error: expected true or false, found a string (/request/bodyPatterns/0/ignoreArrayOrder)"
        ),
    ])
    func `a request`(request: String, finding: String) throws {
        #expect(try findings(#"{"request": \#(request), "response": {}}"#) == [finding])
    }

    @Test(arguments: [
        (#"{"status": 100}"#, "1:25: error: expected a whole number from 200 to 999, found 100 (/response/status)"),
        (
            #"{"status": "200"}"#,
            "1:25: error: expected a whole number from 200 to 999, found a string (/response/status)"
        ),
        (
            #"{"status": 600}"#,
            "1:25: warning: the status 600 is of no class that clients know (RFC 9110 §15) (/response/status)"
        ),
        (
            #"{"status": 204, "body": "x"}"#,
            "1:38: warning: an answer with status 204 has no body (RFC 9110 §6.4.1); it is not sent (/response/body)"
        ),
        (
            #"{"headers": ["A"]}"#,
            #"1:27: error: expected a line such as "Name: value", found "A" (/response/headers/0)"#
        ),
        (#"{"headers": ["A B: c"]}"#, #"1:27: error: "A B" is no field name (RFC 9110 §5.1) (/response/headers/0)"#),
        (#"{"headers": [": c"]}"#, #"1:27: error: "" is no field name (RFC 9110 §5.1) (/response/headers/0)"#),
        (#"{"headers": ["A: b\r\nC: d"]}"#, "1:27: error: the value of A holds CR (/response/headers/0)"),
        (#"{"headers": {"A": ["b", "c\nd"]}}"#, "1:38: error: the value of A holds LF (/response/headers/A/1)"),
        (#"{"headers": {"A": "b\u0000"}}"#, "1:32: error: the value of A holds NUL (/response/headers/A)"),
        (
            #"{"headers": {"A": "b\u0001"}}"#,
            "1:32: error: the value of A holds the control character 0x1 (/response/headers/A)"
        ),
        (
            #"{"headers": {"A": null}}"#,
            "1:32: error: expected a string or a number or true or false or a list, found null (/response/headers/A)"
        ),
        (#"{"headers": 1}"#, "1:26: error: expected a list or an object, found 1 (/response/headers)"),
        (#"{"headers": [1]}"#, "1:27: error: expected a string, found 1 (/response/headers/0)"),
        (
            #"{"headers": ["Content-Encoding: br"], "contentEncoding": "gzip"}"#,
            #"1:27: error: a Content-Encoding line beside "contentEncoding"; leave the line out, the server writes it (/response/headers/0)"#
        ),
        (
            #"{"contentEncoding": "zip"}"#,
            #"1:34: error: expected "gzip" or "deflate" or "br", found "zip" (/response/contentEncoding)"#
        ),
        (#"{"reason": "a\nb"}"#, "1:25: error: the reason phrase holds LF (/response/reason)"),
        (
            #"{"statusMessage": "x"}"#,
            #"1:15: error: unknown key "statusMessage"; did you mean "reason"? (/response/statusMessage)"#
        ),
        (
            #"{"bodyFileName": "x"}"#,
            #"1:15: error: unknown key "bodyFileName"; did you mean "bodyFile"? (/response/bodyFileName)"#
        ),
        (
            #"{"body": "x", "jsonBody": 1}"#,
            #"1:40: error: "jsonBody" beside "body"; leave one of them out (/response/jsonBody)"#
        ),
        (#"{"base64Body": "a"}"#, "1:29: error: this is no Base64 (/response/base64Body)"),
        (#"{"bodyFile": ""}"#, "1:27: error: expected the path of a file, found an empty string (/response/bodyFile)"),
        (
            #"{"bodyFile": "../x"}"#,
            #"1:27: error: the body file "../x" lies outside of the fixture directory (/response/bodyFile)"#
        ),
        (
            #"{"bodyFile": "/etc/passwd"}"#,
            #"1:27: error: the body file "/etc/passwd" lies outside of the fixture directory (/response/bodyFile)"#
        ),
        (#"{"bodyFile": "zzzzzzzz"}"#, #"1:27: error: there is no body file "zzzzzzzz" (/response/bodyFile)"#),
        (
            #"{"bodyFile": "contens.json"}"#,
            #"1:27: error: there is no body file "contens.json"; did you mean "contents.json"? (/response/bodyFile)"#
        ),
        (
            #"{"bodyFile": "Contents.json"}"#,
            #"1:27: error: there is no body file "Contents.json"; "contents.json" differs from it only in case (names are case-sensitive) (/response/bodyFile)"#
        ),
        (
            #"{"bodyFile": "deep.json"}"#,
            #"1:27: error: there is no body file "deep.json"; did you mean "a/deep.json"? (/response/bodyFile)"#
        ),
        (#"{"bodyFile": "a"}"#, #"1:27: error: the body file "a" is no file (/response/bodyFile)"#),
        (
            #"{"contentLength": -1}"#, "1:32: error: expected a whole number from 0, found -1 (/response/contentLength)"
        ),
        (
            #"{"contentLength": 1, "body": "x"}"#,
            #"1:32: warning: "contentLength" is for an answer without its body; here the length of the body is told (/response/contentLength)"#
        ),
        (
            #"{"trailers": ["Content-Type: x"]}"#,
            #"1:28: error: Content-Type cannot be a trailer (RFC 9110 §6.5.1); write it to "headers" (/response/trailers/0)"#
        ),
        (
            #"{"rewriteOrigins": ["https://a.example/x"]}"#,
            #"1:34: error: expected an origin such as "https://images.example.com", without a path, found "https://a.example/x" (/response/rewriteOrigins/0)"#
        ),
        (
            #"{"rewriteOrigins": "https://a.example"}"#,
            "1:33: error: expected a list, found a string (/response/rewriteOrigins)"
        ),
        (
            #"{"fixedDelayMilliseconds": 1}"#,
            #"1:15: error: "fixedDelayMilliseconds" is not supported yet (/response/fixedDelayMilliseconds)"#
        ),
        (#"{"fault": "EMPTY_RESPONSE"}"#, #"1:15: error: "fault" is not supported yet (/response/fault)"#),
        (
            #"{"body": "{", "headers": ["Content-Type: application/json"]}"#,
            "1:40: warning: the media type is application/json, but the bytes are no JSON: expected a member's name in quotes, found the end of the text, at 1:2 (/response/headers/0)"
        ),
    ])
    func `a response`(response: String, finding: String) throws {
        let files: KeyValuePairs = ["contents.json": "{}", "a/deep.json": "{}"]
        #expect(try findings(#"{"response": \#(response)}"#, files: files) == [finding])
    }

    @Test(arguments: [
        "formParameters", "multipartPatterns", "port", "scheme", "clientIp", "customMatcher",
    ])
    func `a request key of later work`(key: String) throws {
        #expect(
            try findings(#"{"request": {"\#(key)": 1}, "response": {}}"#) == [
                #"1:14: error: "\#(key)" is not supported yet (/request/\#(key))"#
            ])
    }

    @Test(arguments: [
        "fixedDelayMilliseconds", "delayDistribution", "chunkedDribbleDelay", "fault", "proxyBaseUrl", "transformers",
        "transformerParameters", "additionalProxyRequestHeaders", "removeProxyRequestHeaders", "proxyUrlPrefixToRemove",
    ])
    func `a response key of later work`(key: String) throws {
        #expect(
            try findings(#"{"response": {"\#(key)": 1}}"#) == [
                #"1:15: error: "\#(key)" is not supported yet (/response/\#(key))"#
            ])
    }

    @Test(arguments: [
        "matchesJsonPath", "matchesJsonSchema", "equalToXml", "matchesXPath", "before", "after", "equalToDateTime",
    ])
    func `a matcher of later work`(key: String) throws {
        #expect(
            try findings(#"{"request": {"bodyPatterns": [{"\#(key)": "x"}]}, "response": {}}"#) == [
                #"1:32: error: "\#(key)" is not supported yet (/request/bodyPatterns/0/\#(key))"#
            ])
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
                "a.stub.json:1:2: error: this is no JSON: expected a member's name in quotes, found the end of the text",
                #"b.stub.json:3:18: error: unknown key "metod"; did you mean "method"? (/stubs/0/request/metod)"#,
                "b.stub.json:3:58: error: expected a whole number from 200 to 999, found 99 (/stubs/0/response/status)",
                #"b.stub.json:5:31: error: there is no body file "no" (/stubs/2/response/bodyFile)"#,
            ])
        #expect(set.stubs.map(\.name) == ["fine"])
    }
}
