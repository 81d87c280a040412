// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct SequenceTests {
    private static func stub(steps: Int, afterLast: String?) -> String {
        let steps = (0..<steps).map { #"{"body": "\#($0)"}"# }.joined(separator: ", ")
        let after = afterLast.map { #", "afterLast": "\#($0)""# } ?? ""
        return #"{"name": "steps", "request": {"urlPath": "/a"}, "responses": [\#(steps)]\#(after)}"#
    }

    @Test(arguments: [(nil, "012222"), ("repeat", "012222"), ("restart", "012012")])
    func `steps come in order, then what afterLast says`(afterLast: String?, bodies: String) async throws {
        try await TestServer.serving(stub: Self.stub(steps: 3, afterLast: afterLast)) { server throws in
            let client = try server.connect()
            let texts = try (0..<6).map { _ in try client.request("GET", "/a").text }
            #expect(texts.joined() == bodies)
        }
    }

    @Test func `a consumed sequence says so`() async throws {
        try await TestServer.serving(stub: Self.stub(steps: 2, afterLast: "unmatched")) { server throws in
            let client = try server.connect()
            #expect(try client.request("GET", "/a").text == "0")
            // Conditional requests take a step too.
            #expect(try client.request("GET", "/a", [#"If-None-Match: "x""#]).status == 200)
            let answer = try client.request("GET", "/a")
            #expect(answer.status == 404)
            #expect(
                answer.text.hasPrefix(
                    """
                    404: nothing answers GET /a

                    x.stub.json ("steps") matches, but its sequence is consumed: all of its 2 steps have been given out \
                    (afterLast: unmatched)


                    """))
            #expect(
                answer.text.contains(
                    """
                    What to do next:
                    1. let the sequence go on: "afterLast": "repeat" or "restart", or one more step in "responses"

                    """))
            #expect(server.journal.unmatched.map(\.status) == [404])
        }
    }

    @Test func `a consumed sequence leaves the request to the next stub`() async throws {
        let stub = #"""
            {"stubs": [
              {"request": {"urlPath": "/a"}, "priority": 1, "responses": [{"body": "once"}], "afterLast": "unmatched"},
              {"request": {"urlPath": "/a"}, "response": {"body": "ever after"}}]}
            """#
        try await TestServer.serving(stub: stub) { server throws in
            let client = try server.connect()
            let texts = try (0..<3).map { _ in try client.request("GET", "/a").text }
            #expect(texts == ["once", "ever after", "ever after"])
        }
    }

    @Test func `with 64 clients at once each step is given out once`() async throws {
        try await TestServer.serving(stub: Self.stub(steps: 640, afterLast: "unmatched")) { server async throws in
            let bodies = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        let client = try server.connect()
                        return try (0..<10).map { _ in try client.request("GET", "/a").text }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(bodies.compactMap { Int($0) }.sorted() == Array(0..<640))
            #expect(try server.get("/a").status == 404)
        }
    }

    @Test func `HEAD uses up no step and moves no scenario`() async throws {
        let stubs = """
            {"stubs": [
              {"request": {"urlPath": "/steps"}, "responses": [{"body": "1"}, {"body": "22"}], "afterLast": "unmatched"},
              {"request": {"urlPath": "/state"}, "scenarioName": "s", "requiredScenarioState": "Started",
               "newScenarioState": "done", "response": {"body": "first"}},
              {"request": {"urlPath": "/state"}, "scenarioName": "s", "requiredScenarioState": "done",
               "response": {"body": "second"}},
              {"request": {"method": "HEAD", "urlPath": "/own"},
               "responses": [{"status": 201}, {"status": 202}]}]}
            """
        try await TestServer.serving(["x.stub.json": stubs]) { server throws in
            for length in ["1", "1"] {
                #expect(try server.request("HEAD", "/steps")["Content-Length"] == length)
                #expect(try server.request("HEAD", "/state")["Content-Length"] == "5")
            }
            #expect(try server.get("/steps").text == "1")
            #expect(try server.request("HEAD", "/steps")["Content-Length"] == "2")
            #expect(try server.get("/steps").text == "22")
            #expect(try server.request("HEAD", "/steps").status == 404)
            #expect(try server.get("/state").text == "first")
            #expect(try server.get("/state").text == "second")
            #expect(try server.request("HEAD", "/own").status == 201)
            #expect(try server.request("HEAD", "/own").status == 202)
        }
    }
}
