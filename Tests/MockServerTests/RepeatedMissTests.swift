// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiContentCodings
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiMetering
import MockapiStubMatching
import MockapiSystemIO
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
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

    /// The text that an event loop gets for a request that was explained a moment before; nil if it gets none whenever it is explained.
    private static func repeated(_ matcher: StubMatcher, _ head: RequestHead, _ body: String = "") -> String? {
        for _ in 0..<5 {
            _ = text(matcher, head, body, isOnLoop: false)
            if let text = text(matcher, head, body) { return text }
        }
        return nil
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
                    #expect(Self.repeated(matcher, head, body) == text)
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
                let text = Self.repeated(matcher, Self.head("POST", "/article"), body)
                #expect((text != nil) == isRepeated, "\(body)")
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

    @Test func `a miss is repeated for a second, and the oldest gives way`() throws {
        let time = Mutex<UInt64>(0)
        let misses = RepeatedMisses { time.withLock { $0 } }
        func keep(_ target: String) {
            let response = ServedResponse(response: PlainResponse.text(404, target), outcome: .miss)
            misses.keep(response, to: Self.head("GET", target), [])
        }
        func isKept(_ target: String) -> Bool { misses.response(to: Self.head("GET", target), []) != nil }
        keep("/a")
        time.withLock { $0 = 999_999_999 }
        #expect(isKept("/a"))
        time.withLock { $0 = 1_000_000_000 }
        #expect(!isKept("/a"))
        for number in 0..<40 {
            time.withLock { $0 += 1 }
            keep("/\(number)")
        }
        #expect((0..<40).filter { isKept("/\($0)") } == Array(8..<40))
        keep("/39")
        #expect(isKept("/8"))
    }

    @Test func `a miss is repeated to the same request alone`() throws {
        let misses = RepeatedMisses()
        var head = Self.head("GET", "/a?b", ("Host", "c"))
        misses.keep(ServedResponse(response: PlainResponse.text(404, "x"), outcome: .miss), to: head, [1])
        #expect(misses.response(to: head, [1]) != nil)
        #expect(misses.response(to: head, []) == nil)
        head.isSecure = true
        #expect(misses.response(to: head, [1]) == nil)
        head.isSecure = false
        head.version = .http10
        #expect(misses.response(to: head, [1]) == nil)
        head.version = .http11
        head.authority = ByteRange(0, 1)
        #expect(misses.response(to: head, [1]) == nil)
        #expect(misses.response(to: Self.head("HEAD", "/a?b", ("Host", "c")), [1]) == nil)
    }

    @Test(arguments: [(16 * 1024, true), (16 * 1024 + 1, false)])
    func `a long response is not kept`(count: Int, isKept: Bool) {
        let misses = RepeatedMisses()
        let text = String(repeating: "x", count: count)
        misses.keep(
            ServedResponse(response: PlainResponse.text(404, text), outcome: .miss), to: Self.head("GET", "/"), [])
        #expect((misses.response(to: Self.head("GET", "/"), []) != nil) == isKept)
    }

    @Test func `an explanation that nobody waits for is not repeated`() async throws {
        try await Self.matching(Self.plain) { matcher in
            let (asked, doubtful) = (WorkStop(), WorkStop())
            asked.ask()
            doubtful.shorten()
            for (stop, target) in [(asked, "/article"), (doubtful, "/articl")] {
                let scratch = MatchScratch()
                scratch.stop = stop
                _ = matcher.match(
                    Self.head("GET", target), [], from: ConnectionInfo(id: 1, peer: .none), scratch: scratch,
                    isOnLoop: false)
                #expect(Self.text(matcher, Self.head("GET", target)) == nil)
            }
        }
    }

    @Test func `a body in a coding is explained each time`() async throws {
        try await Self.matching(Self.plain) { matcher in
            let head = Self.head("POST", "/article", ("Content-Encoding", "gzip"))
            let body = try ContentCoding.gzip.encode(Array("{}".utf8))
            for _ in 0..<2 {
                let match = { (isOnLoop: Bool) in
                    matcher.match(
                        head, body, from: ConnectionInfo(id: 1, peer: .none), scratch: MatchScratch(),
                        isOnLoop: isOnLoop)
                }
                guard case .other = match(false).found, case .unfinished = match(true).found else {
                    Issue.record("it is repeated")
                    continue
                }
            }
        }
    }

    @Test(arguments: [(0, true), (1, false), (64, false)])
    func `if no request may wait, a miss is explained on the loop`(maxWaiting: Int, isOnLoop: Bool) async throws {
        try await Self.matching(Self.plain, maxWaiting: maxWaiting) { matcher in
            #expect((Self.text(matcher, Self.head("GET", "/article")) != nil) == isOnLoop)
        }
    }

    @Test func `work begins at once if a thread is free and nothing waits`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let workers = BackgroundWorkers(width: 2, limit: 8)
        try await blocking {
            let begun = DispatchSemaphore(value: 0)
            for count in 0..<2 {
                #expect(workers.isFree, "\(count)")
                _ = workers.add {
                    begun.signal()
                    gate.wait()
                }
                begun.wait()
            }
            #expect(!workers.isFree)
            gate.signal()
            gate.signal()
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
