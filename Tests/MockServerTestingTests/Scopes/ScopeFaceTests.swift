// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import MockapiTestScope
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

/// What a test may do around its server, and what it is told then.
@Suite(.supervised) struct ScopeFaceTests {
    private let food = MockServerTrait.mockServer(stubs: [RequestMatch.get("/food").respond()])

    private static let impossible: [(RequestMatch, String)] = [
        (.get("food"), "no request can reach this: \"urlPath\" must begin with \"/\""),
        (.get("http://127.0.0.1/food"), "no request can reach this: \"urlPath\" has no origin"),
        (RequestMatch("get", "/food"), "no client sends \"get\"; did you mean \"GET\"?"),
        (.get("/food#top"), "clients do not send the part after \"#\""),
        (.delete("/users/:id"), "write \"urlPathTemplate\": \"/users/{id}\""),
        (.get("/caf\u{e9}"), "clients send spaces and letters beyond ASCII percent-encoded"),
        (.url("/food#top"), "clients do not send the part after \"#\""),
        (.get("/food").header("X Y", "1"), "\"X Y\" is not a field name"),
        (.get("/food").host("a:80"), "\"host\" is compared without the port"),
        (.get("/__admin/requests"), "no request reaches this"),
        (.post("/food").body(.graphQL("{ a }", variables: "{id: 2}")), "expected an object, found a string"),
        (.post("/food").body(.graphQL("{ a }", variables: "[1]")), "expected an object, found a list"),
        (.get("/food").query("n", .lessThan(.infinity)), "expected a number, found a string"),
        (.get("/food").query("n", .equalTo(number: .nan)), "expected a number, found a string"),
    ]

    @Test(arguments: impossible.indices) func `what no request can meet is not expected in vain`(_ index: Int)
        async throws
    {
        let (match, text) = Self.impossible[index]
        let found = try await issues(of: food) {
            expect(match, .never)
            try await expect(match, .never, within: .seconds(600))
            expectInOrder(match)
            expectOneConnection(match)
        }
        #expect(found.count == 4)
        for issue in found {
            #expect(issue.text.hasPrefix("this cannot be expected: "))
            #expect(issue.text.contains(text), "\(issue.text)")
            #expect(!issue.isWarning)
        }
    }

