// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Synchronization
import Testing

/// What a test is told when what it expected did not come true.
@Suite(.supervised) struct ScopeFailureTests {
    private let food = MockServerTrait.mockServer(stubs: [
        RequestMatch.get("/food").query("page", "2").respond(), RequestMatch.get("/drink").respond(),
    ])

    @Test func aRequestThatNothingAnswersFailsTheTestWithTheMiss() async throws {
        let issues = try await issues(of: food) { try await get("/food?page=3") }
        #expect(issues.count == 1)
        #expect(
            issues[0].text.hasPrefix(
                """
                404: nothing answers GET /food?page=3

                Nearest of 2 stubs, 0 files:

                1. ScopeFailureTests.swift:
                """))
        #expect(issues[0].text.contains("queryParameters.page: expected equalTo \"2\", found \"3\""))
    }

    @Test func anExpectationThatDidNotComeTrueFailsAtItsLine() async throws {
        let line = #line + 2
        let issues = try await issues(of: food) {
            expect(.get("/food").query("page", "2").header("Accept", "text/plain"), .once)
            try await get("/food?page=2", ["Accept": "text/html"])
            try await get("/drink")
        }
        #expect(issues.count == 1)
        #expect(issues[0].line == line)
        #expect(issues[0].file == "ScopeFailureTests.swift")
        let connection = try #require(issues[0].text.firstMatch(of: /c(\d+) 200/)?.output.1)
        #expect(
            issues[0].text == """
                expected GET /food, queryParameters {"page":{"equalTo":"2"}}, headers {"Accept":{"equalTo":"text/plain"}} \
                once, but it came 0 times
                Nearest of 2 requests: 1. GET /food?page=2 HTTP/1.1 c\(connection) 200
                     headers.Accept: expected equalTo "text/plain", found "text/html"
                """)
    }

    @Test func whatComesTooOftenIsListed() async throws {
        let issues = try await issues(of: food) {
            for _ in 0..<12 { try await get("/drink") }
            expect(.get("/drink"), .atMost(2))
            expect(.get("/drink"), .never)
            expect(.get("/food"), .atLeast(1))
            expect(.get("/drink"), .times(12), over: .http2)
        }
        let texts = issues.map { $0.text.replacing(/\ c\d+/, with: " c") }
        #expect(texts.count == 4)
        let list = (1...10).map { "     \($0). GET /drink HTTP/1.1 c 200" } + ["     and 2 more"]
        #expect(
            texts[0] == (["expected GET /drink at most 2 times, but it came 12 times"] + list).joined(separator: "\n"))
        #expect(texts[1].hasPrefix("expected GET /drink never, but it came 12 times\n"))
        #expect(
            texts[2] == """
                expected GET /food at least once, but it came 0 times
                Nearest of 12 requests: 1. GET /drink HTTP/1.1 c 200
                     urlPath: /food ≠ /drink
                """)
        #expect(
            texts[3] == """
                expected GET /drink over HTTP/2.0 12 times, but it came 0 times
                Over HTTP/1.1 it came 12 times.
                """)
    }

    @Test func orderAndConnectionsAreExpected() async throws {
        let issues = try await issues(of: food) {
            try await get("/drink")
            try await get("/food?page=2")
            expectInOrder(.get("/drink"), .get("/food"))
            expectInOrder(.get("/food"), .get("/drink"))
            expectInOrder(.get("/bread"))
            expectOneConnection()
            expectOneConnection(.get("/drink"))
            expectOneConnection(.get("/bread"))
        }
        let texts = issues.map { $0.text.replacing(/\ c\d+/, with: " c") }
        let came = """
            Requests:
                 1. GET /drink HTTP/1.1 c 200
                 2. GET /food?page=2 HTTP/1.1 c 200
            """
        #expect(
            texts == [
                "expected GET /drink after GET /food, but it did not come, only before it\n\(came)",
                "expected GET /bread, but it did not come\n\(came)",
                "expected all requests on one connection, but 2 came on 2\n\(came)",
                "expected GET /bread on one connection, but none came",
            ])
    }

    @Test func whatCannotBeExpectedSaysWhy() async throws {
        let issues = try await issues(of: food) { expect(.get("/food").header("Accept", .matches("(")), .once) }
        #expect(issues.count == 1)
        #expect(issues[0].text.hasPrefix("this cannot be expected: "))
        #expect(issues[0].text.contains("headers"))
    }

    @Test func aServerThatGotNothingSaysSo() async throws {
        let issues = try await issues(of: food) { expect(.get("/food"), .once) }
        #expect(
            issues.map(\.text) == [
                """
                expected GET /food once, but it came 0 times
                No request came.
                A client that is made once for several tests asks the server of the first: make one in each test, with the URL of its server.
                """
            ])
    }

    @Test func fixturesThatAreNowhereNameThePlaces() async throws {
        let test = try #require(Test.current)
        let error = await #expect(throws: MockServerError.self) {
            try await MockServerTrait.mockServer(fixtures: "No/Such").provideScope(for: test, testCase: nil) {}
        }
        let text = try #require(error).description
        #expect(text.contains("there are no fixtures \"No/Such\": looked at "))
        #expect(text.contains("/Tests/MockServerTestingTests/Scopes/No/Such and "))
    }

    @Test func theServerIsGoneWhenTheTestEnds() async throws {
        let test = try #require(Test.current)
        let watch = Mutex(WeakServer())
        try await food.provideScope(for: test, testCase: nil) {
            watch.withLock { $0.server = MockServer.current }
        }
        #expect(watch.withLock { $0.server } == nil)
    }
}

private struct WeakServer {
    weak var server: MockServer?
}
