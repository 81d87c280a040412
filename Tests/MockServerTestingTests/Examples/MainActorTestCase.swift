// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerXCTesting
import NetworkingKit
import XCTest

private struct LinesRequest: Request {
    typealias Output = [String]
    let url: URL
    let method = HTTPMethod.get
}

/// A view model of a module that says of its types whose they are.
@MainActor private final class LinesModel {
    private(set) var lines: [String] = []
    private let url: URL

    init(_ base: URL) { url = base.appendingPathComponent("lines") }

    func load() async throws { lines = try await Networker().value(for: LinesRequest(url: url)) }
}

/// A test case on the main actor, with what it sets up and tears down.
@MainActor final class MainActorTestCase: MockServerTestCase {
    private var model: LinesModel?

    override nonisolated var stubs: [MockStub] { [RequestMatch.get("/lines").respond(json: #"["Bread"]"#)] }

    override func setUp() async throws {
        try await super.setUp()
        model = LinesModel(server.baseURL)
    }

    override func tearDown() async throws {
        model = nil
        try await super.tearDown()
    }

    func testTheModelIsLoaded() async throws {
        try await model?.load()
        XCTAssertEqual(model?.lines, ["Bread"])
        try await expect(.get("/lines"), .once, within: .seconds(5))
        let auth = try await startServer(stubs: [])
        XCTAssertNotEqual(auth.baseURL, server.baseURL)
    }
}
