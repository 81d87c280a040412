// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import Testing

#if CLASSIC
    @testable import ClassicApp
#else
    @testable import ModernApp
#endif

@Suite(.mockServer()) @MainActor struct SearchTests {
    private let server = MockServer.current
    private let search = SearchModel(AppClient(base: MockServer.current.baseURL))

    @Test(arguments: ["c++", "a b", "Käse", "50%", "a&b=c", "#1", "日本"])
    func `what is typed is searched for as it is meant`(text: String) async throws {
        try server.add(RequestMatch.get("/search").respond(json: Served.articles([1])))
        await search.search("  \(text) ")
        #expect(search.results.map(\.id) == [1])
        expect(.get("/search").query("q", .equalTo(text)).noOtherQuery(), .once)
    }

    @Test(arguments: ["", "a", "  b "]) func `little asks for nothing, and shows nothing`(text: String) async throws {
        try server.add(RequestMatch.get("/search").respond(json: Served.articles([1])))
        await search.search("bread")
        await search.search(text)
        #expect(search.results.isEmpty)
        #expect(!search.isSearching)
        expect(.get("/search"), .once)
    }

    @Test func `of two searches the last one counts, whichever is answered first`() async throws {
        try server.add(
            RequestMatch.get("/search?q=br").respond(json: Served.articles([1])).hold("first"),
            RequestMatch.get("/search?q=bread").respond(json: Served.articles([2])))
        async let first: Void = search.search("br")
        try await expect(.get("/search?q=br"), .once, within: .seconds(20))
        await search.search("bread")
        try server.release("first")
        await first
        #expect(search.results.map(\.id) == [2])
        #expect(search.errorText == nil)
    }

    @Test func `a search that another takes the place of is given up`() async throws {
        try server.add(
            RequestMatch.get("/search?q=br").respond(json: Served.articles([1])).hold("first"),
            RequestMatch.get("/search?q=bread").respond(json: Served.articles([2])).hold("second"))
        async let first: Void = search.search("br")
        try await expect(.get("/search?q=br"), .once, within: .seconds(20))
        async let second: Void = search.search("bread")
        try await expect(.get("/search?q=bread"), .once, within: .seconds(20))
        for _ in 0..<50 where server.journal.entries.first?.abandonment == nil {
            try await expect(.get("/nothing"), .never, within: .milliseconds(100))
        }
        #expect(server.journal.entries.first?.abandonment != nil)
        try server.release("first")
        await first
        #expect(search.isSearching)
        try server.release("second")
        await second
        #expect(search.results.map(\.id) == [2])
    }

    @Test func `it is searching until there is something`() async throws {
        try server.add(RequestMatch.get("/search").respond(json: Served.articles([1, 2])).hold("search"))
        async let searching: Void = search.search("bread")
        try await expect(.get("/search"), .once, within: .seconds(20))
        #expect(search.isSearching)
        try server.release("search")
        await searching
        #expect(!search.isSearching)
        #expect(search.results.count == 2)
    }

    @Test func `a failure is told until a search succeeds`() async throws {
        try server.add(
            RequestMatch.get("/search").respond(inTurn: [MockResponse(429), .json(Served.articles([]))]))
        // 429 is asked again, and then answered.
        await search.search("bread")
        #expect(search.errorText == nil)
        try server.add(RequestMatch.get("/search?q=cake").respond(404))
        await search.search("cake")
        #expect(search.errorText == "This is no longer there.")
        await search.search("bread")
        #expect(search.errorText == nil)
    }
}

