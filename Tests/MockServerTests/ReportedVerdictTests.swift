// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Verdicts that users of other mock servers have reported as wrong of those: each is named by its tracker.
@Suite(.supervised) struct ReportedVerdictTests {
    static func serving(
        _ stubs: [MockStub], _ body: (MockServer, Int) async throws -> Void
    ) async throws {
        let server = try await MockServer.start(stubs: stubs)
        try await body(server, server.baseURL.port ?? 0)
        await server.stop()
    }

    private static func kinds(
        _ server: MockServer, allowsUnmatched: Bool = false, verifying stubs: StubVerification = .none
    ) -> [String] {
        server.verify(allowsUnmatched: allowsUnmatched, verifying: stubs).map(\.kind.rawValue)
    }

    private static func ask(_ port: Int, _ method: String, _ path: String) async throws -> WireResponse {
        try await blocking { try WireClient(port: port).request(method, path) }
    }

    private static let stubs = [RequestMatch.any("/a").respond(200), RequestMatch.any("/b").respond(200)]

    @Test
    func
        `wiremock-php 1, mockito 178 and responses 287, what must never come is red where it comes and green where it does not`()
        async throws
    {
        try await Self.serving(Self.stubs) { server, port in
            server.expect(.get("/a"), .never, at: CallSite())
            #expect(Self.kinds(server) == [])
            _ = try await Self.ask(port, "GET", "/a")
            #expect(Self.kinds(server) == ["expectation"])
        }
    }

    @Test func `pytest-httpserver 35, no request at all can be expected`() async throws {
        try await Self.serving(Self.stubs) { server, port in
            server.expect(RequestMatch(nil, "/**"), .never, at: CallSite())
            #expect(Self.kinds(server) == [])
            _ = try await Self.ask(port, "PUT", "/b")
            #expect(Self.kinds(server) == ["expectation"])
        }
    }

