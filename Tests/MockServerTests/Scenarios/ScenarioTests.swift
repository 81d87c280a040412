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

@Suite(.supervised) struct ScenarioTests {
    static let cart = """
        {"stubs": [
          {"name": "empty", "scenarioName": "cart", "requiredScenarioState": "Started",
           "request": {"method": "GET", "urlPath": "/cart"}, "response": {"body": "empty"}},
          {"name": "add", "scenarioName": "cart", "newScenarioState": "full",
           "request": {"method": "POST", "urlPath": "/cart"}, "response": {"status": 201}},
          {"name": "full", "scenarioName": "cart", "requiredScenarioState": "full",
           "request": {"method": "GET", "urlPath": "/cart"}, "response": {"body": "full"}},
          {"name": "pay", "scenarioName": "cart", "requiredScenarioState": "full", "newScenarioState": "Started",
           "request": {"method": "POST", "urlPath": "/payment"}, "response": {"status": 202}}]}
        """

    @Test func `what answers follows the state that earlier responses left`() async throws {
        try await TestServer.serving(stub: Self.cart) { server throws in
            let client = try server.connect()
            func cart() throws -> [String] { try (0..<3).map { _ in try client.request("GET", "/cart").text } }
            #expect(server.server.fixtures.findings.isEmpty)
            #expect(try cart() == ["empty", "empty", "empty"])
            #expect(try client.request("POST", "/cart").status == 201)
            #expect(try cart() == ["full", "full", "full"])
            #expect(try client.request("POST", "/payment").status == 202)
            #expect(try cart() == ["empty", "empty", "empty"])
            let names = server.journal.entries.map { entry -> String? in
                if case .stub(_, let name, _) = entry.outcome { name } else { nil }
            }
            #expect(names.suffix(4) == ["pay", "empty", "empty", "empty"])
        }
    }

