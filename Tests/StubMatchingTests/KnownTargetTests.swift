// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiMatchingSupport
import MockapiStubMatching
import MockapiTestSupport
import Testing

/// The match of a target is kept only where nothing else decided it.
@Suite(.supervised) struct KnownTargetTests {
    private static let x = ValueMatcher.equalTo("x", caseInsensitive: false)
    private static let clock = ValueMatcher.leaf(
        DateTimePattern(.after, Expression("now -1 years", at: nowhere)))
    private static let nowhere = Place(path: "a.stub.json", line: 1, column: 1)

    private func index(_ patterns: RequestPattern..., files: [PlainFile] = []) -> StubIndex {
        let stubs = patterns.enumerated().map { Stub.make("\($0).stub.json", $1) }
        return StubIndex(FixtureSet(root: "/", dialect: .mockapi, stubs: stubs, files: files))
    }

    /// Matches a request, and says what is known of its target from then on.
    private func known(_ index: StubIndex, _ head: RequestHead, _ scratch: MatchScratch) -> MatchResult.Decision? {
        let result = index.match(head, body: [], matchesAnyHost: false, scratch: scratch) { _ in true }
        index.remember(result, of: head, scratch)
        return index.known(head, scratch)
    }

    @Test(arguments: [
        RequestPattern(url: .any, headers: [.init("accept", .single(.absent))]),
        RequestPattern(url: .any, cookies: [.init("c", .absent)]),
        RequestPattern(url: .any, formParameters: [.init("f", .single(.absent))]),
        RequestPattern(host: .equalTo("a.example", caseInsensitive: false)),
        RequestPattern(url: .any, port: 80), RequestPattern(url: .any, scheme: "http"),
        RequestPattern(url: .any, clientIP: .absent),
        RequestPattern(url: .any, body: [.value(.absent)]),
    ])
    func `a match that more than the target decides is not kept`(pattern: RequestPattern) {
        let scratch = MatchScratch()
        let head = RequestHead.make("GET", "/a", host: "a.example")
        let index = index(pattern)
        #expect(index.match(head, matchesAnyHost: false, scratch: scratch).outcome == .stub(0))
        #expect(known(index, head, scratch) == nil)
    }

    @Test(arguments: [
        RequestPattern(url: .any), RequestPattern(url: .path("/a/b")), RequestPattern(url: .url("/a/b?q=x")),
        RequestPattern(method: "GET", url: .pathTemplate("/a/{id}")),
        RequestPattern(url: .pattern(Pattern("/a/.*"))), RequestPattern(url: .pathPattern(Pattern("/a/b"))),
        RequestPattern(url: .any, queryParameters: [.init("q", .single(x))]),
        RequestPattern(
            url: .any, queryParameters: [.init("q", .single(x))], allowsOtherQueryParameters: false),
    ])
    func `a match that the target alone decides is kept for its method and its bytes`(pattern: RequestPattern) {
        let scratch = MatchScratch()
        let index = index(pattern)
        #expect(known(index, .make("GET", "/a/b?q=x"), scratch) == .stub(0))
        let other = RequestHead.make("GET", "/a/b?q=x", headers: [("accept", "text/plain")], host: "b.example")
        #expect(index.known(other, scratch) == .stub(0))
        for head in [RequestHead.make("POST", "/a/b?q=x"), .make("HEAD", "/a/b?q=x"), .make("GET", "/a/b?q=X")] {
            #expect(index.known(head, scratch) == nil)
        }
        #expect(index.known(.make("GET", "/a/b"), scratch) == nil)
    }

    @Test func `what the time decides is not kept`() {
        let scratch = MatchScratch()
        let pattern = RequestPattern(url: .any, queryParameters: [.init("t", .single(Self.clock))])
        #expect(known(index(pattern), .make("GET", "/?t=2999-01-01T00:00:00Z"), scratch) == nil)
    }

    @Test func `the match of a file is kept, and a stub that was asked in vain for a line ends that`() {
        let scratch = MatchScratch()
        let file = PlainFile.make("a.json", ["/a.json"])
        #expect(known(index(files: [file]), .make("GET", "/a.json"), scratch) == .file(0))
        let pattern = RequestPattern(url: .any, headers: [.init("x-a", .single(Self.x))])
        #expect(known(index(pattern, files: [file]), .make("GET", "/a.json"), scratch) == nil)
    }

    @Test func `no miss is kept`() {
        #expect(known(index(RequestPattern(url: .path("/b"))), .make("GET", "/a"), MatchScratch()) == nil)
    }

    @Test func `an index does not know what another has matched`() {
        let scratch = MatchScratch()
        let head = RequestHead.make("GET", "/a")
        let first = index(RequestPattern(url: .path("/a")))
        let second = index(RequestPattern(url: .path("/b")), RequestPattern(url: .path("/a")))
        #expect(known(first, head, scratch) == .stub(0))
        #expect(second.known(head, scratch) == nil)
        #expect(known(second, head, scratch) == .stub(1))
        #expect(first.known(head, scratch) == nil)
    }

    @Test func `of many targets and of long ones what is kept is right`() {
        let scratch = MatchScratch()
        let index = index(
            RequestPattern(url: .pathPattern(Pattern("/.*0"))), RequestPattern(url: .pathPattern(Pattern("/.*1"))))
        func head(_ number: Int) -> RequestHead {
            .make("GET", "/" + String(repeating: "p", count: number % 97) + String(number, radix: 2))
        }
        var random = SplitMix(seed: 5)
        var kept = 0
        for number in 0..<Thoroughness.rounds(20_000, thorough: 200_000) {
            #expect(known(index, head(number), scratch) == .stub(number & 1))
            let earlier = Int.random(in: max(0, number - 5_000)...number, using: &random)
            guard let decision = index.known(head(earlier), scratch) else { continue }
            #expect(decision == .stub(earlier & 1))
            kept += 1
        }
        #expect(kept > 5_000)
        let long = "/" + String(repeating: "p", count: 512) + "0"
        #expect(known(index, .make("GET", long), scratch) == nil)
    }
}
