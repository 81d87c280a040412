// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServerTesting
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

/// Misses, which a test is told of as they were when they happened.
@Suite(.supervised) struct ScopeMissTests {
    @Test func `a sequence that was consumed is told, as its client was`() async throws {
        let line = #line + 2
        let once = MockServerTrait.mockServer(stubs: [
            RequestMatch.get("/job").respond(inTurn: [MockResponse()], afterLast: .unmatched)
        ])
        let answer = Mutex("")
        let issues = try await issues(of: once) {
            try await get("/job")
            let miss = try await get("/job")
            answer.withLock { $0 = miss }
        }
        #expect(issues.map(\.text) == [answer.withLock { $0 }])
        #expect(
            issues[0].text.contains(
                """
                ScopeMissTests.swift:\(line) matches, but its sequence is consumed: its one step has been given out \
                (afterLast: unmatched)
                """))
    }

    @Test func `a stub that was added too late is named`() async throws {
        let line = #line + 3
        let issues = try await issues(of: .mockServer(stubs: [RequestMatch.get("/b").respond()])) {
            try await get("/a", ["Accept": "application/json"])
            try MockServer.current.add(RequestMatch.get("/a").respond())
            try MockServer.current.add(RequestMatch.get("/c").respond())
        }
        #expect(issues.count == 1)
        #expect(
            issues[0].text.hasPrefix(
                """
                404: nothing answers GET /a

                ScopeMissTests.swift:\(line) answers it, but was added after the request had come

                Nearest of 1 stub, 0 files:
                """))
    }

    @Test func `what is missing in code is told as code`() async throws {
        let issues = try await issues(of: .mockServer()) { try await get("/food?page=%22a&token=Kq7vT2mXz81LwPfR") }
        #expect(
            issues.map(\.text) == [
                """
                404: nothing answers GET /food?page=%22a&token=***

                There are no stubs and no files.

                What to do next:
                1. if the stub is missing, add it: RequestMatch.get("/food").query("page", "\\"a").query("token", \
                .matches(".+")).respond(json: "{}")

                """
            ])
    }

    @Test func `of many misses each keeps its words`() async throws {
        let issues = try await issues(of: .mockServer(stubs: [RequestMatch.get("/food").respond()])) {
            for number in 0..<50 { try await get("/missing/\(number)") }
        }
        #expect(
            issues.map { $0.text.prefix { $0 != "\n" } } == (0..<50).map { "404: nothing answers GET /missing/\($0)" })
    }
}
