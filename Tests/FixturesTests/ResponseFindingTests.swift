// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import Testing

/// Every finding of a stub's response, word for word.
@Suite(.supervised) struct ResponseFindingTests {
    @Test(arguments: [
        (#"{"status": 100}"#, "1:25: error: expected a whole number from 200 to 999, found 100 (/response/status)"),
        (
            #"{"headers": ["Strict-Transport-Security: max-age=31536000"]}"#,
            "1:27: warning: after this line over TLS a browser uses only https for this server's name, on every port, for as long as the line says; leave it out (/response/headers/0)"
        ),
        (
            #"{"headers": ["Set-Cookie: a=b; Path=/; domain=Example.com"]}"#,
            "1:27: warning: a client drops this cookie unless it calls this server by Example.com or a name below it; leave Domain out (/response/headers/0)"
        ),
        (
            #"{"headers": ["Strict-Transport-Security: includeSubDomains; max-age=10"]}"#,
            "1:27: warning: after this line over TLS a browser uses only https for this server's name, on every port, for as long as the line says; leave it out (/response/headers/0)"
        ),
        (
            #"{"headers": ["Set-Cookie: a=b; Domain=1.2.3.example"]}"#,
            "1:27: warning: a client drops this cookie unless it calls this server by 1.2.3.example or a name below it; leave Domain out (/response/headers/0)"
        ),
        (
            #"{"body": {"a": 1}}"#,
            #"1:23: error: expected a string, found an object; write "jsonBody" for JSON (/response/body)"#
        ),
        (
            #"{"status": "200"}"#,
            "1:25: error: expected a whole number from 200 to 999, found a string; write 200 without quotes (/response/status)"
        ),
        (
            #"{"status": 600}"#,
            "1:25: warning: the status 600 does not belong to a class that clients know (RFC 9110 §15) (/response/status)"
        ),
        (
            #"{"status": 204, "body": "x"}"#,
            "1:38: warning: a response with status 204 has no body (RFC 9110 §6.4.1); it is not sent (/response/body)"
        ),
        (
            #"{"status": 204, "trailers": ["X-Sum: 1"]}"#,
            "1:42: warning: a response with status 204 has no body, and no trailers behind one (RFC 9110 §6.5.1); they are not sent (/response/trailers)"
        ),
        (
            #"{"status": 205, "contentLength": 5}"#,
            "1:47: warning: a response with status 205 has no length (RFC 9110 §8.6); it is not sent (/response/contentLength)"
        ),
        (
            #"{"status": 304, "bodyFile": "{{request.id}}.txt", "transformers": ["response-template"]}"#,
            "1:42: warning: a response with status 304 has no body (RFC 9110 §6.4.1); it is not sent (/response/bodyFile)"
        ),
        (
            #"{"headers": ["A"]}"#,
            #"1:27: error: expected a line such as "Name: value", found "A" (/response/headers/0)"#
        ),
        (#"{"headers": ["A B: c"]}"#, #"1:27: error: "A B" is not a field name (RFC 9110 §5.1) (/response/headers/0)"#),
        (#"{"headers": [": c"]}"#, #"1:27: error: "" is not a field name (RFC 9110 §5.1) (/response/headers/0)"#),
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
            #"{"headerCharset": "ISO-8859-1", "headers": ["A: é€"]}"#,
            #"1:32: error: "€" in A is not a character of ISO-8859-1 (/response/headerCharset)"#
        ),
        (
            #"{"contentEncoding": "zip"}"#,
            #"1:34: error: expected "gzip" or "deflate" or "br" or "zstd", found "zip" (/response/contentEncoding)"#
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
        (#"{"base64Body": "a"}"#, "1:29: error: this is not Base64 (/response/base64Body)"),
        (#"{"bodyFile": ""}"#, "1:27: error: expected the path of a file, found an empty string (/response/bodyFile)"),
        (
            #"{"bodyFile": "../x"}"#,
            #"1:27: error: the body file "../x" lies outside of the fixture directory; write a path from the stub file on (/response/bodyFile)"#
        ),
        (
            #"{"bodyFile": "/etc/passwd"}"#,
            #"1:27: error: the body file "/etc/passwd" lies outside of the fixture directory; write a path from the stub file on (/response/bodyFile)"#
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
        (#"{"bodyFile": "a"}"#, #"1:27: error: the body file "a" is not a file (/response/bodyFile)"#),
        (
            #"{"contentLength": -1}"#,
            "1:32: error: expected a whole number of 0 or more, found -1 (/response/contentLength)"
        ),
        (
            #"{"contentLength": 1, "body": "x"}"#,
            #"1:32: warning: "contentLength" is for a response without its body; here the body has its own length (/response/contentLength)"#
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
            "1:33: error: expected a list, found a string; write it in [ ] (/response/rewriteOrigins)"
        ),
        (
            #"{"headers": ["X-A: 1", "Connection: close"]}"#,
            "1:37: warning: Connection is the server's, and this line is not sent; leave it out (/response/headers/1)"
        ),
        (
            #"{"headers": {"content-length": 99}}"#,
            "1:45: warning: content-length is the server's, and this line is not sent; leave it out, or write \"contentLength\" if HEAD is answered without a body (/response/headers/content-length)"
        ),
        (
            #"{"proxyBaseUrl": "x"}"#,
            #"1:31: error: expected a URL such as "https://api.example.com", of http or https, without credentials, query and fragment, found "x" (/response/proxyBaseUrl)"#
        ),
        (
            #"{"body": "{", "headers": ["Content-Type: application/json"]}"#,
            "1:40: warning: the media type is application/json, but the bytes are not JSON: expected a member's name in quotes, found the end of the text, at 1:2 (/response/headers/0)"
        ),
    ])
    func `a response`(response: String, finding: String) throws {
        let files: KeyValuePairs = ["contents.json": "{}", "a/deep.json": "{}"]
        #expect(try TemporaryDirectory.findings(ofStub: #"{"response": \#(response)}"#, files: files) == [finding])
    }

    @Test(arguments: [
        "Strict-Transport-Security: max-age=0", #"Strict-Transport-Security: includeSubDomains; Max-Age=\"0\""#,
        "Set-Cookie: a=b; Domain=localhost", "Set-Cookie: a=b; domain=.LocalHost; Path=/",
        "Set-Cookie: a=b; Domain=127.0.0.1", "Set-Cookie: a=b; Domain=::1", "Set-Cookie: a=b; Domain=[::1]",
    ])
    func `a line that does no harm to this server's host is not told`(line: String) throws {
        let stub = #"{"request": {"urlPath": "/a"}, "response": {"headers": ["\#(line)"]}}"#
        #expect(try TemporaryDirectory.findings(ofStub: stub) == [])
    }

    @Test func `trailers of a response to HEAD are not sent`() throws {
        let stub = #"{"request": {"method": "HEAD"}, "response": {"trailers": {"X-Sum": "1"}}}"#
        #expect(
            try TemporaryDirectory.findings(ofStub: stub) == [
                "1:58: warning: a response to HEAD has no body, and no trailers behind one (RFC 9110 §6.5.1); they are not sent (/response/trailers)"
            ])
        for other in [
            #"{"trailers": []}"#, #"{"status": 204, "trailers": {}}"#, #"{"body": "x", "trailers": ["X-Sum: 1"]}"#,
        ] {
            let method = other.contains("body") ? "GET" : "HEAD"
            let stub = #"{"request": {"method": "\#(method)"}, "response": \#(other)}"#
            #expect(try TemporaryDirectory.findings(ofStub: stub) == [], "\(other)")
        }
    }
}
