// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The examples of the pages about scenarios and resources are served as they stand there.
@Suite(.supervised) struct DocumentedStateTests {
    /// The blocks of a page that are JSON.
    private func examples(_ page: String) throws -> [String] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(
            contentsOfFile: tests.deletingLastPathComponent().path + "/docs/\(page)", encoding: .utf8)
        return text.split(separator: "```json\n").dropFirst().compactMap { part in
            part.split(separator: "```").first.map(String.init)
        }
    }

    @Test func `the cart of the page about scenarios fills`() async throws {
        let stubs = try examples("scenarios.md")
        #expect(stubs.count == 1)
        try await TestServer.serving(stub: stubs[0]) { server throws in
            #expect(server.server.fixtures.findings.isEmpty)
            #expect(try server.get("/cart").text == "[]")
            #expect(try server.request("POST", "/cart").status == 201)
            #expect(try server.get("/cart").text == #"[{"item":"bread"}]"#)
        }
    }

    @Test func `the bookmarks of the page about resources are served`() async throws {
        let files = try examples("resources.md")
        #expect(files.count == 2)
        try await TestServer.serving(["a.stub.json": files[0], "bookmarks.json": files[1]]) { server throws in
            #expect(server.server.fixtures.findings.isEmpty)
            #expect(try server.get("/api/bookmarks?author.name=Bob")["X-Total-Count"] == "1")
        }
    }
}