@Suite(.mockServer()) @MainActor struct PictureTests {
    private let server = MockServer.current
    private let client = AppClient(base: MockServer.current.baseURL)

    private func loader(_ stubs: MockStub..., limit: Int = 20) throws -> ImageLoader {
        for stub in stubs { try server.add(stub) }
        return ImageLoader(client, limit: limit)
    }

    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0xFF]

    @Test(arguments: [0, 1, 10, 70_000, 300_000]) func `a picture comes byte for byte`(size: Int) async throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let loader = try loader(
            RequestMatch.get("/a.png").respond(
                headers: ["Content-Type": "application/octet-stream"], body: .bytes(bytes)))
        #expect(await loader.picture("a.png") == Data(bytes))
    }

    @Test func `a picture is asked for once for all who want it`() async throws {
        let loader = try loader(RequestMatch.get("/a.png").respond(body: .bytes(Self.png)).hold("picture"))
        async let first = loader.picture("a.png")
        async let second = loader.picture("a.png")
        async let third = loader.picture("a.png")
        try await expect(.get("/a.png"), .once, within: .seconds(20))
        try server.release("picture")
        let all = await [first, second, third]
        #expect(all == Array(repeating: Data(Self.png), count: 3))
    }

    @Test func `a picture that is there is asked for by its tag`() async throws {
        let loader = try loader(
            RequestMatch.get("/a.png").respond(headers: ["ETag": "\"1\""], body: .bytes(Self.png)))
        #expect(await loader.picture("a.png") == Data(Self.png))
        #expect(await loader.picture("a.png") == Data(Self.png))
        expectInOrder(
            .get("/a.png").header("If-None-Match", .absent), .get("/a.png").header("If-None-Match", .equalTo("\"1\"")))
        #expect(server.journal.entries.map(\.status) == [200, 304])
    }

    @Test func `a newer picture takes the place of the older`() async throws {
        let loader = try loader(
            RequestMatch.get("/a.png").respond(inTurn: [
                MockResponse(headers: ["ETag": "\"1\""], body: "old"),
                MockResponse(headers: ["ETag": "\"2\""], body: "new"),
            ]))
        #expect(await loader.picture("a.png") == Data("old".utf8))
        #expect(await loader.picture("a.png") == Data("new".utf8))
        #expect(await loader.picture("a.png") == Data("new".utf8))
        expect(.get("/a.png").header("If-None-Match", .equalTo("\"2\"")), .once)
    }

    @Test(arguments: [404, 410]) func `a picture that is gone is forgotten`(status: Int) async throws {
        let loader = try loader(
            RequestMatch.get("/a.png").respond(inTurn: [
                MockResponse(headers: ["ETag": "\"1\""], body: "old"), MockResponse(status), MockResponse(body: "new"),
            ]))
        _ = await loader.picture("a.png")
        #expect(await loader.picture("a.png") == nil)
        #expect(await loader.picture("a.png") == Data("new".utf8))
        expect(.get("/a.png").header("If-None-Match", .absent), .times(2))
    }

    @Test(arguments: [400, 403, 500]) func `a picture that is there is shown where the service fails`(
        status: Int
    ) async throws {
        let loader = try loader(
            RequestMatch.get("/a.png").respond(inTurn: [
                MockResponse(headers: ["ETag": "\"1\""], body: "old"), MockResponse(status),
            ]))
        _ = await loader.picture("a.png")
        #expect(await loader.picture("a.png") == Data("old".utf8))
    }

    @Test func `of many pictures the last are kept`() async throws {
        let loader = try loader(
            RequestMatch.get("/{name}").respond(headers: ["ETag": "\"1\""], body: "x"), limit: 2)
        for name in ["a", "b", "a", "c", "a", "b"] { _ = await loader.picture(name) }
        // The second of a and its third; that of b has gone meanwhile.
        expect(.get("/a").header("If-None-Match", .present), .times(2))
        expect(.get("/b").header("If-None-Match", .absent), .times(2))
    }

    @Test func `a picture without a tag is asked for whole`() async throws {
        let loader = try loader(RequestMatch.get("/a.png").respond(body: "x"))
        _ = await loader.picture("a.png")
        _ = await loader.picture("a.png")
        expect(.get("/a.png").header("If-None-Match", .absent), .times(2))
    }
}
