// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures
import MockapiUpstream
import MockapiWireSupport
import Testing

/// A server of what was recorded, that requests are put to.
struct Replay {
    private let server: MockServer
    let port: Int

    /// Lends a server of a directory, of which `mockapi check` says nothing, and stops it.
    static func of(_ directory: TemporaryDirectory, _ body: (Replay) async throws -> Void) async throws {
        let findings = try LoadedFixtures(path: directory.path, wireMock: false).findings.map(\.description)
        #expect(findings.isEmpty, "\(findings.prefix(5))")
        let server = try await MockServer.start(fixtures: directory.path)
        let port = server.address.split(separator: ":").last.flatMap { Int($0) } ?? 0
        do {
            try await body(Replay(server: server, port: port))
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    func answer(
        _ method: String = "GET", _ target: String, _ fields: [UpstreamField] = [], body: String = ""
    ) async throws -> WireResponse {
        let lines = fields.map { "\($0.name): \($0.value)" }
        return try await blocking { [port] in
            try WireClient(port: port).request(method, target, lines, body: body)
        }
    }

    /// Status and content of a response.
    func text(
        _ method: String = "GET", _ target: String, _ fields: [UpstreamField] = [], body: String = ""
    ) async throws -> String {
        let answer = try await answer(method, target, fields, body: body)
        return "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
    }
}
