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

@Suite(.supervised) struct CodeStubTests {
    private func serving(
        _ stubs: [MockStub], _ body: (MockServer, Int) async throws -> Void
    ) async throws {
        let server = try await MockServer.start(stubs: stubs)
        try await body(server, server.baseURL.port ?? 0)
        await server.stop()
    }

    @Test func aStubInCodeAnswers() async throws {
        let stub = RequestMatch.get("/food").query("page", "2").header("Accept", .contains("json"))
            .respond(201, headers: ["X-Kind": "bread", "Set-Cookie": "a=1", "Set-Cookie": "b=2"], body: "Bread")
        try await serving([stub]) { _, port in
            let answer = try WireClient(port: port).request("GET", "/food?page=2&x=y", ["Accept: application/json"])
            #expect(answer.status == 201)
            #expect(answer.fields.filter { $0.name == "Set-Cookie" }.map(\.value) == ["a=1", "b=2"])
            #expect(answer.text == "Bread")
            #expect(
                try WireClient(port: port).request("GET", "/food?page=3", ["Accept: application/json"]).status == 404)
        }
    }

    @Test func answersAreGivenInTurn() async throws {
        let stub = RequestMatch.post("/jobs/{id}").respond(
            inTurn: [MockResponse(202), .json(#"{"done": 1.0}"#)], afterLast: .unmatched)
        try await serving([stub]) { _, port in
            let client = try WireClient(port: port)
            #expect(try client.request("POST", "/jobs/7").status == 202)
            let last = try client.request("POST", "/jobs/8")
            #expect(last.text == #"{"done": 1.0}"#)
            #expect(last["Content-Type"] == "application/json")
            #expect(try client.request("POST", "/jobs/9").status == 404)
        }
    }

    @Test func aMissNamesTheLineOfAStubInCode() async throws {
        let line = #line + 1
        try await serving([RequestMatch.get("/food").query("page", "2").respond()]) { _, port in
            let answer = try WireClient(port: port).request("GET", "/food?page=3")
            #expect(
                answer.text.hasPrefix(
                    """
                    404: nothing answers GET /food?page=3

                    Nearest of 1 stub, 0 files:

                    1. CodeStubTests.swift:\(line)
                         queryParameters.page: expected equalTo "2", found "3"

                    What to do next:
                    """))
            #expect(!answer.text.contains("mockapi check"))
        }
    }

    @Test func aServerWithoutAnythingSaysSo() async throws {
        try await serving([]) { _, port in
            let miss = try WireClient(port: port).request("GET", "/")
            #expect(miss.text.contains("There are no stubs and no files.\n"))
        }
    }

    @Test func whatIsAddedAnswersFromThenOnAndBeforeTheRest() async throws {
        let directory = try TemporaryDirectory([
            "food.stub.json": #"{"request": {"urlPath": "/food", "method": "GET"}, "response": {"body": "file"}}"#,
            "first.stub.json": #"{"priority": 1, "request": {"urlPath": "/first"}, "response": {"body": "file"}}"#,
        ])
        let server = try await MockServer.start(fixtures: directory.path)
        let client = try WireClient(port: server.baseURL.port ?? 0)
        #expect(try client.request("GET", "/food").text == "file")
        try server.add(RequestMatch.any("/food").respond(body: "one"), RequestMatch.any("/first").respond(body: "one"))
        #expect(try client.request("GET", "/food").text == "one")
        #expect(try client.request("GET", "/first").text == "file")
        // On one line, so that both have one name; the newer goes first.
        for body in ["two", "three"] { try server.add(RequestMatch.any("/food").respond(body: .text(body))) }
        #expect(try client.request("GET", "/food").text == "three")
        await server.stop()
    }

    @Test func sequencesGoOnWhenAStubIsAdded() async throws {
        let jobs = RequestMatch.get("/jobs").respond(inTurn: [
            MockResponse(body: "1"), MockResponse(body: "2"), MockResponse(body: "3"),
        ])
        try await serving([jobs]) { server, port in
            let client = try WireClient(port: port)
            #expect(try client.request("GET", "/jobs").text == "1")
            try server.add(RequestMatch.get("/else").respond())
            #expect(try client.request("GET", "/jobs").text == "2")
        }
    }

    @Test func aStubWithAnErrorIsRefusedAndNothingIsAdded() async throws {
        let line = #line + 1
        let broken = MockStub(json: #"{"request": {"metod": "GET"}, "response": {"body": "x", "bodyFile": "y"}}"#)
        let error = await #expect(throws: MockServerError.self) { try await MockServer.start(stubs: [broken]) }
        let text = try #require(error).description
        #expect(
            text.contains("CodeStubTests.swift:\(line):1:14: error: unknown key \"metod\"; did you mean \"method\"?"))
        try await serving([]) { server, port in
            #expect(throws: MockServerError.self) { try server.add(RequestMatch.get("/a").respond(), broken) }
            #expect(throws: MockServerError.self) {
                try server.add(RequestMatch.get("/a").header("X", .matches("(")).respond())
            }
            let miss = try WireClient(port: port).request("GET", "/a")
            #expect(miss.status == 404)
        }
    }

    @Test func aBodyComesFromAFileOfTheFixtures() async throws {
        let directory = try TemporaryDirectory(["bodies/a.json": "{}"])
        let stub = RequestMatch.get("/a").respond(body: .file("bodies/a.json"))
        let server = try await MockServer.start(fixtures: directory.path, stubs: [stub])
        let answer = try WireClient(port: server.baseURL.port ?? 0).request("GET", "/a")
        #expect(answer.text == "{}")
        #expect(answer["Content-Type"] == "application/json")
        await server.stop()
    }

    @Test func faultsAndDelaysAreSaidInCode() async throws {
        let stubs = [
            RequestMatch.get("/cut").respond(body: "0123456789", fault: .truncatedBody(afterBytes: 4)),
            RequestMatch.get("/late").respond(body: .bytes([1, 2]), delay: .milliseconds(30)),
        ]
        try await serving(stubs) { server, port in
            #expect(throws: WireError.self) { try WireClient(port: port).request("GET", "/cut") }
            let late = try WireClient(port: port).request("GET", "/late")
            #expect(late.body == [1, 2])
            #expect(server.journal.entries.last?.addedDelay == .milliseconds(30))
        }
    }

    @Test func theJournalIsSearchedWithTheWordsOfAStub() async throws {
        try await serving([RequestMatch.any("/food").respond()]) { server, port in
            let client = try WireClient(port: port)
            _ = try client.request("GET", "/food?a=1&a=2&b=x+y", ["Accept: text/plain"])
            _ = try client.request("POST", "/food", [], body: #"{"a": 1.0, "b": [2]}"#)
            let counts = try [
                RequestMatch.any("/food"), .get("/food"), .post("/food").body(.equalToJSON(#"{"b": [2], "a": 1}"#)),
                .get("/food").query("a", "2").query("a", "1"), .get("/food?b=x%20y"), .get("/food").query("a", "3"),
                .get("/food").header("Accept", .present), .get("/food").header("Accept", .absent), .get("/drink"),
            ].map { try server.journal.entries(matching: $0).count }
            #expect(counts == [2, 1, 1, 1, 1, 0, 1, 0, 0])
        }
    }

    @Test func aSearchSaysWhatIsNearest() async throws {
        try await serving([RequestMatch.any("/food").respond()]) { server, port in
            let client = try WireClient(port: port)
            _ = try client.request("GET", "/drink")
            _ = try client.request("GET", "/food?page=3")
            let search = try RequestSearch(.get("/food").query("page", "2"))
            let nearest = try #require(search.nearest(of: server.journal.entries))
            #expect(nearest.entry.sequence == 2)
            #expect(nearest.differences == [#"queryParameters.page: expected equalTo "2", found "3""#])
        }
    }

    @Test func aMatchIsDescribedInTheWordsOfAStub() {
        let match = RequestMatch.get("/food?page=2").header("Accept", "text/plain")
        #expect(
            "\(match)"
                == #"GET /food, queryParameters {"page":{"equalTo":"2"}}, headers {"Accept":{"equalTo":"text/plain"}}"#)
        #expect("\(RequestMatch.any("/x"))" == "ANY /x")
    }
}
