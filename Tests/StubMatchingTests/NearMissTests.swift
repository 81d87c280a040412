// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMatchingSupport
import MockapiStubMatching
import MockapiTestSupport
import Testing

@Suite(.supervised) struct NearMissTests {
    private func lines(
        _ stubs: [Stub], files: [PlainFile] = [], _ request: RequestHead, body: String = "",
        matchesAnyHost: Bool = true
    ) -> [String] {
        let index = StubIndex(FixtureSet(root: "/", stubs: stubs, files: files))
        let misses = index.nearMisses(
            for: request, body: Array(body.utf8), matchesAnyHost: matchesAnyHost, scratch: MatchScratch())
        return misses.map { "\($0.path): " + $0.differences.map(\.text).joined(separator: "; ") }
    }

    private func equal(_ text: String) -> MultiValueMatcher { .single(.equalTo(text, caseInsensitive: false)) }

    @Test func `a similar path is found among many`() {
        var stubs = (0..<5000).map {
            Stub.make("\($0).stub.json", RequestPattern(method: "GET", url: .path("/api/content/\($0)")))
        }
        stubs.append(.make("api/contents.stub.json", RequestPattern(method: "GET", url: .path("/api/contents"))))
        let found = lines(stubs, .make("GET", "/api/content"))
        #expect(found.count == 3)
        #expect(found[0] == "api/contents.stub.json: urlPath: /api/contents ≠ /api/content")
    }

    @Test(arguments: [
        (
            URLMatcher.path("/api/contents"), "/API/contents",
            "urlPath: /api/contents ≠ /API/contents (only the case differs)"
        ),
        (.path("/a"), "/a/", "urlPath: /a ≠ /a/ (only the slash at the end differs)"),
        (.path("/api/a"), "//api/a", "urlPath: /api/a ≠ //api/a (only the number of slashes differs)"),
        (.path("/api/a"), "/v1/api/a", #"urlPath: /api/a ≠ /v1/api/a (only "/v1" stands before it)"#),
        (.path("/v1/api/a"), "/a", #"urlPath: /v1/api/a ≠ /a (only "/v1/api" is missing before it)"#),
        (.path("/a%20b"), "/a%20%62", "urlPath: /a%20b ≠ /a%20%62 (only the percent-encoding differs)"),
        (
            .url("/a?f[x]=1&g=a+b"), "/a?f%5Bx%5D=1&g=a%20b",
            "url: /a?f[x]=1&g=a+b ≠ /a?f%5Bx%5D=1&g=a%20b (only the percent-encoding differs: urlPath and queryParameters compare decoded names and values)"
        ),
        (
            .url("/a?x=1&y=2"), "/a?y=2&x=1",
            "url: /a?x=1&y=2 ≠ /a?y=2&x=1 (only the order of the parameters differs: urlPath and queryParameters compare them in any order)"
        ),
        (.url("/a?x=1"), "/a?x=2", "url: /a?x=1 ≠ /a?x=2 (only the query differs)"),
        (.pathTemplate("/a/{id}/parts"), "/a/7/part", "urlPathTemplate: /a/{id}/parts ≠ /a/7/part"),
        (.pathPattern(Pattern("/a/[0-9]+")), "/a/x", "urlPathPattern: /a/[0-9]+ ≠ /a/x"),
    ])
    func `a target that differs is told with what it comes down to`(url: URLMatcher, target: String, text: String) {
        #expect(
            lines([.make("a.stub.json", RequestPattern(url: url))], .make("GET", target)) == ["a.stub.json: \(text)"])
    }

    @Test func `a media type with a parameter more says so, and a scheme without a secret is shown`() {
        let request = RequestPattern(
            url: .path("/a"),
            headers: [
                .init("content-type", equal("application/json")),
                .init("authorization", .single(.matches(Pattern("Bearer .+")))),
            ])
        let head = RequestHead.make("POST", "/a", headers: [("content-type", "application/json; charset=utf-8")])
        #expect(
            lines([.make("a.stub.json", request)], head) == [
                #"a.stub.json: headers.content-type: expected equalTo "application/json", found "application/json; charset=utf-8" (only the parameters differ); "#
                    + #"headers.authorization: expected matches "Bearer .+", found nothing"#
            ])
    }