    @Test func `a stub whose scenario is in another state is told so`() async throws {
        try await TestServer.serving(stub: Self.cart) { server throws in
            let answer = try server.request("POST", "/payment")
            #expect(answer.status == 404)
            #expect(
                answer.text.hasPrefix(
                    """
                    404: nothing answers POST /payment

                    x.stub.json ("pay") matches, but in another state: scenario "cart": is in "Started", the stub needs "full"

                    Nearest of 4 stubs, 0 files:

                    1. x.stub.json ("pay")
                         scenario "cart": is in "Started", the stub needs "full"

                    """))
            #expect(
                answer.text.contains(
                    """
                    What to do next:
                    1. bring the scenario to "full": by the requests that lead there, or by \
                    PUT /__admin/scenarios/cart/state with {"state":"full"}

                    """))
            let problem = try server.request("POST", "/payment", ["Accept: application/json"])
            #expect(problem.text.contains(#""field": "scenario \"cart\"""#))
        }
    }

    @Test func `with 32 clients at once each move of a scenario is made by one request`() async throws {
        let count = 8
        let stubs = (0..<count).map { number in
            """
            {"scenarioName": "ring", "requiredScenarioState": "\(number == 0 ? "Started" : "\(number)")",
             "newScenarioState": "\(number + 1 == count ? "Started" : "\(number + 1)")",
             "request": {"urlPath": "/next"}, "response": {"body": "\(number)"}}
            """
        }
        let text = #"{"stubs": [\#(stubs.joined(separator: ", "))]}"#
        try await TestServer.serving(stub: text) { server async throws in
            let bodies = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<32 {
                    group.addTask {
                        let client = try server.connect()
                        return try (0..<20).map { _ in try client.request("GET", "/next").text }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            for number in 0..<count { #expect(bodies.count { $0 == "\(number)" } == 80) }
            #expect(server.server.scenarioState("ring") == "Started")
        }
    }

    @Test func `one of 64 requests makes a move that can be made once, the others meet the next stub`() async throws {
        let stubs = """
            {"stubs": [
              {"scenarioName": "once", "requiredScenarioState": "Started", "newScenarioState": "taken",
               "request": {"method": "POST", "bodyPatterns": [{"contains": "x"}]}, "response": {"body": "mine"}},
              {"scenarioName": "once", "requiredScenarioState": "taken",
               "request": {"method": "POST", "bodyPatterns": [{"contains": "x"}]}, "response": {"status": 409, "body": "taken"}}]}
            """
        try await TestServer.serving(stub: stubs) { server async throws in
            // Some bodies are long enough to be judged beside the loops.
            let bodies = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<64 {
                    let body = String(repeating: "y", count: number % 4 == 0 ? 70_000 : 10) + "x"
                    group.addTask { try server.request("POST", "/seat", body: body).text }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(bodies.count { $0 == "mine" } == 1)
            #expect(bodies.count { $0 == "taken" } == 63)
        }
    }

    @Test func `a request that a remembered response would do for is asked in its present state`() async throws {
        let stubs = """
            {"stubs": [
              {"name": "fallback", "request": {"urlPath": "/a"}, "response": {"body": "before"}},
              {"scenarioName": "s", "requiredScenarioState": "on", "request": {"urlPath": "/a"}, "response": {"body": "after"}},
              {"scenarioName": "s", "newScenarioState": "on", "request": {"urlPath": "/on"}, "response": {}}]}
            """
        try await TestServer.serving(stub: stubs) { server throws in
            let client = try server.connect()
            func texts() throws -> [String] { try (0..<4).map { _ in try client.request("GET", "/a").text } }
            #expect(server.server.fixtures.findings.isEmpty)
            #expect(try texts() == ["before", "before", "before", "before"])
            #expect(try client.request("GET", "/on").status == 200)
            #expect(try texts() == ["after", "after", "after", "after"])
            server.server.resetScenarios()
            #expect(try texts() == ["before", "before", "before", "before"])
        }
    }

    @Test func `a sequence of a stub with a state gives its steps, and leaves the state when it has one`() async throws
    {
        let stubs = """
            {"stubs": [
              {"scenarioName": "s", "requiredScenarioState": "Started", "request": {"urlPath": "/a"},
               "responses": [{"body": "1"}, {"body": "2"}], "afterLast": "unmatched", "newScenarioState": "Started"},
              {"scenarioName": "s", "newScenarioState": "over", "request": {"urlPath": "/a"}, "response": {"body": "rest"}}]}
            """
        try await TestServer.serving(stub: stubs) { server throws in
            let client = try server.connect()
            #expect(try (0..<4).map { _ in try client.request("GET", "/a").text } == ["1", "2", "rest", "rest"])
            #expect(server.server.scenarioState("s") == "over")
            #expect(try server.request("POST", "/__admin/reset").status == 200)
            #expect(server.server.scenarioState("s") == "Started")
            #expect(try client.request("GET", "/a").text == "1")
        }
    }

    @Test func `a state stays when fixtures are read again, and is gone with its scenario`() async throws {
        try await TestServer.serving(["x.stub.json": Self.cart]) { server throws in
            #expect(try server.request("POST", "/cart").status == 201)
            try server.directory.write("y.stub.json", #"{"request": {"urlPath": "/y"}, "response": {}}"#)
            try server.reload()
            #expect(try server.get("/cart").text == "full")
            try server.directory.write(
                "x.stub.json", #"{"request": {"urlPath": "/cart"}, "response": {"body": "stateless"}}"#)
            try server.reload()
            #expect(try server.get("/cart").text == "stateless")
            #expect(server.server.scenarioState("cart") == nil)
            try server.directory.write("x.stub.json", Self.cart)
            try server.reload()
            #expect(try server.get("/cart").text == "empty")
        }
    }

    @Test func `stubs in code have parts in scenarios, and a test sets and resets them`() async throws {
        let server = try await MockServer.start(stubs: [
            RequestMatch.get("/cart").respond(body: "empty").scenario("cart", requires: "Started"),
            RequestMatch.get("/cart").respond(body: "full").scenario("cart", requires: "full"),
            MockStub(json: #"{"request": {"method": "POST"}, "response": {"status": 201}}"#).scenario(
                "cart", becomes: "full"),
        ])
        let client = try WireClient(port: server.baseURL.port ?? 0)
        #expect(server.scenarioState("cart") == "Started")
        #expect(try client.request("GET", "/cart").text == "empty")
        #expect(try client.request("POST", "/").status == 201)
        #expect(server.scenarioState("cart") == "full")
        #expect(try client.request("GET", "/cart").text == "full")
        server.resetScenarios()
        #expect(try client.request("GET", "/cart").text == "empty")
        try server.setScenario("cart", to: "full")
        #expect(try client.request("GET", "/cart").text == "full")
        try server.add(RequestMatch.get("/cart").respond(body: "paid").scenario("cart", requires: "paid"))
        #expect(try client.request("GET", "/cart").text == "full")
        try server.setScenario("cart", to: "paid")
        #expect(try client.request("GET", "/cart").text == "paid")
        #expect(throws: MockServerError.self) { try server.setScenario("cart", to: "lost") }
        #expect(throws: MockServerError.self) { try server.setScenario("basket", to: "full") }
        #expect(server.scenarioState("basket") == nil)
        await server.stop()
    }

    @Test func `a WireMock root has scenarios`() async throws {
        let files: KeyValuePairs = [
            "mappings/a.json": """
            {"mappings": [
              {"scenarioName": "To do list", "requiredScenarioState": "Started", "newScenarioState": "Item added",
               "request": {"method": "POST", "url": "/todo"}, "response": {"status": 201}},
              {"scenarioName": "To do list", "requiredScenarioState": "Item added",
               "request": {"method": "GET", "url": "/todo"}, "response": {"body": "<item>Cancel newspaper</item>"}}]}
            """
        ]
        try await TestServer.serving(files) { server throws in
            #expect(server.server.fixtures.findings.isEmpty)
            #expect(try server.get("/todo").status == 404)
            #expect(try server.request("POST", "/todo").status == 201)
            #expect(try server.get("/todo").text == "<item>Cancel newspaper</item>")
        }
    }
}
