// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMatchingSupport
import MockapiStubMatching
import MockapiTestSupport
import Testing

@Suite(.supervised) struct StubIndexTests {
    private func answers(
        _ request: RequestPattern, _ head: RequestHead, body: String = "", dialect: FixtureSet.Dialect = .mockapi,
        matchesAnyHost: Bool = true
    ) -> Bool {
        let index = StubIndex(FixtureSet(root: "/", dialect: dialect, stubs: [.make("a.stub.json", request)]))
        let result = index.match(
            head, body: Array(body.utf8), matchesAnyHost: matchesAnyHost, scratch: MatchScratch())
        return result.outcome == .stub(0)
    }

    private func winner(_ stubs: [Stub], _ head: RequestHead, dialect: FixtureSet.Dialect = .mockapi) -> Int? {
        let index = StubIndex(FixtureSet(root: "/", dialect: dialect, stubs: stubs))
        guard case .stub(let ordinal) = index.match(head, scratch: MatchScratch()).outcome else { return nil }
        return ordinal
    }

    @Test func `the more specific stub answers, then the later`() {
        let urls: [URLMatcher] = [
            .any, .pathPattern(Pattern("/a/.*")), .pathTemplate("/a/{x}"), .path("/a/b"), .url("/a/b"),
        ]
        for upper in 1...urls.count {
            let stubs = urls[..<upper].enumerated().map { Stub.make("\($0).stub.json", RequestPattern(url: $1)) }
            #expect(winner(stubs, .make("GET", "/a/b")) == upper - 1)
            #expect(winner(stubs.reversed(), .make("GET", "/a/b")) == 0)
            #expect(winner(stubs.reversed(), .make("GET", "/a/b"), dialect: .wireMock) == upper - 1)
        }
        let same = (0..<3).map { Stub.make("\($0).stub.json", RequestPattern(url: .path("/a"))) }
        #expect(winner(same, .make("GET", "/a")) == 2)
        let urgent = Stub.make("u.stub.json", RequestPattern(), priority: 1)
        #expect(winner([urgent] + same, .make("GET", "/a")) == 0)
    }

    @Test func `a HEAD request is answered by a stub for HEAD, else as a GET`() {
        let get = Stub.make("g.stub.json", RequestPattern(method: "GET", url: .path("/a")), priority: 1)
        let any = Stub.make("n.stub.json", RequestPattern(url: .path("/a")), priority: 2)
        let head = Stub.make("h.stub.json", RequestPattern(method: "HEAD", url: .path("/a")), priority: 9)
        #expect(winner([get, any, head], .make("HEAD", "/a")) == 2)
        #expect(winner([get, any], .make("HEAD", "/a")) == 0)
        #expect(winner([get, any, head], .make("GET", "/a")) == 0)
        #expect(winner([head], .make("GET", "/a")) == nil)
    }

    @Test func `the absolute form is compared by path and query`() {
        let head = RequestHead.make("GET", "http://a.example:80/a?x=1")
        #expect(answers(RequestPattern(url: .url("/a?x=1")), head))
        #expect(answers(RequestPattern(url: .pattern(Pattern("/a\\?x=.*"))), head))
        let host = RequestPattern(host: .equalTo("a.example", caseInsensitive: false))
        #expect(answers(host, head, matchesAnyHost: false))
        #expect(answers(host, .make("GET", "/", host: "A.Example"), matchesAnyHost: false))
        #expect(!answers(host, .make("GET", "/", host: "b.example"), matchesAnyHost: false))
        #expect(answers(host, .make("GET", "/", host: "b.example"), matchesAnyHost: true))
        let literal = RequestPattern(host: .equalTo("[::1]", caseInsensitive: false))
        #expect(answers(literal, .make("GET", "/", host: "[::1]:8080"), matchesAnyHost: false))
    }

    @Test func `an empty query is none`() {
        #expect(answers(RequestPattern(url: .url("/x")), .make("GET", "/x?")))
        #expect(answers(RequestPattern(url: .url("/x?")), .make("GET", "/x")))
        #expect(!answers(RequestPattern(url: .url("/x")), .make("GET", "/x?a")))
    }