    @Test func `every part that differs is told`() throws {
        let request = RequestPattern(
            method: "POST", url: .path("/a"), host: .equalTo("a.example", caseInsensitive: false),
            queryParameters: [
                .init("page[number]", equal("2")), .init("s", equal("X")), .init("gone", .single(.absent)),
            ],
            allowsOtherQueryParameters: false,
            headers: [
                .init("accept", .single(.contains("json"))), .init("x-a", .includes([.matches(Pattern("[0-9]+"))])),
            ],
            cookies: [.init("c", .doesNotMatch(Pattern("x")))], basicAuth: .init(username: "u", password: "secret"),
            body: [.value(.not(.equalTo("b", caseInsensitive: true))), .binaryEqualTo([1, 2])])
        let source = try JSONParser.parse(#"{"request":{"headers":{"Accept":{},"X-A":{}}}}"#)
        let head = RequestHead.make(
            "post", "/a?page%5Bnumber%5D=3&s=x&gone=1&gone=2&sort=up", headers: [("accept", "text/html")],
            host: "b.example:80")
        #expect(
            lines([.make("a.stub.json", request, source: source)], head, body: "B", matchesAnyHost: false) == [
                [
                    "a.stub.json: method: POST ≠ post (only the case differs)",
                    #"host: expected equalTo "a.example", found "b.example""#,
                    #"queryParameters.page[number]: expected equalTo "2", found "3""#,
                    #"queryParameters.s: expected equalTo "X", found "x" (only the case differs)"#,
                    #"queryParameters.gone: expected absent, found "1" and "2""#,
                    #"otherQueryParameters: expected none beside those of queryParameters, found "sort""#,
                    #"headers.Accept: expected contains "json", found "text/html""#,
                    #"headers.X-A: expected includes [matches "[0-9]+"], found nothing"#,
                    "cookies.c: expected doesNotMatch 1 byte (not shown), found nothing",
                    #"basicAuthCredentials: expected those of user "u", found nothing"#,
                    #"body: expected not equalTo "b" in any case, found "B""#,
                    "body: expected the 2 bytes of binaryEqualTo, found 1 byte",
                ].joined(separator: "; ")
            ])
    }

