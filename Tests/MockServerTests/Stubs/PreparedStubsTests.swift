// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiFixtures
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// What is laid out of stubs at load, and what when they are first asked.
@Suite(.supervised) struct PreparedStubsTests {
    private static let plain = #"""
        {"stubs": [
          {"request": {"urlPath": "/a"}, "response": {"body": "a"}},
          {"request": {"urlPath": "/b"}, "response": {"body": "b"}},
          {"request": {"urlPath": "/c"}, "response": {"body": "c"}}]}
        """#

    private func ready(_ server: TestServer) -> [Int] { server.server.core.current.ready.stubs.ready.map(\.ordinal) }

    @Test func `a plain stub is made ready by the first request that it answers, and by no other`() async throws {
        try await TestServer.serving(["a.stub.json": Self.plain]) { server throws in
            let client = try server.connect()
            #expect(ready(server) == [])
            #expect(try client.request("GET", "/none").status == 404)
            #expect(ready(server) == [])
            #expect(try client.request("GET", "/b").text == "b")
            #expect(ready(server) == [1])
            #expect(try client.request("GET", "/b").text == "b")
            #expect(try client.request("HEAD", "/c").status == 200)
            #expect(ready(server) == [1, 2])
        }
    }

    @Test(arguments: [
        #"{"request": {"urlPath": "/s"}, "responses": [{"status": 200}, {"status": 201}]}"#,
        #"{"request": {"urlPath": "/s"}, "responses": [{"status": 200}], "afterLast": "unmatched"}"#,
        #"{"scenarioName": "s", "newScenarioState": "t", "request": {"urlPath": "/s"}, "response": {"status": 200}}"#,
        #"{"request": {"urlPath": "/s"}, "response": {"body": "{{request.path}}", "transformers": ["response-template"]}}"#,
        #"{"request": {"urlPath": "/s"}, "response": {"fixedDelayMilliseconds": 1}}"#,
        #"{"request": {"urlPath": "/s"}, "response": {"fault": "EMPTY_RESPONSE"}}"#,
        #"{"request": {"urlPath": "/s"}, "response": {"proxyBaseUrl": "http://127.0.0.1:1"}}"#,
        #"{"resource": {"collection": "/s"}}"#,
        #"{"request": {"urlPath": "/s"}, "rateLimit": {"requests": 1, "per": "1h"}, "response": {}}"#,
    ])
    func `a stub with a state, or with more than its response, is made ready at load`(stub: String) throws {
        let added = AddedStub(Array(stub.utf8), label: "s.stub.json", number: 0, root: "")
        let read = try #require(added.stub, "\(added.findings)")
        #expect(!read.isPlain)
        let served = ServedFixtures(FixtureSet(root: "", stubs: [read]), generation: 1)
        #expect(served.stubs.ready.map(\.ordinal) == [0])
    }

    @Test func `threads that ask for one stub at once get one and the same`() throws {
        let stubs = try (0..<40).map { number in
            let text = #"{"request": {"urlPath": "/\#(number)"}, "response": {"body": "\#(number)"}}"#
            return try #require(AddedStub(Array(text.utf8), label: "x", number: number, root: "").stub)
        }
        let prepared = PreparedStubs(stubs) { _ in nil }
        let found = Found(count: stubs.count)
        DispatchQueue.concurrentPerform(iterations: 8 * stubs.count) { iteration in
            found.add(prepared[iteration % stubs.count], of: iteration % stubs.count)
        }
        #expect(found.counts == Array(repeating: 1, count: stubs.count))
        #expect(prepared.ready.map(\.ordinal) == Array(stubs.indices))
    }

    @Test func `what is ready stays as it is when stubs are added`() async throws {
        try await TestServer.serving(["a.stub.json": Self.plain]) { server throws in
            let client = try server.connect()
            #expect(try client.request("GET", "/b").text == "b")
            let before = try #require(server.server.core.current.ready.stubs.ready(1))
            try server.server.add(RequestMatch.get("/d").respond(body: "d"))
            #expect(try client.request("GET", "/d").text == "d")
            let after = server.server.core.current.ready.stubs
            #expect(after.ready(1) === before)
            #expect(after.ready(0) == nil)
        }
    }

    @Test func `a small stub takes few words of its own`() {
        // What stands in each stub, whether it has it or not.
        #expect(MemoryLayout<StubID>.size == 16)
        #expect(MemoryLayout<Body>.size <= 9)
        #expect(MemoryLayout<URLMatcher>.size <= 17)
        #expect(MemoryLayout<StubResponse>.stride <= 48)
        #expect(MemoryLayout<RequestPattern>.stride <= 48)
    }
}

/// Which objects threads have got.
private final class Found: @unchecked Sendable {
    // Guarded by `lock`.
    private var objects: [Set<ObjectIdentifier>]
    private let lock = NSLock()

    init(count: Int) { objects = Array(repeating: [], count: count) }

    func add(_ stub: PreparedStub, of ordinal: Int) {
        lock.withLock { _ = objects[ordinal].insert(ObjectIdentifier(stub)) }
    }

    var counts: [Int] { lock.withLock { objects.map(\.count) } }
}
