// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What WireMock's client in Java reads: it takes the members that it knows, and throws at any other.
@Suite(.supervised) struct StrictClientTests {
    private func admin(_ server: TestServer, _ method: String, _ target: String, _ body: String = "") throws -> JSONNode
    {
        try JSONParser.parse(try server.request(method, "/__admin\(target)", body: body).body)
    }

    private func names(_ node: JSONNode?) -> Set<String> { Set((node?.object?.members ?? []).map(\.name)) }

    private let stub = #"{"request": {"method": "GET", "urlPath": "/a"}, "response": {}, "metadata": {"n": 1}}"#

    @Test func `a response in the journal has WireMock's members alone`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            _ = try server.get("/a")
            _ = try server.get("/none")
            let events = try admin(server, "GET", "/requests")["requests"]?.array ?? []
            #expect(events.count == 2)
            for event in events {
                #expect(
                    names(event["response"]).isSubset(of: ["status", "headers", "bodyAsBase64", "body", "fault"]))
            }
            // Without it the client takes an unmatched request for a matched one.
            #expect(events.map { $0["responseDefinition"]?["fromConfiguredStub"]?.bool } == [false, true])
        }
    }

    @Test func `near misses, scenarios and removals have their list alone`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            _ = try server.get("/b")
            let request = #"{"url": "/b", "method": "GET"}"#
            #expect(names(try admin(server, "POST", "/near-misses/request", request)) == ["nearMisses"])
            #expect(
                names(try admin(server, "POST", "/near-misses/request-pattern", #"{"urlPath": "/ay"}"#)) == [
                    "nearMisses"
                ])
            #expect(names(try admin(server, "GET", "/requests/unmatched/near-misses")) == ["nearMisses"])
            #expect(names(try admin(server, "GET", "/scenarios")) == ["scenarios"])
            #expect(names(try admin(server, "POST", "/requests/remove", "{}")) == ["serveEvents"])
        }
    }

    @Test func `a form's parameters are shown`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            _ = try server.request(
                "POST", "/a", ["Content-Type: application/x-www-form-urlencoded; charset=utf-8"],
                body: "f=1&g=a%20b&f=2")
            let request = try admin(server, "GET", "/requests")["requests"]?.array?.first?["request"]
            let expected = try JSONParser.parse(
                #"{"f": {"key": "f", "values": ["1", "2"]}, "g": {"key": "g", "values": ["a b"]}}"#)
            #expect(request?["formParams"] == expected)
        }
    }

    @Test func `a reset of the mappings empties the journal`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            _ = try server.get("/a")
            #expect(try server.request("POST", "/__admin/mappings/reset").status == 200)
            #expect(try admin(server, "POST", "/requests/count", "{}")["count"]?.number?.integer == 0)
        }
    }

    @Test func `a stub is removed by its request where its id is not known`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            let described =
                #"{"id": "11111111-2222-4333-8444-000000000000", "request": {"method": "GET", "urlPath": "/a"}, "response": {}}"#
            #expect(try server.request("POST", "/__admin/mappings/remove", body: described).status == 200)
            #expect(try server.get("/a").status == 404)
        }
    }
}
