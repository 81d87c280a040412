// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiWireSupport
import NetworkingKit

/// A mock server for one test, with fixtures of its own or the sample ones.
struct Service {
    let server: MockServer
    let directory: TemporaryDirectory?

    init() async throws {
        directory = nil
        server = try await MockServer.start(fixtures: Sample.fixtures)
    }

    init(_ files: KeyValuePairs<String, String>) async throws {
        let directory = try TemporaryDirectory(files)
        self.directory = directory
        server = try await MockServer.start(fixtures: directory.path)
    }

    /// One stub that answers every request to a path with 200 and `ok`.
    static func answering(_ path: String) async throws -> Service {
        try await Service([
            "all.stub.json": #"{"request": {"urlPath": "\#(path)"}, "response": {"body": "ok"}}"#
        ])
    }

    func url(_ path: String) -> URL {
        URL(string: path, relativeTo: server.baseURL)?.absoluteURL ?? server.baseURL
    }

    var api: URL { server.baseURL.appendingPathComponent("api") }

    /// The requests that came, as `METHOD target`.
    var targets: [String] {
        server.journal.entries.map { "\($0.request.method.rawValue) \($0.request.path ?? "")" }
    }

    func stop() async {
        await server.stop()
    }
}