    @Test func `a warning of a stub is told once, and fails nothing`() async throws {
        let path = "orders/\(UInt32.random(in: 0...UInt32.max))"
        let odd = MockServerTrait.mockServer(stubs: [RequestMatch.get(path).respond()])
        let first = try await issues(of: odd) {}
        #expect(first.count == 1)
        #expect(first.first?.isWarning == true)
        #expect(first.first?.text.contains("ScopeFaceTests.swift:") == true)
        #expect(
            first.first?.text.contains("warning: no request can reach this: \"urlPath\" must begin with \"/\"") == true)
        #expect(try await issues(of: odd) {}.isEmpty)
        let late = try await issues(of: food) { try MockServer.current.add(RequestMatch.get("/o/:id").respond()) }
        #expect(late.map(\.isWarning) == [true])
    }

    @Test func `an expectation outside of a test is an issue at its line`() async throws {
        let line = Mutex(0)
        try await withKnownIssue {
            line.withLock { $0 = #line + 1 }
            expect(.get("/food"), .once)
            _ = try await expect(.get("/food"), .once, within: .seconds(600))
            expectInOrder(.get("/food"))
            expectOneConnection()
        } matching: { issue in
            let offset = (issue.sourceLocation?.line ?? 0) - line.withLock { $0 }
            return (0...3).contains(offset)
                && issue.comments.first?.rawValue.contains("completion handlers, blocks of a dispatch queue") == true
        }
    }

    @Test func `the server outside of a test answers with what is wrong`() async throws {
        let answer = Mutex("")
        await withKnownIssue {
            let text = try await get("/food")
            answer.withLock { $0 = text }
        }
        #expect(answer.withLock { $0 }.hasPrefix("MockServer.current: this code runs outside of the tasks of a test"))
    }

    @Test func `an issue of a handler belongs to the test`() async throws {
        let found = try await issues(of: food) {
            try MockServer.current.add(
                RequestMatch.get("/own").respond { request in
                    Issue.record("a handler of \(request.path)")
                    expect(.get("/own"), .once)
                    return MockResponse(200)
                })
            try await get("/own")
        }
        #expect(found.map(\.text) == ["a handler of /own"])
    }

    @Test func `an issue of a handler belongs to the test that started its server`() async throws {
        try await withKnownIssue {
            let server = try await MockServer.start(stubs: [
                RequestMatch.get("/own").respond { _ in
                    Issue.record("a handler")
                    return MockResponse(200)
                }
            ])
            let port = server.baseURL.port ?? 0
            _ = try await blocking { try WireClient(port: port).request("GET", "/own") }
            await server.stop()
        } matching: { issue in
            issue.comments.map(\.rawValue) == ["a handler"]
        }
    }

    @Test func `a test that is cancelled is not verified`() async throws {
        let test = try #require(Test.current)
        let task = Task {
            try await food.provideScope(for: test, testCase: nil) {
                expect(.get("/later"), .once)
                withUnsafeCurrentTask { $0?.cancel() }
                try Task.checkCancellation()
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `an error that is no cancellation leaves the test verified`() async throws {
        struct Lost: Error {}
        let test = try #require(Test.current)
        try await withKnownIssue {
            try await food.provideScope(for: test, testCase: nil) {
                expect(.get("/later"), .once)
                throw Lost()
            }
        } matching: { issue in
            issue.error is Lost || issue.comments.first?.rawValue.hasPrefix("expected GET /later once") == true
        }
    }

    @Test(.mockServer()) func `an expectation can be known not to come true`() {
        expect(.get("/later"), .once, known: "the app asks later")
        expectInOrder(.get("/later"), known: "the app asks later")
        expectOneConnection(.get("/later"), known: "the app asks later")
    }

    @Test func `one that is known and comes true is told`() async throws {
        let found = try await issues(of: food) { expect(.get("/food"), .never, known: "the app asks twice") }
        #expect(found.count == 1)
    }

    @Test func `a second server is verified with the first, unless the test has done so`() async throws {
        let found = try await issues(of: food) {
            let auth = try await MockServer.start(stubs: [RequestMatch.post("/token").respond()])
            auth.expect(.post("/token"), .times(2), at: CallSite())
            let port = auth.baseURL.port ?? 0
            _ = try await blocking { try WireClient(port: port).request("GET", "/nobody") }
            let other = try await MockServer.start()
            other.expect(.get("/"), .once, at: CallSite())
            #expect(other.verify().count == 1)
            await other.stop()
        }
        #expect(found.count == 2)
        #expect(found.first?.text.hasPrefix("expected POST /token 2 times, but it came 0 times") == true)
        #expect(found.last?.text.hasPrefix("404: nothing answers GET /nobody") == true)
    }

    @Test func `long values are shown by their beginning and their size`() async throws {
        let text = try await issues(of: food) {
            expect(.post("/up").body(.equalTo(bytes: [UInt8](repeating: 0, count: 300_000))), .once)
        }.map(\.text).joined()
        #expect(text.utf8.count < 500)
        #expect(text.contains("AAAA… (400000 bytes)\"}] once, but it came 0 times"))
    }
}

/// How many tests have a server at once.
@Suite(.supervised) struct ServerPlacesTests {
    @Test(arguments: [(256, 19), (1024, 96), (20_000, 1994), (64, 4), (0, 4)])
    func `the places are as many as descriptors allow`(_ limit: Int, _ count: Int) {
        #expect(ServerPlaces.count(under: limit) == count)
    }

    private actor Inside {
        private(set) var now = 0
        private(set) var most = 0

        func came() {
            now += 1
            most = max(most, now)
        }

        func went() { now -= 1 }
    }

    @Test func `who comes when all places are taken waits for one`() async throws {
        let places = ServerPlaces(count: 2)
        let inside = Inside()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await places.enter()
                    await inside.came()
                    await Task.yield()
                    await inside.went()
                    places.leave()
                }
            }
            try await group.waitForAll()
        }
        #expect(await inside.now == 0)
        #expect(await inside.most <= 2)
    }

    @Test func `who is cancelled waits no longer, and takes no place`() async throws {
        let places = ServerPlaces(count: 1)
        try await places.enter()
        let waiting = Task { try await places.enter() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        places.leave()
        try await places.enter()
    }
}
