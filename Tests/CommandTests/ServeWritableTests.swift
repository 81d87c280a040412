// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What the admin API may do to the server and its files.
@Suite(.supervised) struct ServeWritableTests {
    private static let stub =
        #"{"id": "11111111-2222-4333-8444-555555555555", "persistent": true, "request": {"urlPath": "/x"}}"#

    @Test(arguments: [["serve"], ["serve", "--writable"], ["wiremock"], ["wiremock", "--writable"]])
    func `files change with --writable alone, and a shutdown ends the command`(arguments: [String]) async throws {
        let directory = try TemporaryDirectory(["mappings/a.json": #"{"request": {"urlPath": "/a"}}"#])
        let isWritable = arguments.contains("--writable")
        let place = arguments[0] == "serve" ? [directory.path] : ["--root-dir", directory.path]
        let command = try Command(arguments + place + ["--port", "0"])
        let port = try await command.port()
        let response = try WireClient(port: port).request("POST", "/__admin/mappings", body: Self.stub)
        #expect(response.status == (isWritable ? 201 : 403))
        let written = directory.bytes("mappings/any-x-11111111-2222-4333-8444-555555555555.json")
        #expect(written.isEmpty != isWritable)
        #expect(try WireClient(port: port).request("POST", "/__admin/shutdown").status == 200)
        #expect(try await command.exitCode() == 0)
    }
}
