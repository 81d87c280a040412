// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiStubMatching
import MockapiSystemIO
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

@Suite(.supervised) struct RepeatedMissTests {
    private static let plain = #"{"request": {"urlPath": "/articles"}, "response": {"status": 200}}"#
    private static let scenario = #"""
        {"scenarioName": "s", "requiredScenarioState": "b", "request": {"urlPath": "/articles"}, "response": {"status": 200}}
        """#

    private static func head(_ method: String, _ target: String, _ fields: (String, String)...) -> RequestHead {
        var head = RequestHead()
        func add(_ text: String) -> ByteRange {
            let start = head.bytes.count
            head.bytes += text.utf8
            return ByteRange(start, head.bytes.count)
        }
        head.method = add(method)
        head.target = add(target)
        head.splitTarget(at: head.bytes.firstIndex(of: UInt8(ascii: "?")))
        for (name, value) in fields { head.fields.append(.init(name: add(name), value: add(value))) }
        return head
    }

    /// The text that an event loop gets for a request; nil if it leaves that to the threads beside it.
    private static func text(
        _ matcher: StubMatcher, _ head: RequestHead, _ body: String = "", isOnLoop: Bool = true
    ) -> String? {
        let match = matcher.match(
            head, Array(body.utf8), from: ConnectionInfo(id: 1, peer: .none), scratch: MatchScratch(),
            isOnLoop: isOnLoop)
        guard case .other(let served) = match.found, case .bytes(let bytes) = served.response.body else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func matching(
        _ stub: String, maxWaiting: Int? = nil, _ body: (StubMatcher) throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory(["x.stub.json": stub])
        var configuration = MockServer.Configuration()
        if let maxWaiting { configuration.maxWaiting = maxWaiting }
        let server = try await MockServer.start(fixtures: directory.path, configuration: configuration)
        try body(StubMatcher(fixtures: server.core.fixtures, core: server.core))
        await server.stop()
    }

    @Test func `a miss is explained beside the loop once, and the same one is repeated on it`() async throws {
        try await Self.matching(Self.plain) { matcher in
            let heads = [
                Self.head("GET", "/article"), Self.head("GET", "/articl"), Self.head("POST", "/article"),
                Self.head("GET", "/article", ("A", "bc")), Self.head("GET", "/article", ("Ab", "c")),
                Self.head("GET", "/article", ("Accept", "application/json")), Self.head("GET", "/article?a=1"),
            ]
            for head in heads {
                for body in ["", "{}", "{ }"] {
                    #expect(Self.text(matcher, head, body) == nil)
                    let text = try #require(Self.text(matcher, head, body, isOnLoop: false))
                    #expect(text.contains("/articles"))
                    #expect(Self.text(matcher, head, body) == text)
                }
            }
        }
    }

    @Test func `a miss that stubs were asked about by the URLs of the service is explained each time`() async throws {
        let stub = #"""
            {"request": {"urlPath": "/articles"},
             "response": {"status": 200, "rewriteOrigins": ["https://api.example.com"]}}
            """#
        try await Self.matching(stub) { matcher in
            let base = matcher.core.context.identity.base(for: Self.head("GET", "/"))
            for (body, isRepeated) in [("", true), ("https://api.example.com/", true), ("\(base)/x", false)] {
                #expect(Self.text(matcher, Self.head("POST", "/article"), body, isOnLoop: false) != nil)
                #expect((Self.text(matcher, Self.head("POST", "/article"), body) != nil) == isRepeated, "\(body)")
            }
        }
    }

    @Test func `a miss near to a stub of a scenario is explained each time`() async throws {
        try await Self.matching(Self.scenario) { matcher in
            for target in ["/articles", "/article"] {
                for _ in 0..<2 {
                    #expect(Self.text(matcher, Self.head("GET", target)) == nil)
                    let text = try #require(Self.text(matcher, Self.head("GET", target), isOnLoop: false))
                    #expect(text.contains("Started"), "\(text)")
                }
                matcher.fixtures.scenarios?.reset()
            }
        }
    }

    @Test func `a large request that matches nothing is explained each time`() async throws {
        try await Self.matching(Self.plain) { matcher in
            let long = String(repeating: "x", count: 2048)
            for (head, body) in [
                (Self.head("GET", "/article?\(long)"), ""), (Self.head("POST", "/article"), long + "x"),
            ] {
                #expect(Self.text(matcher, head, body, isOnLoop: false) != nil)
                #expect(Self.text(matcher, head, body) == nil)
            }
        }
    }

    @Test func `the last misses alone are kept`() async throws {
        try await Self.matching(Self.plain) { matcher in
            let heads = (0..<40).map { Self.head("GET", "/article-\($0)") }
            for head in heads { #expect(Self.text(matcher, head, isOnLoop: false) != nil) }
            #expect(Self.text(matcher, heads[39]) != nil)
            #expect(Self.text(matcher, heads[0]) == nil)
        }
    }

    @Test func `while many requests wait, a miss is explained on the loop`() async throws {
        try await Self.matching(Self.plain, maxWaiting: 0) { matcher in
            #expect(Self.text(matcher, Self.head("GET", "/article"))?.contains("/articles") == true)
        }
    }

    @Test func `a stub that comes is named at once to the same request`() async throws {
        try await TestServer.serving(["x.stub.json": Self.plain]) { server throws in
            for _ in 0..<3 {
                #expect(try server.request("GET", "/contents").text.contains("1. x.stub.json"))
            }
            let added = #"{"name": "fresh", "request": {"urlPath": "/content"}, "response": {"status": 200}}"#
            #expect(try server.request("POST", "/__admin/mappings", body: added).status == 201)
            #expect(try server.request("GET", "/contents").text.contains("fresh"))
        }
    }

    @Test(arguments: [[], ["Accept: application/json"]])
    func `the journal has the words of each of the same misses`(fields: [String]) async throws {
        try await TestServer.serving(["x.stub.json": Self.plain]) { server throws in
            for _ in 0..<3 { #expect(try server.request("GET", "/article", fields).status == 404) }
            let texts = server.journal.entries.map { server.journal.misses.text(of: $0.sequence)?.text }
            #expect(texts.count == 3)
            for text in texts { #expect(text?.contains("1. x.stub.json") == true) }
        }
    }
}
