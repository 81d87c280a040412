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

/// Counts, orders and ends that users of other mock servers have reported as wrong of those: each is named by its tracker.
@Suite(.supervised) struct ReportedCountTests {
    private static func failures(
        _ server: MockServer, verifying stubs: StubVerification = .none
    ) -> [VerificationFailure] {
        server.verify(allowsUnmatched: false, verifying: stubs)
    }

    private static func kinds(_ server: MockServer, verifying stubs: StubVerification = .none) -> [String] {
        failures(server, verifying: stubs).map(\.kind.rawValue)
    }

    @discardableResult
    private static func ask(
        _ port: Int, _ method: String, _ target: String, body: String = ""
    ) async throws -> WireResponse {
        try await blocking { try WireClient(port: port).request(method, target, body: body) }
    }

    private static let stubs = [RequestMatch.any("/a").respond(200), RequestMatch.any("/b").respond(200)]

    @Test func `moq 1222, MocKMP 92 and dart mockito 376, an order of nothing is no expectation that comes true`()
        async throws
    {
        try await ReportedVerdictTests.serving(Self.stubs) { server, port in
            try await Self.ask(port, "GET", "/a")
            server.expectInOrder([], at: CallSite())
            #expect(
                Self.failures(server).map(\.text) == ["expected an order of no requests, which says nothing"])
        }
    }

    @Test func `pact-php 6 and respx 228, a stub that was not asked for is reported beside those that were`()
        async throws
    {
        try await ReportedVerdictTests.serving(Self.stubs) { server, port in
            try await Self.ask(port, "GET", "/a")
            #expect(Self.kinds(server) == [])
            let failures = Self.failures(server, verifying: .stubsInCode)
            #expect(failures.map(\.kind.rawValue) == ["unused"])
            #expect(failures.first?.text.hasPrefix("1 of 2 stubs answered nothing:") == true)
            #expect(failures.first?.text.contains("ANY /b") == true, "\(failures)")
        }
    }

    @Test(arguments: [StubVerification.stubsInCode, .allStubs])
    func `responses 287 and pytest_httpx 18, a stub that must never be asked for is not missed`(
        _ verification: StubVerification
    ) async throws {
        try await ReportedVerdictTests.serving([
            RequestMatch.get("/a").respond(200), RequestMatch.get("/b").respond(200),
        ]) {
            server, port in
            server.expect(.get("/a"), .never, at: CallSite())
            try await Self.ask(port, "GET", "/b")
            #expect(Self.kinds(server, verifying: verification) == [])
            try await Self.ask(port, "GET", "/a")
            #expect(Self.kinds(server, verifying: verification) == ["expectation"])
        }
        // Another request is no excuse.
        try await ReportedVerdictTests.serving([
            RequestMatch.get("/a").respond(200), RequestMatch.get("/b").respond(200),
        ]) {
            server, port in
            server.expect(.post("/a"), .never, at: CallSite())
            try await Self.ask(port, "GET", "/b")
            #expect(Self.kinds(server, verifying: verification) == ["unused"])
        }
    }

    @Test func `Mimus 35 and mocktail 176, a verdict that is asked for twice is the same`() async throws {
        try await ReportedVerdictTests.serving(Self.stubs) { server, port in
            server.expect(.get("/a"), .once, at: CallSite())
            server.expect(.get("/b"), .times(2), at: CallSite())
            try await Self.ask(port, "GET", "/a")
            try await Self.ask(port, "GET", "/b")
            for _ in 0..<3 { #expect(Self.kinds(server) == ["expectation"]) }
            try await Self.ask(port, "GET", "/b")
            for _ in 0..<3 { #expect(Self.kinds(server) == []) }
        }
    }

    @Test func `hoverfly-java 225, equal requests at the same moment are all counted`() async throws {
        try await ReportedVerdictTests.serving(Self.stubs) { server, port in
            server.expect(.post("/a"), .times(60), at: CallSite())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<60 { group.addTask { try await Self.ask(port, "POST", "/a", body: "same") } }
                try await group.waitForAll()
            }
            #expect(Self.kinds(server) == [])
        }
    }

    @Test func `wiremock 706, the nearest request does not look like what was expected`() async throws {
        try await ReportedVerdictTests.serving([RequestMatch.delete("/foo/bar").respond(204)]) { server, port in
            server.expect(RequestMatch.delete("/foo/bar").query("id", "1").query("name", "Dan"), at: CallSite())
            try await Self.ask(port, "DELETE", "/foo/bar?name=Dan&id=2")
            let text = try #require(Self.failures(server).first?.text)
            #expect(text.contains(#"queryParameters.id: expected equalTo "1", found "2""#), "\(text)")
        }
    }

    @Test func `wiremock 285, a count that asks for a parameter that no request has is 0`() async throws {
        try await ReportedVerdictTests.serving(Self.stubs) { _, port in
            try await Self.ask(port, "GET", "/a?query=param")
            for (name, count) in [("query", 1), ("queryyyyy", 0)] {
                let body = #"{"urlPath": "/a", "queryParameters": {"\#(name)": {"matches": "param"}}}"#
                let seen = try await Self.ask(port, "POST", "/__admin/requests/count", body: body)
                #expect(seen.status == 200, "\(seen.text)")
                #expect(try JSONParser.parse(seen.text)["count"]?.number?.integer == count, "\(name): \(seen.text)")
            }
        }
    }

    @Test func `nock 2085 and 2234, unused stubs of one URL are told apart`() async throws {
        let stubs = [
            RequestMatch.get("/a").query("q", "1").respond(200),
            RequestMatch.get("/a").query("q", "2").respond(200),
            RequestMatch.get("/a").query("q", "3").respond(200),
        ]
        try await ReportedVerdictTests.serving(stubs) { server, port in
            try await Self.ask(port, "GET", "/a?q=2")
            let text = try #require(Self.failures(server, verifying: .stubsInCode).first?.text)
            let lines = text.split(separator: "\n").dropFirst()
            #expect(lines.count == 2 && Set(lines).count == 2, "\(text)")
        }
    }

    @Test func `nock 227, what is expected twice has not come true after the first`() async throws {
        try await ReportedVerdictTests.serving(Self.stubs) { server, port in
            server.expect(.get("/a"), .times(2), at: CallSite())
            for kinds in [["expectation"], [], ["expectation"]] {
                try await Self.ask(port, "GET", "/a")
                #expect(Self.kinds(server) == kinds)
            }
        }
    }

    @Test func `okhttp 1372, a server that nobody has asked stops at once`() async throws {
        let server = try await MockServer.start(stubs: [])
        let start = ContinuousClock.now
        await server.stop()
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test func `okhttp 2521 and 6976, a server stops while clients wait for a response`() async throws {
        let server = try await MockServer.start(
            stubs: [RequestMatch.get("/late").respond(body: "late", delay: .seconds(60))])
        let port = server.baseURL.port ?? 0
        let waiting = Task { try await Self.ask(port, "GET", "/late") }
        try await until({ server.journal.entries.count }, is: 1)
        let start = ContinuousClock.now
        await server.stop()
        #expect(ContinuousClock.now - start < .seconds(10))
        await #expect(throws: (any Error).self) { try await waiting.value }
    }

    @Test func `okhttp 5388 and 5528, a request whose content is cut off fulfils nothing`() async throws {
        try await ReportedVerdictTests.serving(Self.stubs) { server, port in
            server.expect(.post("/a"), at: CallSite())
            try await blocking {
                let client = try WireClient(port: port)
                try client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf")
                client.close()
            }
            try await Self.ask(port, "GET", "/b")
            #expect(Self.kinds(server).contains("expectation"))
        }
    }

    @Test func `okhttp 2534, a request that 408 answers is counted as often as it comes`() async throws {
        let stub = RequestMatch.get("/x").respond(408)
        try await ReportedVerdictTests.serving([stub]) { server, port in
            server.expect(.get("/x"), .times(2), at: CallSite())
            for _ in 0..<2 {
                let seen = try await Self.ask(port, "GET", "/x")
                #expect(seen.status == 408)
            }
            #expect(Self.kinds(server, verifying: .stubsInCode) == [])
        }
    }

    @Test func `respx 246, a stub with a pattern for its URL is used`() async throws {
        let stub = RequestMatch.url(matching: "/[\\w-]+/inventory/[\\w-]+", method: "GET").respond(body: "3")
        try await ReportedVerdictTests.serving([stub]) { server, port in
            #expect(Self.kinds(server, verifying: .stubsInCode) == ["unused"])
            try await Self.ask(port, "GET", "/main-1/inventory/of_all")
            #expect(Self.kinds(server, verifying: .stubsInCode) == [])
        }
    }

    @Test func `respx 196 and msw 1134, what a stub answers is not reported as unanswered`() async throws {
        try await ReportedVerdictTests.serving([RequestMatch.get("/things/{id}").respond(200)]) { server, port in
            let seen = try await Self.ask(port, "GET", "/things/1?page=2")
            #expect(seen.status == 200)
            #expect(Self.kinds(server, verifying: .stubsInCode) == [])
        }
    }

    @Test func `responses 335, a path is counted with any query, and a query by itself`() async throws {
        try await ReportedVerdictTests.serving(Self.stubs) { server, port in
            server.expect(.get("/a"), .times(3), at: CallSite())
            server.expect(RequestMatch.get("/a").query("hello", "world"), .once, at: CallSite())
            server.expect(RequestMatch.get("/a").noOtherQuery(), .once, at: CallSite())
            for query in ["", "?hello=world", "?hello=all"] { try await Self.ask(port, "GET", "/a\(query)") }
            #expect(Self.kinds(server) == [])
        }
    }

    @Test func `responses 627, that stubs need not be used does not let other requests pass`() async throws {
        try await ReportedVerdictTests.serving(Self.stubs) { server, port in
            try await Self.ask(port, "GET", "/elsewhere")
            #expect(Self.kinds(server, verifying: .none) == ["unmatched"])
            #expect(server.verify(allowsUnmatched: true, verifying: .stubsInCode).map(\.kind.rawValue) == ["unused"])
        }
    }

    @Test func `msw 946, a request without a stub is red though its client passes over the 404`() async throws {
        try await ReportedVerdictTests.serving(Self.stubs) { server, port in
            _ = try? await Self.ask(port, "PATCH", "/c")
            try await Self.ask(port, "GET", "/a")
            #expect(Self.kinds(server) == ["unmatched"])
        }
    }

    @Test func `toxiproxy 159 and 412, a stub whose response is on its way is removed at once`() async throws {
        let late =
            #"{"id": "00000000-0000-4000-8000-000000000007", "request": {"url": "/x"}, "#
            + #""response": {"fixedDelayMilliseconds": 60000}}"#
        try await ReportedVerdictTests.serving([]) { server, port in
            try await Self.ask(port, "POST", "/__admin/mappings", body: late)
            let waiting = Task { try await Self.ask(port, "GET", "/x") }
            try await until({ server.journal.entries.count { $0.target == "/x" } }, is: 1)
            let start = ContinuousClock.now
            let path = "/__admin/mappings/00000000-0000-4000-8000-000000000007"
            let removed = try await Self.ask(port, "DELETE", path)
            let seen = try await Self.ask(port, "GET", "/x")
            #expect(removed.status == 200 && seen.status == 404)
            #expect(ContinuousClock.now - start < .seconds(10))
            waiting.cancel()
            await server.stop()
            _ = try? await waiting.value
        }
    }

    @Test func `toxiproxy 121, a response in time is not touched by a fault that is for later`() async throws {
        let stub = MockStub(
            json: #"{"request": {"url": "/x"}, "responses": [{"body": "first"}, {"fault": "EMPTY_RESPONSE"}]}"#)
        try await ReportedVerdictTests.serving([stub]) { _, port in
            let seen = try await Self.ask(port, "GET", "/x")
            #expect(seen.text == "first")
            await #expect(throws: (any Error).self) { try await Self.ask(port, "GET", "/x") }
        }
    }

    @Test func `aioresponses 9, what came is counted by its method and its URL`() async throws {
        try await ReportedVerdictTests.serving(Self.stubs) { server, port in
            for (method, target) in [("GET", "/a"), ("POST", "/a"), ("GET", "/a?n=1"), ("GET", "/b")] {
                try await Self.ask(port, method, target)
            }
            let seen = server.journal.entries.map { "\($0.method) \($0.target)" }
            #expect(seen == ["GET /a", "POST /a", "GET /a?n=1", "GET /b"])
        }
    }
}
