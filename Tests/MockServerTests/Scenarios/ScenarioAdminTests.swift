// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct ScenarioAdminTests {
    private func scenarios(_ server: TestServer) throws -> [JSONNode] {
        let answer = try server.get("/__admin/scenarios")
        #expect(answer.status == 200)
        return try JSONParser.parse(answer.body)["scenarios"]?.array ?? []
    }

    @Test func `scenarios are listed with their states and stubs`() async throws {
        try await TestServer.serving(stub: ScenarioTests.cart) { server throws in
            #expect(try server.request("POST", "/cart").status == 201)
            let listed = try scenarios(server)
            #expect(listed.count == 1)
            let cart = try #require(listed.first)
            #expect(cart.object?.members.map(\.name) == ["id", "name", "state", "possibleStates", "mappings"])
            #expect(cart["id"] == .string("cart"))
            #expect(cart["name"] == .string("cart"))
            #expect(cart["state"] == .string("full"))
            #expect(cart["possibleStates"] == .array([.string("Started"), .string("full")]))
            let stubs = cart["mappings"]?.array ?? []
            #expect(stubs.map { $0["name"]?.string } == ["empty", "add", "full", "pay"])
            #expect(stubs.first?["requiredScenarioState"] == .string("Started"))
        }
    }

    @Test func `the journal tells in which state a request met a scenario, and which it left`() async throws {
        try await TestServer.serving(stub: ScenarioTests.cart) { server throws in
            #expect(try server.request("POST", "/cart").status == 201)
            let node = try JSONParser.parse(server.get("/__admin/requests?limit=1").body)
            let event = node["requests"]?.array?.first?["subEvents"]?.array?.first
            #expect(event?["type"] == .string("INFO"))
            let told = #"{"scenario":"cart","stateBefore":"Started","stateAfter":"full"}"#
            #expect(event?["data"].map { String(decoding: JSONWriter.compact($0), as: UTF8.self) } == told)
        }
    }

    @Test func `a server without scenarios lists none`() async throws {
        try await TestServer.serving(stub: #"{"response": {}}"#) { server throws in
            #expect(try scenarios(server).isEmpty)
        }
    }

    @Test func `one scenario is set, and set back by a request without content`() async throws {
        let stubs = #"""
            {"stubs": [
              {"scenarioName": "my cart/1", "requiredScenarioState": "full", "newScenarioState": "paid",
               "request": {"urlPath": "/a"}, "response": {}},
              {"scenarioName": "other", "requiredScenarioState": "on", "newScenarioState": "on",
               "request": {"urlPath": "/b"}, "response": {}}]}
            """#
        try await TestServer.serving(stub: stubs) { server throws in
            func set(_ name: String, _ body: String) throws -> WireResponse {
                try server.request("PUT", "/__admin/scenarios/\(name)/state", body: body)
            }
            let set1 = try set("my%20cart%2F1", #"{"state": "full"}"#)
            #expect(set1.status == 200)
            #expect(set1.text == "{}")
            #expect(server.server.scenarioState("my cart/1") == "full")
            #expect(try server.get("/a").status == 200)
            #expect(server.server.scenarioState("my cart/1") == "paid")
            #expect(try set("other", #"{"state": "on"}"#).status == 200)
            #expect(try set("my%20cart%2F1", "").status == 200)
            #expect(server.server.scenarioState("my cart/1") == "Started")
            #expect(server.server.scenarioState("other") == "on")
            #expect(try server.request("POST", "/__admin/mappings/reset").status == 200)
            #expect(server.server.scenarioState("other") == "Started")
            let unknown = try set("i-dont-exist", #"{"state": "x"}"#)
            #expect(unknown.status == 404)
            #expect(unknown.text.contains(#""title": "Scenario i-dont-exist does not exist""#))
            let state = try set("other", #"{"state": "x"}"#)
            #expect(state.status == 422)
            #expect(state.text.contains(#""code": 11"#))
            #expect(state.text.contains(#""title": "Scenario other does not support state x""#))
            #expect(try set("other", "{").text.contains("this is not JSON: "))
            #expect(try set("other", #"{"stat": "on"}"#).status == 422)
            #expect(try set("other", String(repeating: " ", count: 70_000)).status == 413)
            #expect(try server.get("/__admin/scenarios/other/state")["Allow"] == "OPTIONS, PUT")
        }
    }
}
