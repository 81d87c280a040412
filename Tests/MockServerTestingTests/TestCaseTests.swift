// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerXCTesting
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing
import XCTest

/// The counterpart for XCTest, its parts called in the order in which XCTest calls them.
@Suite(.supervised) struct TestCaseTests {
    /// A test case that keeps what it is told, in the place of failing.
    private class ToldTests: MockServerTestCase {
        struct Told: Equatable {
            let text: String
            let file: String
            let line: Int
        }

        let told = Mutex<[Told]>([])
        override var stubs: [MockStub] { [RequestMatch.get("/food").respond(body: "Bread")] }

        #if canImport(ObjectiveC)
            override func record(_ issue: XCTIssue) {
                let location = issue.sourceCodeContext.location
                tell(issue.compactDescription, location?.fileURL.path ?? "", location?.lineNumber ?? 0)
            }
        #else
            override func recordFailure(
                withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
            ) {
                tell(description, filePath, lineNumber)
            }
        #endif

        private func tell(_ text: String, _ file: String, _ line: Int) {
            told.withLock { $0.append(Told(text: String(text.prefix { $0 != "\n" }), file: file, line: line)) }
        }

        var port: Int { server.baseURL.port ?? 0 }
    }

    private final class FoodTests: ToldTests {
        override var fixtures: String? { "Fixtures" }
        override var filePath: StaticString? { #filePath }
        static let missLine = #line + 2
        // With a parameter, so that XCTest does not take it for a test of its own.
        func testAMiss(_ isAsked: Bool = true) {}
    }

    private final class DrinkTests: ToldTests {
        override var verifying: StubVerification { .allStubs }
        override var allowsUnmatched: Bool { true }
        static let missLine = #line + 2
        // With a parameter, so that XCTest does not take it for a test of its own.
        func testAMiss(_ isAsked: Bool = true) {}
    }

    private final class ForgetfulTests: ToldTests {
        override func setUp() async throws {
            try await super.setUp()
            expect(.get("/never-asked"), .once)
        }
        override func tearDown() async throws {}
    }

    @Test @MainActor func `a class that forgets super in tearDown is verified all the same`() async throws {
        let testCase = ForgetfulTests(name: "aTestCase") { _ in }
        testCase.invokeTest()
        #expect(testCase.told.withLock { $0 }.map(\.text) == ["expected GET /never-asked once, but it came 0 times"])
    }

    private final class LogoutTests: ToldTests {
        override func tearDown() async throws {
            try await super.tearDown()
            let port = port
            _ = try await blocking { try WireClient(port: port).request("GET", "/food") }
            expect(.get("/food"), .once)
            let auth = try await startServer(stubs: [RequestMatch.post("/token").respond()])
            auth.expect(.post("/token"), .once, at: CallSite())
        }
    }

    @Test @MainActor func `the server is there behind super in tearDown, and a second server is verified too`()
        async throws
    {
        let testCase = LogoutTests(name: "aTestCase") { _ in }
        testCase.invokeTest()
        #expect(testCase.told.withLock { $0 }.map(\.text) == ["expected POST /token once, but it came 0 times"])
    }

    @Test @MainActor func `a test that is skipped is not verified`() async throws {
        let testCase = FoodTests(name: "aTestCase") { testCase in
            (testCase as? ToldTests)?.expect(.get("/bread"), .once)
            throw XCTSkip("not today")
        }
        testCase.run()
        #expect(testCase.told.withLock { $0 } == [])
    }

    @Test func `a test case has a server from setUp to tearDown`() async throws {
        let testCase = FoodTests(name: "aTestCase") { _ in }
        try await testCase.setUp()
        let food = try WireClient(port: testCase.port).request("GET", "/food")
        let domains = try WireClient(port: testCase.port).request("GET", "/api/domains")
        #expect(food.text == "Bread")
        #expect(domains.status == 200)
        testCase.expect(.get("/food"), .once)
        #expect(testCase.server.verify().isEmpty)
        weak let server = testCase.server
        try await testCase.tearDown()
        #expect(server == nil)
        #expect(testCase.told.withLock { $0 } == [])
    }

    @Test func `a miss fails at the line of its test, and an expectation at its own`() async throws {
        let testCase = FoodTests(name: "FoodTests.testAMiss") { _ in }
        try await testCase.setUp()
        let client = try WireClient(port: testCase.port)
        _ = try client.request("GET", "/missing")
        _ = try client.request("GET", "/lost")
        let line = #line + 1
        testCase.expect(.get("/bread"), .once)
        testCase.expectInOrder(.get("/bread"), .get("/food"))
        testCase.expectOneConnection(.get("/bread"))
        let came = try await testCase.expect(.get("/food"), within: .milliseconds(1))
        #expect(came.isEmpty)
        try await testCase.expect(.get("/missing"), .never, within: .seconds(600))
        try await testCase.tearDown()
        let told = testCase.told.withLock { $0 }
        #expect(
            told.map(\.text) == [
                "expected GET /food at least once within 0.001 seconds, but it came 0 times",
                "expected GET /missing never within 600.0 seconds, but it came once",
                "expected GET /bread once, but it came 0 times",
                "expected GET /bread, but it did not come",
                "expected GET /bread on one connection, but none came",
                "404: nothing answers GET /lost",
            ])
        #expect(told.map(\.line) == [line + 3, line + 5, line, line + 1, line + 2, FoodTests.missLine])
        #expect(told.allSatisfy { $0.file == #filePath })
    }

    @Test func `a test is found in the sources where its class does not name its file`() async throws {
        let testCase = DrinkTests(name: "DrinkTests.testAMiss") { _ in }
        try await testCase.setUp()
        _ = try WireClient(port: testCase.port).request("GET", "/missing")
        try await testCase.tearDown()
        let told = testCase.told.withLock { $0 }
        #expect(told.map(\.text) == ["1 of 1 stub answered nothing:"])
        #expect(told.map(\.line) == [DrinkTests.missLine])
        #expect(told.map { $0.file.hasSuffix("/Tests/MockServerTestingTests/TestCaseTests.swift") } == [true])
    }
}