    @Test func `hasExactly pairs values and matchers, in a WireMock root it does not`() {
        let one = ValueMatcher.equalTo("1", caseInsensitive: false)
        let request = RequestPattern(queryParameters: [.init("a", .hasExactly([one, one]))])
        #expect(!answers(request, .make("GET", "/?a=1&a=2")))
        #expect(answers(request, .make("GET", "/?a=1&a=2"), dialect: .wireMock))
        #expect(answers(request, .make("GET", "/?a=1&a=1")))
        let crossed = RequestPattern(queryParameters: [
            .init("a", .hasExactly([.contains("x"), .equalTo("x", caseInsensitive: false)]))
        ])
        #expect(answers(crossed, .make("GET", "/?a=x&a=yx")))
    }

    @Test func `among stubs that one value tells apart each is asked for all else`() {
        func equal(_ text: String) -> ValueMatcher { .equalTo(text, caseInsensitive: false) }
        // Of each two with one `id` one asks for a header too, and one more for two values of a name.
        let plain = (0..<40).map {
            RequestPattern(url: .path("/a"), queryParameters: [.init("id", .single(equal("\($0)")))])
        }
        let asking = (0..<40).map { number in
            RequestPattern(
                url: .path("/a"), queryParameters: [.init("id", .single(equal("\(number)")))],
                headers: [.init("x", .single(equal("y")))])
        }
        let twice = RequestPattern(
            url: .path("/a"), queryParameters: [.init("id", .single(equal("7"))), .init("id", .single(equal("8")))])
        let stubs = (plain + asking + [twice]).enumerated().map { Stub.make("\(100 + $0).stub.json", $1) }
        #expect(winner(stubs, .make("GET", "/a?id=7")) == 7)
        #expect(winner(stubs, .make("GET", "/a?id=7", headers: [("X", "y")])) == 47)
        #expect(winner(stubs, .make("GET", "/a?id=7", headers: [("X", "z"), ("X", "y")])) == 47)
        #expect(winner(stubs, .make("GET", "/a?id=7&id=8")) == 80)
        #expect(winner(stubs, .make("GET", "/a?id=77&id=9")) == 9)
        #expect(winner(stubs, .make("GET", "/a?id=40")) == nil)
        #expect(winner(stubs, .make("GET", "/b?id=7")) == nil)
    }

    @Test func `a missing cookie is matched by absent alone`() {
        for (matcher, expected) in [
            (ValueMatcher.absent, true), (.doesNotMatch(Pattern("x")), false), (.not(.contains("x")), false),
            (.or([.absent, .contains("x")]), true),
        ] {
            #expect(answers(RequestPattern(cookies: [.init("c", matcher)]), .make("GET", "/")) == expected)
        }
        let present = RequestPattern(cookies: [.init("c", .equalTo("a=b", caseInsensitive: false))])
        #expect(answers(present, .make("GET", "/", headers: [("Cookie", "x=1; c=a=b")])))
        #expect(answers(present, .make("GET", "/", headers: [("cookie", "c=\"a=b\"")])))
    }

    @Test func `texts that are not ASCII are compared without regard to case too`() {
        let request = RequestPattern(queryParameters: [.init("a", .single(.equalTo("ÉTÉ", caseInsensitive: true)))])
        #expect(answers(request, .make("GET", "/?a=%C3%A9t%C3%A9")))
        #expect(!answers(request, .make("GET", "/?a=ete")))
    }

