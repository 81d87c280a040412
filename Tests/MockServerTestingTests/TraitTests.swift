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
    func theTraitOfATestTakesThePlaceOfThatOfItsSuite() async throws {
        #expect(try await get("/inner").data == Data("inner".utf8))
        #expect(MockServer.current.journal.entries.count == 1)
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