    @Test
    func
        `mockserver 783 and spring-cloud-contract 1322, a count begins anew when requests are cleared, a verdict does not`()
        async throws
    {
        try await Self.serving(Self.stubs) { server, port in
            server.expect(.get("/a"), .times(2), at: CallSite())
            for chapter in 1...2 {
                _ = try await Self.ask(port, "GET", "/a")
                let count = try await blocking {
                    try WireClient(port: port).request("POST", "/__admin/requests/count", body: #"{"url": "/a"}"#).text
                }
                #expect(try JSONParser.parse(count)["count"]?.number?.integer == 1, "chapter \(chapter): \(count)")
                let seen = try await Self.ask(port, "DELETE", "/__admin/requests")
                #expect(seen.status == 200)
            }
            #expect(Self.kinds(server) == [])
        }
    }

    @Test func `wiremock 565, a request counts as soon as it has been answered`() async throws {
        try await Self.serving(Self.stubs) { server, port in
            for count in 1...60 {
                _ = try await Self.ask(port, "GET", "/a")
                #expect(server.journal.entries.count == count)
            }
        }
    }

    @Test func `wiremock 530, one server knows nothing of what another missed`() async throws {
        try await Self.serving(Self.stubs) { one, port in
            try await Self.serving([RequestMatch.get("/c").respond(200)]) { other, _ in
                let seen = try await Self.ask(port, "GET", "/c")
                #expect(seen.status == 404)
                #expect(Self.kinds(one) == ["unmatched"])
                #expect(Self.kinds(other) == [])
            }
        }
    }

    @Test func `wiremock 795, what an expectation asks for is not reported for having no stub`() async throws {
        try await Self.serving(Self.stubs) { server, port in
            server.expect(.post("/log"), at: CallSite())
            _ = try await Self.ask(port, "POST", "/log")
            #expect(Self.kinds(server) == [])
        }
    }

    @Test func `pytest-httpserver 63 and aresponses 31, an error in the code of a stub fails the test`() async throws {
        struct Wrong: Error {}
        let stub = RequestMatch.get("/x").respond { _ in throw Wrong() }
        try await Self.serving([stub]) { server, port in
            let seen = try await Self.ask(port, "GET", "/x")
            #expect(seen.status == 500)
            #expect(Self.kinds(server) == ["unanswered"])
        }
    }

    @Test func `pytest-httpserver 68 and harborapi 49, the client of a miss is told why`() async throws {
        try await Self.serving(Self.stubs) { server, port in
            let answer = try await Self.ask(port, "GET", "/aa")
            #expect(answer.status == 404 && answer.text.contains("GET /aa"), "\(answer.text)")
            #expect(Self.kinds(server, allowsUnmatched: true) == [])
        }
    }

    @Test func `nock 321 and 600, a stub that was removed is not missed`() async throws {
        try await Self.serving([]) { server, port in
            let stub = #"{"id": "00000000-0000-4000-8000-000000000001", "request": {"url": "/x"}, "response": {}}"#
            let made = try await blocking {
                try WireClient(port: port).request("POST", "/__admin/mappings", body: stub).status
            }
            #expect(made == 201)
            let path = "/__admin/mappings/00000000-0000-4000-8000-000000000001"
            let seen = try await Self.ask(port, "DELETE", path)
            #expect(seen.status == 200)
            #expect(Self.kinds(server, verifying: .allStubs) == [])
        }
    }

    @Test func `nock 329 and responses 142, what is expected once at least may come again`() async throws {
        try await Self.serving(Self.stubs) { server, port in
            server.expect(.get("/a"), at: CallSite())
            #expect(Self.kinds(server) == ["expectation"])
            for _ in 0..<3 {
                _ = try await Self.ask(port, "GET", "/a")
                #expect(Self.kinds(server) == [])
            }
        }
    }

    @Test func `responses 162, a request counts though its response is a fault`() async throws {
        let fault = MockStub(
            json: #"{"request": {"url": "/x"}, "response": {"fault": "CONNECTION_RESET_BY_PEER"}}"#)
        try await Self.serving([fault]) { server, port in
            server.expect(.get("/x"), .once, at: CallSite())
            await #expect(throws: (any Error).self) { try await Self.ask(port, "GET", "/x") }
            #expect(Self.kinds(server, verifying: .stubsInCode) == [])
        }
    }

    @Test func `aioresponses 253, an order holds over several targets that come several times`() async throws {
        let wanted = ["/a", "/b", "/a", "/a", "/b"]
        try await Self.serving(Self.stubs) { server, port in
            server.expectInOrder(wanted.map { .get($0) }, at: CallSite())
            for path in ["/a", "/a", "/b", "/a"] { _ = try await Self.ask(port, "GET", path) }
            #expect(Self.kinds(server) == ["expectation"])
            for path in ["/a", "/b"] { _ = try await Self.ask(port, "GET", path) }
            #expect(Self.kinds(server) == [])
        }
    }

    @Test func `mockserver 901, pact-reference 535 and mockito 26, many threads at once miss nothing`() async throws {
        let stubs = (0..<8).map { RequestMatch.post("/p\($0)").body(.contains("n\($0)")).respond(201) }
        try await Self.serving(stubs) { server, port in
            for index in 0..<8 { server.expect(.post("/p\(index)"), .times(50), at: CallSite()) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<8 {
                    group.addTask {
                        try await blocking {
                            let client = try WireClient(port: port)
                            for _ in 0..<50 {
                                let answer = try client.request("POST", "/p\(index)", body: "n\(index)")
                                #expect(answer.status == 201)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(Self.kinds(server, verifying: .stubsInCode) == [])
        }
    }

    @Test func `toxiproxy 465, the connection behind one that was reset is answered`() async throws {
        let stub = MockStub(
            json: #"{"request": {"url": "/x"}, "responses": [{"fault": "CONNECTION_RESET_BY_PEER"}, {"body": "back"}]}"#
        )
        try await Self.serving([stub]) { _, port in
            await #expect(throws: (any Error).self) { try await Self.ask(port, "GET", "/x") }
            let seen = try await Self.ask(port, "GET", "/x")
            #expect(seen.text == "back")
        }
    }
}
