// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiMatchingSupport
import MockapiMetering
import MockapiTestSupport
import Testing

@testable import MockapiStubMatching

/// What is looked for among many names of a request is paid for, and a request that takes much gives its event loop back.
@Suite(.supervised) struct PaidNamesTests {
    private static func index(_ count: Int, _ request: (Int) -> String) throws -> StubIndex {
        let stubs = try (0..<count).map { number in
            // Those in front go first.
            let text = #"{"priority": \#(number + 1), "request": \#(request(number)), "response": {}}"#
            let added = AddedStub(Array(text.utf8), label: "\(number)", number: number, root: "")
            return try #require(added.stub, "\(text.prefix(200)): \(added.findings)")
        }
        return StubIndex(FixtureSet(root: "/", stubs: stubs))
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    /// Requests with 5,000 names of a kind, or a path of 5,000 segments, and stubs that look through all of them.
    private static var kinds: [(head: RequestHead, request: (Int) -> String)] {
        [
            (
                .make("GET", "/?" + repeated("a&", 5_000)),
                { #"{"queryParameters": {"z": {"absent": true}, "y\#($0)": {"equalTo": "1"}}}"# }
            ),
            (
                .make("GET", "/?" + repeated("a&", 5_000)),
                { #"{"queryParameters": {"z": {"absent": true}, "a": {"includes": [{"contains": "z\#($0)"}]}}}"# }
            ),
            (
                .make("GET", "/", headers: [("cookie", repeated("a=1;", 5_000))]),
                { #"{"cookies": {"z": {"absent": true}, "y\#($0)": {"equalTo": "1"}}}"# }
            ),
            (
                .make("GET", "/", headers: Array(repeating: ("a", "1"), count: 5_000)),
                { #"{"headers": {"z": {"absent": true}, "y\#($0)": {"equalTo": "1"}}}"# }
            ),
            (.make("GET", repeated("/a", 5_000)), { #"{"urlPathTemplate": "/{a}/**/x\#($0)"}"# }),
            (.make("GET", repeated("/a", 5_000)), { #"{"urlPathTemplate": "/**/a/**/{b}/**/x\#($0)"}"# }),
        ]
    }

    @Test(arguments: 0..<6)
    func `the names and segments of a request are paid for by each stub that looks through them`(kind: Int) throws {
        let (head, request) = Self.kinds[kind]
        let paid = try [1, 20].map { count in
            let scratch = MatchScratch()
            let result = try Self.index(count, request).match(head, scratch: scratch)
            #expect(result.outcome == .none)
            return scratch.state.budget.meter.paid
        }
        #expect(paid[1] - paid[0] >= 19 * 5_000, "\(paid)")
    }

    @Test func `each try of a template's pieces is paid for, however many stand within one another`() throws {
        let pieces = (0..<14).map { "/{v\($0)}/**" }.joined()
        let head = RequestHead.make("GET", Self.repeated("/a", 5_000))
        let scratch = MatchScratch()
        let index = try Self.index(1) { #"{"urlPathTemplate": "\#(pieces)/x\#($0)"}"# }
        #expect(index.match(head, scratch: scratch).outcome == .none)
        // Each piece is tried at each segment.
        #expect(scratch.state.budget.meter.paid >= 14 * 5_000 * 4)
    }

    @Test func `the header lines of parts are paid for by each stub that asks for one`() throws {
        let part = "--B\r\n" + Self.repeated("a: b\r\n", 60) + "\r\n\r\n"
        let body = Array((Self.repeated(part, 100) + "--B--\r\n").utf8)
        let head = RequestHead.make("POST", "/", headers: [("content-type", "multipart/form-data; boundary=B")])
        let paid = try [1, 20].map { count in
            let scratch = MatchScratch()
            let index = try Self.index(count) {
                #"{"multipartPatterns": [{"headers": {"Z": {"absent": true}, "Y\#($0)": {"equalTo": "1"}}}]}"#
            }
            #expect(index.match(head, body: body, scratch: scratch).outcome == .none)
            return scratch.state.budget.meter.paid
        }
        #expect(paid[1] - paid[0] >= 19 * 100 * 60, "\(paid)")
    }

    @Test func `a list of stubs that many values lead to is asked once`() throws {
        let index = try Self.index(200) {
            #"{"queryParameters": {"q": {"equalTo": "\#($0 % 2)"}, "x": {"matches": "\#($0)"}}}"#
        }
        let head = RequestHead.make("GET", "/?" + Self.repeated("q=0&q=1&", 4_000) + "x=199")
        #expect(index.candidateCount(for: head) == 200)
        #expect(index.match(head, scratch: MatchScratch()).outcome == .stub(199))
    }

    @Test func `values are paired with matchers within what the request may take`() {
        var left = 100
        func mayGoOn() -> Bool {
            left -= 1
            return left >= 0
        }
        // Each matcher fits the values in front of it, so that each new one moves all others.
        #expect(!Pairing.isComplete(400, mayGoOn: mayGoOn) { $1 <= $0 + 1 && $1 != $0 })
        #expect(left < 0)
    }

    /// Stubs that take more of a long header than an event loop has, in front of one that it matches.
    private static func slow() throws -> StubIndex {
        try index(301) {
            $0 == 300
                ? #"{"headers": {"X": {"contains": "b"}}}"#
                : #"{"headers": {"X": {"and": [{"contains": "a"}, {"contains": "c\#($0)"}]}}}"#
        }
    }

    @Test func `a request that takes more than an event loop has is cut there, without asking what may answer it`()
        throws
    {
        let head = RequestHead.make("GET", "/", headers: [("x", Self.repeated("a", 60_000) + "b")])
        let index = try Self.slow()
        let scratch = MatchScratch(isOnLoop: true)
        var asked = 0
        let result = index.match(head, scratch: scratch) { _ in
            asked += 1
            return true
        }
        #expect(result.outcome == .none && scratch.isCut && asked == 0)
        #expect(scratch.state.budget.meter.paid <= Meter.onLoop)
        #expect(index.match(head, scratch: MatchScratch()).outcome == .stub(300))
        // The next request begins anew.
        let short = RequestHead.make("GET", "/", headers: [("x", "ab")])
        #expect(index.match(short, scratch: scratch).outcome == .stub(300) && !scratch.isCut)
        #expect(index.match(.make("GET", "/"), scratch: scratch).outcome == .none && !scratch.isCut)
    }

    @Test func `so is the search for what is near`() throws {
        let index = try Self.index(400) { #"{"urlPathTemplate": "/{a}/{b}/**/x\#($0)"}"# }
        let head = RequestHead.make("GET", "/q" + Self.repeated("/a", 20_000))
        let scratch = MatchScratch(isOnLoop: true)
        _ = index.match(head, scratch: scratch)
        #expect(scratch.isCut)
        let beside = MatchScratch()
        _ = index.nearMisses(for: head, scratch: beside)
        #expect(!beside.isCut)
    }
}
