// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiMatchingSupport
import MockapiStubMatching
import MockapiTestSupport
import Testing

/// `equalTo` of a Content-Type line.
@Suite(.supervised) struct MediaTypeMatcherTests {
    @Test(arguments: [
        ("application/json;charset=UTF-8", true), ("Application/JSON; Charset=\"utf-8\"", true),
        ("application/json", false), ("application/json; charset=utf-16", false), ("text/json; charset=utf-8", false),
    ])
    func `Content-Type is compared as a media type, but as text in a WireMock root and where the case is named`(
        type: String, isMatch: Bool
    ) throws {
        let plain = #"{"headers": {"Content-Type": {"equalTo": "application/json; charset=utf-8"}}}"#
        let caseless = plain.replacing("\"}}}", with: "\", \"caseInsensitive\": true}}}")
        #expect(try MatcherTests.matches(plain, "", type: type) == isMatch)
        #expect(try !MatcherTests.matches(caseless, "", type: type))
        let text = Array(#"{"request": \#(plain), "response": {}}"#.utf8)
        let added = AddedStub(ofAdmin: text, label: "a", number: 0, root: "", templatesAll: false, replacing: nil)
        let index = StubIndex(
            FixtureSet(root: "/", dialect: .wireMock, stubs: [try #require(added.stub)]), clock: MatcherTests.clock)
        for (sent, isText) in [(type, false), ("application/json; charset=utf-8", true)] {
            let head = RequestHead.make("GET", "/", headers: [("Content-Type", sent)])
            #expect((index.match(head, scratch: MatchScratch()).outcome == .stub(0)) == isText)
        }
    }

    @Test func `a text that is not a media type is compared as it is, for Content-Type too`() throws {
        let index = #"{"headers": {"Content-Type": {"equalTo": "json"}}}"#
        #expect(try MatcherTests.matches(index, "", type: "json"))
        #expect(try !MatcherTests.matches(index, "", type: "JSON"))
    }

    @Test(arguments: [
        (#"{"and": [{"equalTo": "a/b; x=1"}, {"contains": "1"}]}"#, true),
        (#"{"not": {"equalTo": "a/b; x=1"}}"#, false),
        (#"{"or": [{"equalTo": "a/c"}, {"equalTo": "a/b; x=1"}]}"#, true),
        (#"{"includes": [{"equalTo": "a/b; x=1"}]}"#, true), (#"{"hasExactly": [{"equalTo": "a/b; x=1"}]}"#, true),
    ])
    func `a media type is compared as one wherever it stands in a matcher`(matcher: String, isMatch: Bool) throws {
        #expect(
            try MatcherTests.matches(#"{"headers": {"Content-Type": \#(matcher)}}"#, "", type: "A/b;X=1") == isMatch)
    }

    @Test func `the nearest stub is that with the nearest media type`() throws {
        let types = ["text/plain", "image/png", "text/xml", "application/json; charset=utf-8", "video/mp4"]
        let stubs = try types.map { type in
            let request = #"{"headers": {"Content-Type": {"equalTo": "\#(type)"}}}"#
            let added = AddedStub(
                Array(#"{"request": \#(request), "response": {}}"#.utf8), label: type, number: 0, root: "")
            return try #require(added.stub)
        }
        let index = StubIndex(FixtureSet(root: "/", dialect: .mockapi, stubs: stubs), clock: MatcherTests.clock)
        let head = RequestHead.make("GET", "/", headers: [("Content-Type", "application/json; charset=utf-16")])
        let nearest = index.nearMisses(for: head, body: [], scratch: MatchScratch()).first
        #expect(nearest?.differences.first?.text.contains("application/json; charset=utf-8") == true)
    }

    @Test func `a miss says that only the parameters differ`() throws {
        let request = #"{"headers": {"Content-Type": {"equalTo": "application/json; charset=utf-8"}}}"#
        let head = RequestHead.make("POST", "/a", headers: [("Content-Type", "Application/json")])
        let found = try MatcherTests.miss(request, head)
        #expect(
            found == [
                #"headers.Content-Type: expected equalTo "application/json; charset=utf-8", found "Application/json" (only the parameters differ)"#
            ])
    }

    @Test func `two stubs that ask for one media type by two spellings can both match one request`() throws {
        let stubs = ["a/b;x=1", "A/B; X=1", "a/b;x=2"].map { #"{"headers": {"Content-Type": {"equalTo": "\#($0)"}}}"# }
        let index = try MatcherTests.index(stubs[0], stubs[1], stubs[2])
        let head = RequestHead.make("GET", "/", headers: [("Content-Type", "a/b; x=1")])
        #expect(index.match(head, scratch: MatchScratch()).outcome == .stub(1))
    }
}
