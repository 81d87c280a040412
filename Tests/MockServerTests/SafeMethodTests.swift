// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// HEAD, OPTIONS and GET are safe (RFC 9110 §9.2.1), on the admin API too: health checks and link checkers send them to whatever they find.
@Suite(.supervised) struct SafeMethodTests {
    private static let id = "11111111-2222-4333-8444-555555555555"
    private static let stub = #"""
        {"id": "\#(id)", "scenarioName": "s", "newScenarioState": "on", "request": {"urlPath": "/a"}, "response": {"body": "a"},
         "metadata": {"team": "ios"}}
        """#

    private static let targets = [
        "", "/", "/mappings", "/mappings/\(id)", "/mappings/reset", "/mappings/save", "/mappings/import",
        "/mappings/remove",
        "/mappings/edit", "/mappings/find-by-metadata", "/mappings/remove-by-metadata", "/mappings/unmatched",
        "/requests",
        "/requests/00000000-0000-4000-8000-000000000001", "/requests/unmatched", "/requests/unmatched/near-misses",
        "/requests/reset", "/requests/count", "/requests/find", "/requests/remove", "/requests/remove-by-metadata",
        "/near-misses/request", "/near-misses/request-pattern", "/scenarios", "/scenarios/reset", "/scenarios/s/state",
        "/settings", "/settings/extended", "/health", "/version", "/reset", "/files", "/files/a.txt", "/shutdown",
        "/docs/openapi.json",
    ]

    /// All that the API can show, without what is of the moment.
    private static func state(_ server: TestServer) throws -> [String] {
        try ["/mappings", "/requests", "/requests/unmatched", "/scenarios", "/settings"].map { target in
            try server.get("/__admin\(target)").text
        }
    }

    @Test func `a safe method changes nothing, whatever it asks for`() async throws {
        try await TestServer.serving(stub: Self.stub) { server throws in
            #expect(try server.get("/a").text == "a")
            #expect(try server.get("/none").status == 404)
            let before = try Self.state(server)
            for target in Self.targets {
                for method in ["HEAD", "OPTIONS", "GET"] {
                    let response = try server.request(method, "/__admin\(target)")
                    #expect(method != "HEAD" || response.body.isEmpty, "\(method) \(target)")
                    #expect(try Self.state(server) == before, "\(method) \(target)")
                }
            }
            #expect(try server.get("/a").text == "a")
        }
    }

    @Test func `HEAD is answered as GET without content, and is refused where GET is`() async throws {
        try await TestServer.serving(stub: Self.stub) { server throws in
            for target in Self.targets {
                let get = try server.get("/__admin\(target)")
                let head = try server.request("HEAD", "/__admin\(target)")
                #expect(head.status == get.status, "\(target)")
            }
        }
    }
}