    @Test(arguments: [
        (#"{"a":1,"b":[1,2]}"#, #"{"b":[1.0,2],"a":1e0}"#, false, false, true),
        (#"{"a":1}"#, #"{"a":1,"b":2}"#, false, false, false),
        (#"{"a":1}"#, #"{"a":1,"b":2}"#, false, true, true),
        ("[1,2,2]", "[2,1,2]", true, false, true),
        ("[1,2,2]", "[2,1,1]", true, false, false),
        ("[1,2]", "[2,1]", false, false, false),
        (#"[{},{"a":1}]"#, #"[{"a":1},{"b":1}]"#, true, true, true),
        (#"[{"a":1},{"a":1,"b":1},{}]"#, #"[{"a":1,"b":1},{"c":1},{"a":1}]"#, true, true, true),
        (#"{"a":null}"#, "{}", false, false, false),
        ("[1]", "[1,2]", false, true, false),
    ])
    func `equalToJson compares by value`(
        expected: String, body: String, ignoreArrayOrder: Bool, ignoreExtraElements: Bool, equal: Bool
    ) throws {
        let matcher = ValueMatcher.equalToJSON(
            try JSONParser.parse(expected), ignoreArrayOrder: ignoreArrayOrder, ignoreExtraElements: ignoreExtraElements
        )
        #expect(answers(RequestPattern(body: [.value(matcher)]), .make("POST", "/"), body: body) == equal)
    }

    @Test func `in a WireMock root ignoreExtraElements passes over extra array items too`() throws {
        let matcher = ValueMatcher.equalToJSON(
            try JSONParser.parse("[1]"), ignoreArrayOrder: false, ignoreExtraElements: true)
        let request = RequestPattern(body: [.value(matcher)])
        #expect(answers(request, .make("POST", "/"), body: "[1,2]", dialect: .wireMock))
        #expect(!answers(request, .make("POST", "/"), body: "{", dialect: .wireMock))
    }

    @Test func `an empty body is absent`() {
        #expect(answers(RequestPattern(body: [.value(.absent)]), .make("POST", "/")))
        #expect(!answers(RequestPattern(body: [.value(.contains(""))]), .make("POST", "/")))
        #expect(answers(RequestPattern(body: [.binaryEqualTo([0x61])]), .make("POST", "/"), body: "a"))
    }

    @Test(arguments: ["(a+)+b", "(a+)+[bc]", "(a|aa)+[bc]", "(.*a){20}[bc]"])
    func `a pattern without end is given up`(pattern: String) {
        let stubs = [
            Stub.make("a.stub.json", RequestPattern(url: .pathPattern(Pattern("/" + pattern)))),
            Stub.make("b.stub.json", RequestPattern()),
        ]
        let index = StubIndex(FixtureSet(root: "/", stubs: stubs))
        let head = RequestHead.make("GET", "/" + String(repeating: "a", count: 40))
        let scratch = MatchScratch()
        let result = index.match(head, scratch: scratch)
        #expect(result.outcome == .stub(1))
        // PCRE2 sees by itself that the first one needs a b.
        #expect(result.exceeding == (pattern == "(a+)+b" ? [] : [.init(stub: 0, .pattern)]))
    }

    @Test func `a stub one of whose patterns is given up does not match, whatever stands around the pattern`() {
        let endless = ValueMatcher.matches(Pattern("(a+)+[bc]"))
        let matchers: [ValueMatcher] = [
            endless, .not(endless), .not(.not(endless)), .doesNotMatch(Pattern("(a+)+[bc]")),
            .or([endless, .contains("a")]),
            .not(.and([.contains("a"), endless])), .and([.contains("a"), .not(endless)]),
        ]
        let body = Array(String(repeating: "a", count: 40).utf8)
        for matcher in matchers {
            let stub = Stub.make("a.stub.json", RequestPattern(body: [.value(matcher)]))
            let result = StubIndex(FixtureSet(root: "/", stubs: [stub])).match(
                .make("POST", "/"), body: body, scratch: MatchScratch())
            #expect(result.outcome == .none, "\(matcher)")
            #expect(result.exceeding == [.init(stub: 0, .pattern)], "\(matcher)")
        }
        #expect(answers(RequestPattern(body: [.value(.not(endless))]), .make("POST", "/"), body: "d"))
    }

    @Test func `a template's work is bounded by the path`() {
        let stub = Stub.make("a.stub.json", RequestPattern(url: .pathTemplate("/**a**a**{x}a{y}a/b")))
        let head = RequestHead.make("GET", "/" + String(repeating: "a", count: 10_000))
        let time = ContinuousClock().measure { #expect(winner([stub], head) == nil) }
        #expect(time < .seconds(5))
        #expect(winner([stub], .make("GET", "/aaxaya/b")) == 0)
        #expect(winner([.make("a.stub.json", RequestPattern(url: .pathTemplate("**")))], .make("OPTIONS", "")) == 0)
    }

    @Test func `path parameters are decoded segments`() {
        let request = RequestPattern(
            url: .pathTemplate("/a/{id}/{rest}.json"),
            pathParameters: [
                .init("id", .equalTo("x y", caseInsensitive: false)),
                .init("rest", .equalTo("b.c", caseInsensitive: false)),
            ])
        #expect(answers(request, .make("GET", "/a/x%20y/b.c.json")))
        #expect(!answers(request, .make("GET", "/a/x+y/b.c.json")))
        #expect(!answers(request, .make("GET", "/a//b.c.json")))
        let rest = RequestPattern(url: .pathTemplate("/f/**"), pathParameters: [.init("0", .contains("/"))])
        #expect(answers(rest, .make("GET", "/f/a/b")))
        #expect(!answers(rest, .make("GET", "/f/a")))
    }

    @Test func `a consumed stub makes way for the next`() {
        let stubs = (0..<3).map { Stub.make("\($0).stub.json", RequestPattern(url: .path("/a"))) }
        let index = StubIndex(FixtureSet(root: "/", stubs: stubs, files: [.make("a", ["/a"])]))
        var asked: [Int] = []
        let result = index.match(.make("GET", "/a"), scratch: MatchScratch()) { ordinal in
            asked.append(ordinal)
            return false
        }
        #expect(asked == [2, 1, 0])
        #expect(result.outcome == .file(0))
    }

    @Test func `plain files answer GET and HEAD by the decoded path`() {
        let index = StubIndex(FixtureSet(root: "/", files: [.make("a b.json", ["/a b.json", "/a b"])]))
        let scratch = MatchScratch()
        for target in ["/a%20b.json", "/a%20b", "/%61%20b?x=1"] {
            #expect(index.match(.make("GET", target), scratch: scratch).outcome == .file(0))
        }
        #expect(index.match(.make("HEAD", "/a%20b"), scratch: scratch).outcome == .file(0))
        #expect(index.match(.make("POST", "/a%20b"), scratch: scratch).outcome == .none)
        #expect(index.match(.make("GET", "/a+b"), scratch: scratch).outcome == .none)
    }

    @Test func `the methods of a target are those of its stubs and files`() {
        let stubs = [
            Stub.make(
                "1",
                RequestPattern(method: "POST", url: .path("/a"), queryParameters: [.init("x", .single(.contains("1")))])
            ),
            .make(
                "2",
                RequestPattern(
                    method: "PUT", url: .pathTemplate("/{id}"), pathParameters: [.init("id", .contains("a"))])),
            .make("3", RequestPattern(method: "DELETE", url: .path("/b"))),
            .make("4", RequestPattern(method: "PATCH", url: .path("/a"), host: .contains("other"))),
        ]
        let scratch = MatchScratch()
        let index = StubIndex(FixtureSet(root: "/", stubs: stubs, files: [.make("b", ["/b"])]))
        #expect(
            index.methods(for: .make("GET", "/a", host: "h"), matchesAnyHost: false, scratch: scratch) == [
                "POST", "PUT",
            ])
        #expect(index.methods(for: .make("GET", "/a"), scratch: scratch) == ["PATCH", "POST", "PUT"])
        #expect(index.methods(for: .make("POST", "/b"), scratch: scratch) == ["DELETE", "GET", "HEAD"])
        #expect(index.methods(for: .make("GET", "/c/d"), scratch: scratch) == [])
        let any = StubIndex(FixtureSet(root: "/", stubs: [.make("1", RequestPattern(url: .path("/a")))]))
        #expect(
            any.methods(for: .make("BREW", "/a"), scratch: scratch)
                == ["BREW", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"])
    }
}
