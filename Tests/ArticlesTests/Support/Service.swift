// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiWireSupport

/// An articles service for one test, and the reader run against it.
struct Service {
    /// The sample fixtures of the repository.
    static let sample = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures").path

    let server: MockServer
    var root: String { server.baseURL.absoluteString }
    var api: String { "\(root)/api" }

    static func with(fixtures: String = sample, _ body: (Service) async throws -> Void) async throws {
        let service = Service(server: try await MockServer.start(fixtures: fixtures))
        do {
            try await body(service)
        } catch {
            await service.server.stop()
            throw error
        }
        await service.server.stop()
    }

    /// A service whose list is one answer.
    static func with(list: String, _ body: (Service) async throws -> Void) async throws {
        let directory = try TemporaryDirectory([
            "list.stub.json": #"{"request": {"urlPath": "/api/contents"}, "response": \#(list)}"#
        ])
        try await with(fixtures: directory.path, body)
    }

    /// Runs `articles` to its end.
    func run(_ arguments: [String]) async throws -> Command.End {
        try await Self.run(arguments, api: api)
    }

    func run(_ arguments: String..., input: String? = nil) async throws -> Command.End {
        try await Self.run(arguments, api: api, input: input)
    }

    static func run(_ arguments: [String], api: String, input: String? = nil) async throws -> Command.End {
        try await Command(arguments, program: "mockapi-articles", environment: ["ARTICLES_URL": api], input: input)
            .end()
    }

    /// The paths that were asked for, in their order.
    var paths: [String] { server.journal.entries.compactMap(\.request.path) }
}
