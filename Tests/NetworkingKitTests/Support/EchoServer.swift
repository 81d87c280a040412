// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiWireSupport

/// A server that answers whatever it is asked, and tells what it was asked.
struct EchoServer {
    struct Message: Equatable {
        var method: String
        /// Path and query, as they came.
        var target: String
        var contentType: String?
        var body: String
    }

    static let anything = """
        {"stubs": [
          {"request": {"urlPathPattern": "/.*"}, "response": {"status": 200, "jsonBody": {"ok": true}}},
          {"request": {"urlPath": "/slow"}, "response": {"status": 200, "body": "slow", "fixedDelayMilliseconds": 3600000}},
          {"request": {"urlPath": "/teapot"}, "response": {"status": 418, "body": "short and stout"}},
          {"request": {"urlPath": "/moved"}, "response": {"status": 304}}
        ]}
        """

    let server: MockServer
    private let directory: TemporaryDirectory

    static func start() async throws -> EchoServer {
        let directory = try TemporaryDirectory(["all.stub.json": anything])
        return EchoServer(server: try await MockServer.start(fixtures: directory.path), directory: directory)
    }

    var url: URL { server.baseURL }

    var messages: [Message] {
        server.journal.entries.map { entry in
            Message(
                method: entry.request.method.rawValue, target: entry.request.path ?? "",
                contentType: entry.request.headerFields[.contentType],
                body: String(decoding: entry.body, as: UTF8.self))
        }
    }

    /// The fields of the first request.
    func field(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { server.journal.entries.first?.request.headerFields[$0] }
    }

    func stop() async {
        await server.stop()
    }
}
