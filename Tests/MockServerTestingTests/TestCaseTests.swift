// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServerXCTesting
import TestSupport
import Testing
import WireSupport
import XCTest

/// The counterpart for XCTest, its parts called in the order in which XCTest calls them.
@Suite(.supervised) struct TestCaseTests {
    private final class FoodTests: MockServerTestCase {
        override var fixtures: String? { "Fixtures" }
        override var filePath: StaticString? { #filePath }
        override var stubs: [MockStub] { [RequestMatch.get("/food").respond(body: "Bread")] }
    }

    @Test func aTestCaseHasAServerFromSetUpToTearDown() async throws {
        let testCase = FoodTests(name: "aTestCase") { _ in }
        try await testCase.setUp()
        let port = testCase.server.baseURL.port ?? 0
        let food = try WireClient(port: port).request("GET", "/food")
        let domains = try WireClient(port: port).request("GET", "/api/domains")
        #expect(food.text == "Bread")
        #expect(domains.status == 200)
        testCase.expect(.get("/food"), .once)
        #expect(testCase.server.verify().isEmpty)
        weak let server = testCase.server
        try await testCase.tearDown()
        #expect(server == nil)
    }
}
