// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import Testing

/// Every finding of a stub's request, word for word.
@Suite(.supervised) struct RequestFindingTests {
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
        (
            #"{"method": ["GET"]}"#,
            #"1:24: error: expected a string, found a list; write a stub for each, or "ANY" (/request/method)"#
        ),
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
            ##"1:25: warning: no request can reach this: clients do not send the part after "#" (/request/urlPath)"##
        ),
        (
            #"{"urlPath": "/ü"}"#,
            "1:25: warning: no request can reach this: clients send spaces and letters beyond ASCII percent-encoded; write it so (/request/urlPath)"
        ),
        (
            #"{"urlPathTemplate": "/a/{b"}"#,
            #"1:33: error: a "{" without its "}", or a "}" without its "{"; a variable is a name alone, such as {id}: a pattern for it stands in "pathParameters" (/request/urlPathTemplate)"#
        ),
        (
            #"{"urlPathTemplate": "/u/{id:[0-9]+}"}"#,
            #"1:33: warning: {id:[0-9]+} is a variable of that name, and takes any text; write {id}, and "pathParameters": {"id": {"matches": "[0-9]+"}} (/request/urlPathTemplate)"#
        ),
        (
            #"{"urlPathTemplate": "/u/{id:int}"}"#,
            #"1:33: warning: {id:int} is a variable of that name, and takes any text; write {id}, and "pathParameters": {"id": {"matches": "-?[0-9]+"}} (/request/urlPathTemplate)"#
        ),
        (
            #"{"urlPathTemplate": "/a/{rest...}"}"#,
            #"1:33: warning: {rest...} is one segment of the path; write "**" for the rest of it (/request/urlPathTemplate)"#
        ),
        (
            #"{"urlPathTemplate": "/a/{proxy+}"}"#,
            #"1:33: warning: {proxy+} is one segment of the path; write "**" for the rest of it (/request/urlPathTemplate)"#
        ),
        (
            #"{"urlPathTemplate": "/a/${id}/[...rest]"}"#,
            #"1:33: warning: a variable of "urlPathTemplate" stands in braces, and everything else is compared byte for byte; write "/a/{id}/**" (/request/urlPathTemplate)"#
        ),
        (
            #"{"urlPathTemplate": "/a/*path"}"#,
            #"1:33: warning: a variable of "urlPathTemplate" stands in braces, and everything else is compared byte for byte; write "/a/**" (/request/urlPathTemplate)"#
        ),
        (
            #"{"urlPathPattern": "/a/{id}"}"#,
            #"1:32: warning: "{id}" is not a variable in a pattern, and stands for itself; write "[^/]+", or "urlPathTemplate" with {id} (/request/urlPathPattern)"#
        ),
        (
            #"{"urlPattern": "/a/:id/x"}"#,
            #"1:28: warning: ":id" is not a variable in a pattern, and stands for itself; write "[^/]+", or "urlPathTemplate" with {id} (/request/urlPattern)"#
        ),
        (
            #"{"urlPath": "/a", "queryParameters": {"q": {"equalTo": "this+is"}}}"#,
            #"1:68: warning: values are compared decoded, in which a "+" of the URL is a blank; write "this is" if a blank is meant (/request/queryParameters/q/equalTo)"#
        ),
        (
            #"{"urlPathTemplate": "/a/{*rest}"}"#,
            #"1:33: warning: {*rest} is one segment of the path; write "**" for the rest of it (/request/urlPathTemplate)"#
        ),
        (
            #"{"urlPathTemplate": "/o/{id?}"}"#,
            #"1:33: warning: {id?} is a variable of that name, which every request must have; write {id}, and a stub of its own for the path without it (/request/urlPathTemplate)"#
        ),
        (
            #"{"urlPathTemplate": "/o/{id=5}"}"#,
            #"1:33: warning: {id=5} is a variable of that name, and has no default; write {id} (/request/urlPathTemplate)"#
        ),
        (
            #"{"urlPathTemplate": "/l/:id/<int:n>/*/[slug]"}"#,
            #"1:33: warning: a variable of "urlPathTemplate" stands in braces, and everything else is compared byte for byte; write "/l/{id}/{n}/{any}/{slug}" (/request/urlPathTemplate)"#
        ),
        (
            #"{"urlPathPattern": "/m/*"}"#,
            #"1:32: warning: "/*" is any number of slashes, and not a wildcard; write "/m/.*" (/request/urlPathPattern)"#
        ),
        (
            #"{"urlPattern": "/NBS?Action=x&name=.*"}"#,
            #"1:28: warning: this "?" makes the character or group before it optional, and does not begin a query; write "\\?" for the query's (/request/urlPattern)"#
        ),
        (
            #"{"urlPathPattern": "/b\\?x=.*"}"#,
            #"1:32: warning: no request can reach this: a path has no "?"; write the query to "queryParameters", or use "urlPattern" (/request/urlPathPattern)"#
        ),
        (
            #"{"urlPathPattern": "/^\\/e\\/\\d+$/"}"#,
            #"1:32: warning: no request can reach this: the slashes around a pattern are JavaScript's, and part of it here; write "^/e/\d+$" (/request/urlPathPattern)"#
        ),
        (
            #"{"queryParameters": {"q": {"equalTo": "x%20y"}}}"#,
            #"1:51: warning: values are compared decoded; write "x y" (/request/queryParameters/q/equalTo)"#
        ),
        (
            #"{"path": "/x"}"#, #"1:14: error: unknown key "path"; did you mean "urlPath"? (/request/path)"#
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
            #"{"host": {"equalTo": "bücher.example"}}"#,
            #"1:34: warning: no request can reach this: clients send a name beyond ASCII as "xn--…" (RFC 5891 §4.4); write it so (/request/host/equalTo)"#
        ),
        (
            #"{"host": {"equalTo": "a:80"}}"#,
            #"1:34: warning: no request can reach this: "host" is compared without the port; leave the port out (/request/host/equalTo)"#
        ),
        (
            #"{"headers": {"A b": {"absent": true}}}"#,
            #"1:33: warning: no request can reach this: "A b" is not a field name (RFC 9110 §5.1) (/request/headers/A b)"#
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
            #"1:45: error: expected a string, found 1; write "1" in quotes, or "equalToNumber" (/request/headers/A~0b/equalTo)"#
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
            #"{"headers": {"A": {"matchesJsonPath": {"equalTo": "x"}}}}"#,
            #"1:51: error: "expression" is missing (/request/headers/A/matchesJsonPath)"#
        ),
        (
            #"{"headers": {"A": {"schemaVersion": "V7", "equalTo": "x"}}}"#,
            #"1:32: error: "schemaVersion" goes with "matchesJsonSchema" (/request/headers/A/schemaVersion)"#
        ),
        (
            #"{"headers": {"A": {"equalTo": "x", "actualFormat": "unix"}}}"#,
            #"1:48: error: "actualFormat" goes with "before" or "after" or "equalToDateTime" (/request/headers/A/actualFormat)"#
        ),
        (
            #"{"bodyPatterns": [{"matchesJsonSchema": "{"}]}"#,
            "1:53: error: this string is not JSON: expected a member's name in quotes, found the end of the text (/request/bodyPatterns/0/matchesJsonSchema)"
        ),
        (
            #"{"bodyPatterns": [{"equalToNumber": "1"}]}"#,
            "1:49: error: expected a number, found a string; write 1 without quotes (/request/bodyPatterns/0/equalToNumber)"
        ),
        (
            #"{"bodyPatterns": [{"matchesXPath": {"expression": "/a", "equalTo": "x", "equalTo2": "x"}}]}"#,
            #"1:85: error: unknown key "equalTo2"; did you mean "equalTo"? (/request/bodyPatterns/0/matchesXPath/equalTo2)"#
        ),
        (
            #"{"port": 0, "scheme": "http"}"#,
            "1:22: error: expected a whole number from 1 to 65535, found 0 (/request/port)"
        ),
        (
            #"{"scheme": "ftp"}"#, #"1:24: error: expected "http" or "https", found "ftp" (/request/scheme)"#
        ),
        (
            #"{"cookies": {"A": {"hasExactly": [{"equalTo": "x"}]}}}"#,
            #"1:32: error: unknown key "hasExactly"; it is for parts that can have several values: query parameters and headers (/request/cookies/A/hasExactly)"#
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
        (
            #"{"multipartPatterns": [{"matchingType": "SOME"}]}"#,
            #"1:53: error: expected "ANY" or "ALL", found "SOME" (/request/multipartPatterns/0/matchingType)"#
        ),
        (
            #"{"bodyPatterns": {"contains": "x"}}"#,
            "1:30: error: expected a list, found an object; write it in [ ] (/request/bodyPatterns)"
        ),
        (
            #"{"bodyPatterns": [{"binaryEqualTo": "!"}]}"#,
            "1:49: error: this is not Base64 (/request/bodyPatterns/0/binaryEqualTo)"
        ),
        (
            #"{"bodyPatterns": [{"not": {"binaryEqualTo": "AA=="}}]}"#,
            #"1:40: error: unknown key "binaryEqualTo"; it is for "bodyPatterns", and not inside of "and", "or" and "not" (/request/bodyPatterns/0/not/binaryEqualTo)"#
        ),
        (
            #"{"bodyPatterns": [{"equalToJson": "{"}]}"#,
            #"1:47: error: this string is not JSON: expected a member's name in quotes, found the end of the text; to expect a JSON string, put it between \" and \" (/request/bodyPatterns/0/equalToJson)"#
        ),
        (
            #"{"bodyPatterns": [{"equalToJson": {"a": ["${json-unit.matches:x}"]}}]}"#,
            #"1:47: error: "${json-unit.matches:x}" is not a placeholder of "equalToJson" that is supported; there are any-string, any-number, any-boolean, ignore, ignore-element, and regex with a pattern behind the brace (/request/bodyPatterns/0/equalToJson)"#
        ),
        (
            #"{"bodyPatterns": [{"equalToJson": 1, "ignoreArrayOrder": "x"}]}"#,
            "1:70: error: expected true or false, found a string (/request/bodyPatterns/0/ignoreArrayOrder)"
        ),
    ])
    func `a request`(request: String, finding: String) throws {
        #expect(try TemporaryDirectory.findings(ofStub: #"{"request": \#(request), "response": {}}"#) == [finding])
    }

    @Test func `a request key of later work`() throws {
        let findings = try TemporaryDirectory.findings(ofStub: #"{"request": {"customMatcher": 1}, "response": {}}"#)
        #expect(findings.count == 1)
        #expect(findings.first?.hasPrefix(#"1:14: error: "customMatcher" is not supported yet; "#) == true)
    }
}
