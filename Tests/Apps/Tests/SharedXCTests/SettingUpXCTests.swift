// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerXCTesting
import XCTest

#if CLASSIC
    @testable import ClassicApp
#else
    @testable import ModernApp
#endif

/// Test cases that set up in each of the ways that XCTest has, one behind the other.
@MainActor final class SettingUpXCTests: MockServerTestCase {
    /// `unsafe`: XCTest calls what sets a test up, the test, and what tears it down one after the other.
    private nonisolated(unsafe) var steps: [String] = []

    override nonisolated var stubs: [MockStub] {
        [RequestMatch.get("/articles/{id}").respond(json: SettingUpXCTests.article)]
    }

    private static nonisolated let article =
        #"{"id": 5, "title": "A", "published": "2026-01-02T03:04:05Z", "likes": 0, "liked": false}"#

    override func setUp() async throws {
        try await super.setUp()
        steps.append("async \(server.baseURL.port ?? 0)")
    }

    override nonisolated func setUpWithError() throws {
        try super.setUpWithError()
        steps.append("throwing \(server.baseURL.port ?? 0)")
    }

    override nonisolated func setUp() {
        super.setUp()
        steps.append("plain \(server.baseURL.port ?? 0)")
    }

    override nonisolated func tearDown() {
        // The server is still there.
        XCTAssertNotNil(server.baseURL.port)
        super.tearDown()
    }

    func testTheServerIsThereInEachOfThem() async throws {
        let port = server.baseURL.port ?? 0
        XCTAssertEqual(steps, ["async \(port)", "throwing \(port)", "plain \(port)"])
    }

    func testEachTestHasItsOwn() async throws {
        XCTAssertEqual(steps.count, 3)
        XCTAssertEqual(server.journal.entries.count, 0)
        _ = try await AppClient(base: server.baseURL).article(5)
        expect(.get("/articles/5"), .once)
    }
}

/// A test case that is skipped before it has a server.
@MainActor final class SkippedXCTests: MockServerTestCase {
    override func setUp() async throws {
        throw XCTSkip("not on this machine")
    }

    func testWhatIsSkipped() async { XCTFail("it is skipped") }
}
