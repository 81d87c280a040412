// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiMatchingSupport
import MockapiMetering
import MockapiTestSupport
import Testing

@testable import MockapiStubMatching

/// A test that could not be made counts as passed in no stub, and neither does its negation: the meter is spent, or nobody waits any more.
@Suite(.supervised) struct UnmadeTestTests {
    private static let json = #"{"a": 1, "query": "{ b }"}"#
    private static let zeros = String(repeating: "0", count: 64)

    /// Matchers of every kind that pays for its work, each with a value.
    private static let matchers: [(matcher: String, value: String)] = [
        (#""matches": ".*c""#, "abc"), (#""doesNotMatch": ".*x""#, "abc"), (#""matchesIgnoringCase": ".*C""#, "abc"),
        (#""contains": "b""#, "abc"), (#""doesNotContain": "x""#, "abc"), (#""sha256": "\#(zeros)""#, "abc"),
        (#""matchesJsonPath": "$.a""#, json), (#""matchesJsonPath": "$.b""#, json),
        (#""matchesJsonPath": {"expression": "$.b", "absent": true}"#, json),
        (#""matchesJsonPath": {"expression": "$.a", "doesNotContain": "x"}"#, json),
        (#""matchesJsonPath": {"expression": "$.a", "equalToJson": "1"}"#, json),
        (#""matchesJsonSchema": {"type": "object"}"#, json), (#""matchesJsonSchema": {"type": "string"}"#, "abc"),
        (#""equalToXml": "<a><b/></a>""#, "<a><b/></a>"), (#""equalToXml": "<a/>""#, "<a><b/></a>"),
        (#""matchesXPath": "/a/b""#, "<a><b/></a>"), (#""matchesXPath": "/a/c""#, "<a><b/></a>"),
        (#""matchesXPath": {"expression": "/a/c", "absent": true}"#, "<a><b/></a>"),
        (#""before": "2030-01-01T00:00:00Z""#, "2021-01-01T00:00:00Z"),
        (#""after": "now""#, "2021-01-01T00:00:00Z"), (#""equalToDateTime": "now""#, "2021-01-01T00:00:00Z"),
        (#""equalTo": "ABC", "caseInsensitive": true"#, "abc"), (#""greaterThanNumber": 1"#, "2"),
        (#""matchesPathTemplate": "/a/{b}""#, "/a/b"),
        (#""equalToJson": "{\"a\": 1}", "ignoreExtraElements": true"#, json), (#""equalToJson": "{\"a\": 1}""#, json),
        (#""or": [{"contains": "x"}, {"matchesXPath": "/a"}]"#, "<a/>"),
        (#""and": [{"contains": "a"}, {"not": {"matchesXPath": "/b"}}]"#, "<a/>"),
    ]

    /// Conditions that are asked in pairs, one of which holds, for a request.
    private static let pairs: [(one: String, other: String, head: RequestHead, body: String)] =
        matchers.map { matcher, value in
            (
                #"{"bodyPatterns": [{\#(matcher)}]}"#, #"{"bodyPatterns": [{"not": {\#(matcher)}}]}"#,
                .make("POST", "/a"), value
            )
        }
        + matchers.map { matcher, value in
            (
                #"{"headers": {"X": {\#(matcher)}}}"#, #"{"headers": {"X": {"not": {\#(matcher)}}}}"#,
                .make("POST", "/a", headers: [("x", value)]), ""
            )
        }
        + [#""equalTo": "1""#, #""absent": true"#, #""contains": "1""#].map { matcher in
            (
                #"{"formParameters": {"a": {\#(matcher)}}}"#, #"{"formParameters": {"a": {"not": {\#(matcher)}}}}"#,
                .make("POST", "/a", headers: [("Content-Type", "application/x-www-form-urlencoded")]), "a=1"
            )
        }
        + [
            (
                #"{"formParameters": {"a": {"hasExactly": [{"equalTo": "1"}]}}}"#,
                #"{"formParameters": {"a": {"includes": [{"equalTo": "2"}]}}}"#,
                .make("POST", "/a", headers: [("Content-Type", "application/x-www-form-urlencoded")]), "a=1"
            ),
            (
                #"{"queryParameters": {"q": {"hasExactly": [{"contains": "a"}]}}}"#,
                #"{"queryParameters": {"q": {"includes": [{"doesNotContain": "a"}]}}}"#, .make("POST", "/a?q=a"), ""
            ),
            (
                #"{"cookies": {"c": {"matches": ".*d"}}}"#, #"{"cookies": {"c": {"doesNotMatch": ".*d"}}}"#,
                .make("POST", "/a", headers: [("Cookie", "c=d")]), ""
            ),
            (
                #"{"multipartPatterns": [{"name": "n"}]}"#,
                #"{"multipartPatterns": [{"matchingType": "ALL", "bodyPatterns": [{"not": {"equalTo": "1"}}]}]}"#,
                .make("POST", "/a", headers: [("Content-Type", "multipart/form-data; boundary=x")]),
                "--x\r\nContent-Disposition: form-data; name=n\r\n\r\n1\r\n--x--\r\n"
            ),
            (
                #"{"bodyPatterns": [{"graphqlQuery": "{ b }"}]}"#,
                #"{"bodyPatterns": [{"graphqlQuery": "{ c }", "operationName": "d"}]}"#, .make("POST", "/a"), json
            ),
            (#"{"urlPathPattern": "/.*a"}"#, #"{"urlPattern": "/.*b"}"#, .make("POST", "/a"), ""),
        ]

    /// What a condition asks for: by the word in it that its kind alone has, the outermost first.
    private static func noun(of request: String) -> String {
        let kinds: KeyValuePairs<String, String> = [
            // The first of both is given up, and the second not asked.
            "\"and\"": "text", "formParameters": "form", "multipartPatterns": "multipart body",
            "graphqlQuery": "GraphQL query",
            "matchesJsonPath": "JSON path", "matchesJsonSchema": "JSON Schema", "atchesXPath": "XPath",
            "equalToXml": "XML document", "sha256": "digest", "equalToJson": "comparison of JSON",
            "matchesIgnoringCase": "pattern", "\"matches\"": "pattern", "doesNotMatch": "pattern",
            "Pattern\"": "pattern",
        ]
        return kinds.first { request.contains($0.key) }?.value ?? "text"
    }

    private static func stub(_ request: String, _ number: Int, priority: Int = 5) throws -> Stub {
        let text = #"{"priority": \#(priority), "request": \#(request), "response": {}}"#
        let added = AddedStub(Array(text.utf8), label: "\(number)", number: number, root: "")
        return try #require(added.stub, "\(request): \(added.findings)")
    }

    /// An index of a stub that takes every request and comes first, of others, and of one that asks for method and path alone and comes last.
    private static func index(_ requests: [String], files: [PlainFile] = []) throws -> StubIndex {
        var stubs = [try stub("{}", 0, priority: 1)]
        for request in requests { stubs.append(try stub(request, stubs.count)) }
        stubs.append(try stub(#"{"method": "POST", "urlPath": "/a"}"#, stubs.count, priority: 9))
        return StubIndex(FixtureSet(root: "/", stubs: stubs, files: files))
    }

    @Test(arguments: pairs.indices)
    func `nothing that is to be paid for is met once the work is spent, for whichever stub it is asked`(
        number: Int
    ) throws {
        let pair = Self.pairs[number]
        let index = try Self.index([pair.one, pair.other, pair.one, pair.other])
        let scratch = MatchScratch()
        let meter = scratch.state.budget.meter
        func match(_ take: () -> Void) -> MatchResult {
            index.match(pair.head, body: Array(pair.body.utf8), scratch: scratch) { ordinal in
                if ordinal == 0 { take() }
                return ordinal > 0
            }
        }
        let before = match {}
        #expect((1...4).contains { before.outcome == .stub($0) }, "\(pair.one): \(before)")
        #expect(!scratch.hasGivenUp)
        let spent = match { _ = meter.pay(.max) }
        #expect(spent.outcome == .stub(5), "\(pair.one): \(spent)")
        #expect(Set(spent.exceeding.map(\.stub)) == [1, 2, 3, 4], "\(pair.one): \(spent)")
        // What was given up is named as what it is.
        let nouns = Set(spent.exceeding.map(\.tests.noun))
        #expect(nouns == [Self.noun(of: pair.one)], "\(pair.one): \(nouns)")
        #expect(scratch.hasGivenUp && scratch.hasRunOut)
        // Where there is some work left, a test begins and is not made to its end.
        let isFirst = before.outcome == .stub(1) || before.outcome == .stub(3)
        let right: Set<MatchResult.Decision> =
            isFirst ? [.stub(1), .stub(3), .stub(5)] : [.stub(2), .stub(4), .stub(5)]
        for left in 0..<300 {
            let some = match { #expect(meter.pay(meter.left - left)) }
            #expect(right.contains(some.outcome), "\(pair.one), \(left) left: \(some)")
        }
        // Nothing of it is left for the next request.
        #expect(match {} == before, "\(pair.one)")
    }

    @Test func `once nobody waits for the response, no stub is asked for it and no file is sent`() throws {
        let dear = #"{"bodyPatterns": [{"contains": "b"}]}"#
        let index = try Self.index([dear], files: [.make("a", ["/a"])])
        for method in ["POST", "GET"] {
            let stop = WorkStop()
            let scratch = MatchScratch()
            scratch.stop = stop
            let meter = scratch.state.budget.meter
            var asked: [Int] = []
            let result = index.match(.make(method, "/a"), body: Array("abc".utf8), scratch: scratch, keepsBody: true) {
                asked.append($0)
                if $0 == 0 { stop.ask() }
                return $0 > 0 || !meter.pay(Meter.certain + 1)
            }
            #expect(asked == [0] && meter.isStopped)
            #expect(result.outcome == .none, "\(method)")
            // Nor does what tells why nothing answered do any work.
            let body = Array("abc".utf8)
            _ = index.methods(for: .make(method, "/a"), scratch: scratch)
            _ = index.nearMisses(for: .make(method, "/a"), body: body, scratch: scratch, reusesBody: true)
            #expect(meter.isStopped && meter.left == 0)
        }
    }

    @Test func `what tells why nothing answered pays from what the request has left`() throws {
        let index = try Self.index([#"{"bodyPatterns": [{"contains": "b"}]}"#])
        let scratch = MatchScratch()
        let meter = scratch.state.budget.meter
        let head = RequestHead.make("POST", "/a")
        let taken = Meter.units / 4 * 3
        let result = index.match(head, body: [0x61], scratch: scratch, keepsBody: true) { ordinal in
            if ordinal == 0 { #expect(meter.pay(taken)) }
            return false
        }
        #expect(result.outcome == .none)
        #expect(index.methods(for: head, scratch: scratch).contains("POST"))
        #expect(meter.paid >= taken)
        #expect(index.nearMisses(for: head, body: [0x61], scratch: scratch, reusesBody: true).count == 3)
        #expect(meter.paid >= taken && meter.left < Meter.units - taken)
        // Another request has all that one may take.
        _ = index.nearMisses(for: head, body: [0x61], scratch: scratch)
        #expect(meter.paid < taken)
    }

    @Test func `a search for what is near tells that its work is spent`() throws {
        let index = try Self.index([#"{"bodyPatterns": [{"contains": "b"}]}"#])
        let scratch = MatchScratch()
        scratch.shareWork()
        let head = RequestHead.make("POST", "/a")
        _ = index.nearMisses(for: head, body: [0x61], scratch: scratch)
        #expect(!scratch.hasGivenUp && !scratch.hasRunOut)
        #expect(scratch.state.budget.meter.pay(scratch.state.budget.meter.left))
        _ = index.nearMisses(for: head, body: [0x61], scratch: scratch)
        #expect(scratch.hasGivenUp && scratch.hasRunOut)
    }
}
