// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiWireSupport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A server on fixtures of its own, for one test.
final class TestServer: Sendable {
    let directory: TemporaryDirectory
    let server: MockServer

    private init(_ directory: TemporaryDirectory, _ configuration: MockServer.Configuration) async throws {
        self.directory = directory
        server = try await MockServer.start(fixtures: directory.path, configuration: configuration)
    }

    var port: Int { server.baseURL.port ?? 0 }
    /// The server's URL, without a slash at its end.
    var base: String { server.address }
    var journal: Journal { server.journal }

    func connect() throws -> WireClient { try WireClient(port: port) }

    /// One request on a connection of its own.
    func request(
        _ method: String, _ target: String, _ fields: [String] = [], body: String = ""
    ) throws -> WireResponse {
        try connect().request(method, target, fields, body: body)
    }

    func get(_ target: String, _ fields: String...) throws -> WireResponse {
        try request("GET", target, fields)
    }

    /// Loads the directory once more and serves what it holds now.
    func reload() throws {
        server.replace(try server.reload(directory.path, wireMock: false))
    }

    /// Starts a server, lends it out, and returns when it has stopped.
    static func serving(
        _ files: KeyValuePairs<String, String>, _ configure: (inout MockServer.Configuration) -> Void = { _ in },
        _ body: (TestServer) async throws -> Void
    ) async throws {
        try await serving(TemporaryDirectory(files), configure, body)
    }

    static func serving(
        _ directory: TemporaryDirectory, _ configure: (inout MockServer.Configuration) -> Void = { _ in },
        _ body: (TestServer) async throws -> Void
    ) async throws {
        var configuration = MockServer.Configuration()
        configure(&configuration)
        let server = try await TestServer(directory, configuration)
        do {
            try await body(server)
        } catch {
            await server.server.stop()
            throw error
        }
        await server.server.stop()
    }

    /// A server of one stub file.
    static func serving(stub: String, _ body: (TestServer) async throws -> Void) async throws {
        try await serving(["x.stub.json": stub], { _ in }, body)
    }
}
