// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

/// Requests that are waited for, and those that come late.
@Suite(.supervised) struct ScopeWaitTests {
    private let food = MockServerTrait.mockServer(stubs: [
        RequestMatch.get("/food").respond(), RequestMatch.get("/drink").respond(),
    ])

    @Test func `a request is waited for`() async throws {
        let issues = try await issues(of: food) {
            async let came = expect(.get("/drink"), .times(2), within: .seconds(600))
            try await get("/drink")
            try await get("/food")
            try await get("/drink")
            #expect(try await came.map(\.target) == ["/drink", "/drink"])
        }
        #expect(issues.isEmpty)
    }

    @Test func `one that does not come in time fails at its line, and the test goes on`() async throws {
        let line = #line + 3
        let goesOn = Mutex(false)
        let issues = try await issues(of: food) {
            try await expect(.get("/drink"), .once, within: .milliseconds(1))
            goesOn.withLock { $0 = true }
        }
        #expect(goesOn.withLock { $0 })
        #expect(issues.map(\.line) == [line])
        #expect(issues.map(\.file) == ["ScopeWaitTests.swift"])
        #expect(
            issues.map(\.text) == [
                "expected GET /drink once within 0.001 seconds, but it came 0 times\nNo request came."
            ])
    }

    @Test func `one that must not come fails as soon as it comes`() async throws {
        let issues = try await issues(of: food) {
            async let waiting = expect(.get("/drink"), .never, within: .seconds(600))
            try await get("/drink")
            _ = try await waiting
        }
        #expect(issues.count == 1)
        #expect(issues[0].text.hasPrefix("expected GET /drink never within 600.0 seconds, but it came once\n"))
    }

    @Test func `one that came in time must not come again`() async throws {
        let issues = try await issues(of: food) {
            try await get("/drink")
            try await expect(.get("/drink"), .once, within: .seconds(600))
            try await get("/drink")
        }
        #expect(issues.count == 1)
        #expect(issues[0].text.hasPrefix("expected GET /drink once within 600.0 seconds, but it came 2 times\n"))
    }

    @Test func `a wait ends when its task is cancelled`() async throws {
        let issues = try await issues(of: food) {
            let server = MockServer.current
            let waiting = Task {
                try await server.expect(.get("/drink"), within: .seconds(3600), at: CallSite())
            }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        #expect(issues.isEmpty)
    }

    @Test func `a server by itself tells of a wait when it is verified`() async throws {
        let server = try await MockServer.start()
        let came = try await server.expect(.get("/drink"), within: .milliseconds(1), at: CallSite())
        #expect(came.isEmpty)
        #expect(
            server.verify().map(\.text) == [
                "expected GET /drink at least once within 0.001 seconds, but it came 0 times\nNo request came."
            ])
        await server.stop()
    }

    @Test func `a request that comes when the test has ended is told as late`() async throws {
        let server = try await MockServer.start(stubs: [RequestMatch.get("/drink").respond()])
        server.expect(.get("/drink"), .once, at: CallSite())
        server.expect(.get("/food"), .never, at: CallSite())
        async let noted: Void = server.noteLate(within: .seconds(600))
        try await until({ server.isWaitedOn }, is: true)
        _ = try WireClient(port: server.baseURL.port ?? 0).request("GET", "/drink")
        await noted
        #expect(
            server.verify().map(\.text) == [
                "expected GET /drink once, but it came only when the test had ended: "
                    + "try await expect(…, within: .seconds(2)) waits for it"
            ])
        await server.stop()
    }

    @Test func `late requests are verified where the server goes on for them`() async throws {
        let trait = MockServerTrait.mockServer(
            stubs: [RequestMatch.get("/drink").respond()], lateRequests: .seconds(2))
        let late = Mutex<Task<Void, any Error>?>(nil)
        let issues = try await issues(of: trait) {
            let port = MockServer.current.baseURL.port ?? 0
            let task = Task {
                _ = try await blocking { try WireClient(port: port).request("GET", "/nothing") }
            }
            late.withLock { $0 = task }
        }
        try await late.withLock { $0 }?.value
        #expect(issues.map { $0.text.prefix { $0 != "\n" } } == ["404: nothing answers GET /nothing"])
    }
}