    @Test(arguments: [
        (
            #"{"items":[{"price":12},{"price":"a"}],"more":1}"#,
            [
                "body /items/0/price: expected 10, found 12", "body /items/1/price: expected null, found \"a\"",
                "body /more: expected nothing, found 1",
            ]
        ),
        (#"{"items":[{"price":10}]}"#, ["body /items: expected 2 elements, found 1 element"]),
        ("[]", [#"body: expected {"items":[{"price":10},{"price":null}]}, found []"#]),
        ("{", [#"body: expected equalToJson {"items":[{"price":10},{"price":null}]}, found "{", which is not JSON"#]),
        ("", [#"body: expected equalToJson {"items":[{"price":10},{"price":null}]}, found nothing"#]),
    ])
    func `a JSON body is compared place by place`(body: String, texts: [String]) throws {
        let expected = try JSONParser.parse(#"{"items":[{"price":10},{"price":null}]}"#)
        let matcher = ValueMatcher.equalToJSON(expected, ignoreArrayOrder: false, ignoreExtraElements: false)
        let stub = Stub.make("a.stub.json", RequestPattern(url: .path("/a"), body: [.value(matcher)]))
        #expect(lines([stub], .make("POST", "/a"), body: body) == ["a.stub.json: " + texts.joined(separator: "; ")])
    }

    @Test func `plain files are candidates`() {
        let file = PlainFile.make("api/a.json", ["/api/a.json", "/api/a"])
        #expect(lines([], files: [file], .make("POST", "/api/a")) == ["api/a.json: method: GET or HEAD ≠ POST"])
        #expect(
            lines([], files: [file], .make("GET", "/api/b.json")) == ["api/a.json: path: /api/a.json ≠ /api/b.json"])
    }

    @Test func `a long value is shortened`() {
        let stub = Stub.make(
            "a.stub.json", RequestPattern(url: .path("/a"), queryParameters: [.init("q", equal("1"))]))
        let long = String(repeating: "é", count: 200)
        #expect(
            lines([stub], .make("GET", "/a?q=\(long)")) == [
                "a.stub.json: queryParameters.q: expected equalTo \"1\", found \"\(long.prefix(80))…\""
            ])
    }

    @Test func `the stub with the nearer value goes first, whatever their order`() {
        let stubs = ["1", "30", "2"].map {
            Stub.make("\($0).stub.json", RequestPattern(url: .path("/a"), queryParameters: [.init("p", equal($0))]))
        }
        let found = lines(stubs, .make("GET", "/a?p=3"))
        #expect(found[0] == #"30.stub.json: queryParameters.p: expected equalTo "30", found "3""#)
        #expect(found.count == 3)
    }

    @Test func `the values of credentials are named by their lengths`() throws {
        let request = RequestPattern(
            url: .url("/a?page=1&access_token=expected-token"),
            queryParameters: [.init("api_key", equal("expected-key")), .init("code", equal("US"))],
            headers: [
                .init("authorization", equal("Bearer expected")), .init("x-api-key", .single(.matches(Pattern(".+")))),
                .init("proxy-authorization", .single(.absent)), .init("accept", equal("text/html")),
            ],
            cookies: [.init("session", .equalTo("expected", caseInsensitive: false))])
        let head = RequestHead.make(
            "GET", "/a?page=2&access_token=real-token&api_key=real-key&code=DE",
            headers: [
                ("authorization", "Bearer real"), ("proxy-authorization", "Basic cmVhbA=="), ("accept", "*/*"),
                ("cookie", "session=real"),
            ])
        #expect(
            lines([.make("a.stub.json", request)], head) == [
                [
                    "a.stub.json: url: /a?page=1&access_token=*** ≠ /a?page=2&access_token=***&api_key=***&code=DE (only the query differs)",
                    "queryParameters.api_key: expected equalTo 12 bytes (not shown), found 8 bytes (not shown)",
                    #"queryParameters.code: expected equalTo "US", found "DE""#,
                    "headers.authorization: expected equalTo 15 bytes (not shown), found 11 bytes (not shown)",
                    #"headers.x-api-key: expected matches ".+", found nothing"#,
                    "headers.proxy-authorization: expected absent, found 14 bytes (not shown)",
                    #"headers.accept: expected equalTo "text/html", found "*/*""#,
                    "cookies.session: expected equalTo 8 bytes (not shown), found 4 bytes (not shown)",
                ].joined(separator: "; ")
            ])
    }

    @Test func `what a terminal would take for more than text is escaped`() throws {
        let expected = try JSONParser.parse("{}")
        let matcher = ValueMatcher.equalToJSON(expected, ignoreArrayOrder: false, ignoreExtraElements: false)
        let stub = Stub.make("a.stub.json", RequestPattern(url: .path("/a"), body: [.value(matcher)]))
        let body = #"{"\u001b]0;owned\u0007\nGET /ok 200": "\u009b\u202e"}"#
        #expect(
            lines([stub], .make("POST", "/a"), body: body) == [
                #"a.stub.json: body /\u{1b}]0;owned\u{7}\u{a}GET ~1ok 200: expected nothing, found "\u{9b}\u{202e}""#
            ])
    }

    @Test func `a thousand parameters that no stub names are told by the first three`() {
        let stub = Stub.make(
            "a.stub.json", RequestPattern(url: .path("/a"), allowsOtherQueryParameters: false))
        let query = (0..<1000).map { "p\($0 % 500)=" }.joined(separator: "&")
        #expect(
            lines([stub], .make("GET", "/a?\(query)")) == [
                #"a.stub.json: otherQueryParameters: expected none beside those of queryParameters, found "p0" and "p1" and "p2" and 497 more"#
            ])
    }

    @Test func `a sequence at its end matches in full`() {
        let stub = Stub.make("a.stub.json", RequestPattern(url: .path("/a")), responses: 2, afterLast: .unmatched)
        let index = StubIndex(FixtureSet(root: "/", stubs: [stub]))
        let misses = index.nearMisses(for: .make("GET", "/a"), scratch: MatchScratch())
        #expect(misses == [NearMiss(subject: .stub(0), path: "a.stub.json", distance: 0, differences: [])])
    }

    @Test func `texts that differ in their Unicode form alone are told apart`() throws {
        var request = RequestPattern(
            method: "GET", url: .path("/a"), queryParameters: [.init("q", equal("caf\u{E9}"))])
        let head = RequestHead.make("GET", "/a?q=cafe%CC%81")
        #expect(
            lines([.make("a.stub.json", request)], head) == [
                "a.stub.json: queryParameters.q: expected equalTo \"caf\u{E9}\", found \"cafe\u{301}\" (only the Unicode form differs: NFC and NFD)"
            ])
        request = RequestPattern(method: "GET", url: .path("/caf%C3%A9"))
        #expect(
            lines([.make("a.stub.json", request)], RequestHead.make("GET", "/cafe%CC%81")) == [
                "a.stub.json: urlPath: /caf%C3%A9 ≠ /cafe%CC%81 (only the Unicode form differs: NFC and NFD)"
            ])
    }
}
