// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import MockapiTestSupport
import NetworkingKit
import Testing

@Suite(.supervised, .mockServer(fixtures: "Fixtures", stubs: [RequestMatch.get("/code").respond(body: "code")]))
struct TraitTests {
    private func get(_ path: String) async throws -> DataResponse {
        let url = try #require(URL(string: path, relativeTo: MockServer.current.baseURL)?.absoluteURL)
        return try await Networker().response(for: ImageRequest(url: url))
    }

    @Test func fixturesAreFoundInThePackagesRoot() async throws {
        #expect(try await get("/api/domains").status == 200)
        expect(.get("/api/domains"), .once, over: .http1)
        expect(.get("/api/contents"), .never)
    }

    @Test func stubsInCodeAnswer() async throws {
        #expect(try await get("/code").data == Data("code".utf8))
        try MockServer.current.add(RequestMatch.get("/more").respond(body: "more"))
        #expect(try await get("/more").data == Data("more".utf8))
        expectInOrder(.get("/code"), .get("/more"))
    }

    @Test(arguments: 1...5)
    func eachCaseHasAServerOfItsOwn(_ number: Int) async throws {
        #expect(MockServer.current.journal.entries.isEmpty)
        for _ in 0..<number { _ = try await get("/code") }
        #expect(MockServer.current.journal.entries.count == number)
        expect(.get("/code"), .times(number))
    }

    /// The names of its JUnit cases have them.
    @Test(arguments: ["a b"], [2])
    func theArgumentsOfACaseCanBeRead(_ text: String, _ number: Int) {
        #expect(Test.Case.current.map(MockServerTrait.arguments(of:)) == "a b, 2")
    }

    @Test(.mockServer(stubs: [RequestMatch.get("/inner").respond(body: "inner")]))
    func theTraitOfATestGoesBeforeThatOfItsSuiteAndAddsToIt() async throws {
        #expect(try await get("/inner").data == Data("inner".utf8))
        #expect(try await get("/code").data == Data("code".utf8))
        #expect(try await get("/api/domains").status == 200)
        #expect(MockServer.current.journal.entries.count == 3)
    }

    private static let twice = MockServerTrait.mockServer(
        stubs: [RequestMatch.get("/twice").respond()], verifying: .stubsInCode)

    private static let outer = MockServerTrait.mockServer(
        stubs: [RequestMatch.get("/a").respond(body: "outer")], verifying: .stubsInCode)

    /// Those of the suites outside do not count: their stubs need not be used.
    @Suite(.supervised, outer, twice)
    struct Inner {
        @Test(
            .mockServer(stubs: [
                RequestMatch.get("/a").respond(body: "inner"), RequestMatch.get("/b").respond(body: "b"),
            ]))
        func theInnermostAloneIsVerified() async throws {
            #expect(try await MockServerTestingTests.get("/a") == "inner")
            #expect(try await MockServerTestingTests.get("/b") == "b")
        }

        @Test(twice) func aTraitThatIsThereTwiceIsOne() async throws {
            for path in ["/code", "/twice"] { try await MockServerTestingTests.get(path) }
            try await MockServerTestingTests.get("/a")
        }
    }

    @Test func childTasksHaveTheServerToo() async throws {
        let url = MockServer.current.baseURL
        async let child = MockServer.current.baseURL
        #expect(await child == url)
    }

    @Test func whatIsAskedForNeedsNoAnswer() async throws {
        #expect(try await get("/missing").status == 404)
        expect(.get("/missing"), .once)
    }

    @Test(.mockServer(allowsUnmatched: true))
    func missesCanBeAllowed() async throws {
        #expect(try await get("/missing").status == 404)
    }
}
