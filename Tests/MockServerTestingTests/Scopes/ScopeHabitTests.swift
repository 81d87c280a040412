// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

/// What people who come from other tools do with a server in a test, and trip over there.
@Suite(.supervised) struct ScopeHabitTests {
    private let food = MockServerTrait.mockServer(stubs: [RequestMatch.get("/food").respond(body: "Bread")])

    private func headings(_ issues: [ScopeIssue]) -> [String] { issues.map { String($0.text.prefix { $0 != "\n" }) } }

    // MARK: Misses

    @Test func `a miss that the app keeps to itself fails the test all the same`() async throws {
        let found = try await issues(of: food) { _ = try? await get("/drink") }
        #expect(headings(found) == ["404: nothing answers GET /drink"])
    }

    @Test func `each miss is told once, with what was asked`() async throws {
        let found = try await issues(of: food) {
            try await get("/drink")
            try await get("/drink?size=2")
            try await get("/food")
        }
        #expect(headings(found) == ["404: nothing answers GET /drink", "404: nothing answers GET /drink?size=2"])
    }

    @Test func `a test that fails on a wrong response is told of the miss behind it`() async throws {
        struct Refused: Error {}
        let test = try #require(Test.current)
        let told = Mutex<[String]>([])
        await withKnownIssue {
            await #expect(throws: Refused.self) {
                try await food.provideScope(for: test, testCase: nil) {
                    try await get("/drink")
                    throw Refused()
                }
            }
        } matching: { issue in
            told.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
            return true
        }
        #expect(told.withLock { $0 }.contains { $0.hasPrefix("404: nothing answers GET /drink") })
    }

    @Test func `nothing at all can be expected`() async throws {
        #expect(try await issues(of: food) { expect(.anyURL(), .never) }.isEmpty)
        let found = try await issues(of: food) {
            expect(.anyURL(), .never)
            try await get("/food")
        }
        #expect(headings(found) == ["expected ANY any URL never, but it came once"])
    }

    @Test func `a request that nobody waits for is told where it comes late`() async throws {
        let late = Mutex<Task<Void, any Error>?>(nil)
        let found = try await issues(of: food.tellingLate(within: .seconds(600))) {
            let server = MockServer.current
            expect(.get("/food"), .once)
            let task = Task.detached {
                // The test has ended once the scope waits for what has not come.
                try await until({ server.isWaitedOn }, is: true)
                _ = try await blocking { try WireClient(port: server.baseURL.port ?? 0).request("GET", "/food") }
            }
            late.withLock { $0 = task }
        }
        // The server may have ended before its response was read.
        _ = await late.withLock { $0 }?.result
        #expect(
            found.map(\.text) == [
                "expected GET /food once, but it came only when the test had ended: "
                    + "try await expect(…, within: .seconds(2)) waits for it"
            ])
    }

    // MARK: Stubs

    @Test func `a stub that is used often is used, and one that is not is told by its line`() async throws {
        let line = #line + 2
        let stubs = [
            RequestMatch.post("/pay").body(.contains("1")).respond(),
            RequestMatch.post("/pay").body(.contains("2")).respond(), RequestMatch.get("/food").respond(),
        ]
        let found = try await issues(of: .mockServer(stubs: stubs, verifying: .stubsInCode)) {
            for _ in 0..<3 { try await get("/food") }
        }
        #expect(
            found.map(\.text) == [
                """
                2 of 3 stubs answered nothing:
                     ScopeHabitTests.swift:\(line): POST /pay
                     ScopeHabitTests.swift:\(line + 1): POST /pay
                """
            ])
    }

    @Test func `a test has its own response before that of its suite, however often that was given`() async throws {
        let found = try await issues(of: food) {
            #expect(try await get("/food") == "Bread")
            try MockServer.current.add(RequestMatch.get("/food").respond(body: "Cake"))
            #expect(try await get("/food") == "Cake")
        }
        #expect(found.isEmpty)
    }

    @Test func `code answers each request once, and looks at none that another stub answers`() async throws {
        let asked = Mutex<[String]>([])
        let trait = MockServerTrait.mockServer(stubs: [
            RequestMatch.any("/**").respond { request in
                asked.withLock { $0.append("\(request.method) \(request.path)") }
                return .json("1")
            }, RequestMatch.get("/food").respond(body: "Bread"),
        ])
        let found = try await issues(of: trait) {
            try await get("/food")
            try await get("/a")
            try await get("/b")
            try await get("/a")
        }
        #expect(found.isEmpty)
        #expect(asked.withLock { $0 } == ["GET /a", "GET /b", "GET /a"])
    }

    @Test func `code that throws fails the test, whatever the app makes of its 500`() async throws {
        struct Missing: Error {}
        let line = #line + 1
        let trait = MockServerTrait.mockServer(stubs: [RequestMatch.get("/food").respond { _ in throw Missing() }])
        let found = try await issues(of: trait) { try await get("/food") }
        #expect(headings(found).count == 1)
        #expect(
            found.first?.text.contains("the response of ScopeHabitTests.swift:\(line) could not be computed") == true)
    }

    @Test func `code that waits keeps no other from answering`() async throws {
        let gate = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let trait = MockServerTrait.mockServer(stubs: [
            RequestMatch.get("/slow").respond { _ in
                await withCheckedContinuation { waiting in gate.withLock { $0 = waiting } }
                return .json("1")
            }, RequestMatch.get("/quick").respond { _ in .json("2") },
        ])
        let found = try await issues(of: trait) {
            async let slow = get("/slow")
            try await expect(.get("/slow"), .once, within: .seconds(60))
            #expect(try await get("/quick") == "2")
            try await until({ gate.withLock { $0 != nil } }, is: true)
            gate.withLock { $0 }?.resume()
            #expect(try await slow == "1")
        }
        #expect(found.isEmpty)
    }

    @Test func `the order of a query does not matter but where it is asked for byte for byte`() async throws {
        let found = try await issues(of: .mockServer(stubs: [RequestMatch.get("/a").respond()])) {
            try await get("/a?foo=bar&baz=qux")
            expect(.get("/a?baz=qux&foo=bar"), .once)
            expect(.url("/a?baz=qux&foo=bar"), .once)
        }
        #expect(found.count == 1)
        #expect(found[0].text.contains("/a?foo=bar&baz=qux"))
    }

    // MARK: What is counted

    @Test func `a request has come although its response takes an hour`() async throws {
        let trait = MockServerTrait.mockServer(stubs: [RequestMatch.get("/food").respond(delay: .seconds(3600))])
        let found = try await issues(of: trait) {
            let client = try WireClient(port: MockServer.current.baseURL.port ?? 0)
            try client.send("GET /food HTTP/1.1\r\nHost: a\r\n\r\n")
            try await expect(.get("/food"), .once, within: .seconds(60))
            #expect(MockServer.current.verify().isEmpty)
            client.close()
            try await until({ MockServer.current.journal.entries.last?.abandonment }, is: .connectionClosed)
        }
        #expect(found.isEmpty)
    }

    @Test(.mockServer(stubs: [RequestMatch.get("/food").respond()]), arguments: 1...4)
    func `what came in one case is not counted in another`(_ number: Int) async throws {
        for _ in 0..<number { try await get("/food") }
        expect(.get("/food"), .times(number))
    }
}

/// The trait of a suite reaches into those within it.
@Suite(.supervised, .mockServer(stubs: [RequestMatch.get("/outer").respond(body: "outer")]))
struct NestedHabitTests {
    @Suite(.supervised) struct First {
        @Test func `the first suite within has a server`() async throws { #expect(try await get("/outer") == "outer") }
    }

    @Suite(.supervised) struct Second {
        @Test func `the second suite within has one too`() async throws { #expect(try await get("/outer") == "outer") }

        @Suite(.supervised, .mockServer(stubs: [RequestMatch.get("/inner").respond(body: "inner")])) struct Third {
            @Test func `and one with a trait of its own has both stubs and one server`() async throws {
                #expect(try await get("/outer") == "outer")
                #expect(try await get("/inner") == "inner")
                #expect(MockServer.current.journal.entries.count == 2)
            }
        }
    }

    @Test(.disabled("it is skipped before its server starts"), .mockServer(fixtures: "No/Such"))
    func `a test that is skipped needs no server`() {}
}
