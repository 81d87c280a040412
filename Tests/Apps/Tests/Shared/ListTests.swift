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

@Suite(.mockServer()) @MainActor struct ListTests {
    private let server = MockServer.current
    private let client = AppClient(base: MockServer.current.baseURL)

    private func list(_ stubs: MockStub..., topic: String? = nil) throws -> ArticleListModel {
        for stub in stubs { try server.add(stub) }
        return ArticleListModel(client, topic: topic)
    }

    private func ids(_ list: ArticleListModel) -> [Int] { list.items.map(\.id) }

    @Test func `the first page is shown`() async throws {
        let list = try list(RequestMatch.get("/articles?size=2").respond(json: Served.page([1, 2], next: "/more")))
        await list.loadNext()
        #expect(ids(list) == [1, 2])
        #expect(list.hasMore)
        #expect(list.errorText == nil)
        expect(.get("/articles").query("size", "2").noOtherQuery(), .once)
    }

    @Test func `it is loading until the page is there`() async throws {
        let list = try list(RequestMatch.get("/articles").respond(json: Served.page([1])).hold("list"))
        #expect(!list.isLoading)
        async let loading: Void = list.loadNext()
        try await expect(.get("/articles"), .once, within: .seconds(20))
        #expect(list.isLoading)
        #expect(ids(list) == [])
        try server.release("list")
        await loading
        #expect(!list.isLoading)
        #expect(ids(list) == [1])
    }

    @Test func `pages are loaded to the last`() async throws {
        let list = try list(
            RequestMatch.get("/articles").query("page", .absent).respond(
                json: Served.page([1, 2], next: "/articles?size=2&page=2")),
            RequestMatch.get("/articles?size=2&page=2").respond(
                json: Served.page([3, 4], next: "/articles?size=2&page=3")),
            RequestMatch.get("/articles?size=2&page=3").respond(json: Served.page([5])))
        var pages = 0
        while list.hasMore, pages < 9 {
            await list.loadNext()
            pages += 1
        }
        #expect(pages == 3)
        #expect(ids(list) == [1, 2, 3, 4, 5])
        expectInOrder(
            .get("/articles").query("page", .absent), .get("/articles?page=2"), .get("/articles?page=3"))
    }

    @Test func `nothing is asked behind the last page`() async throws {
        let list = try list(RequestMatch.get("/articles").respond(json: Served.page([1])))
        for _ in 0..<3 { await list.loadNext() }
        #expect(!list.hasMore)
        expect(.get("/articles"), .once)
    }

    @Test func `a page is asked for once however often the end is reached`() async throws {
        let list = try list(RequestMatch.get("/articles").respond(json: Served.page([1])).hold("list"))
        async let first: Void = list.loadNext()
        try await expect(.get("/articles"), .once, within: .seconds(20))
        async let second: Void = list.loadNext()
        async let third: Void = list.refresh()
        try await expect(.get("/articles"), .atMost(1), within: .milliseconds(300))
        try server.release("list")
        _ = await (first, second, third)
        #expect(ids(list) == [1])
    }

    @Test func `an article that comes on two pages is shown once`() async throws {
        let list = try list(
            RequestMatch.get("/articles").respond(json: Served.page([1, 2], next: "/articles/more")),
            RequestMatch.get("/articles/more").respond(json: Served.page([2, 3])))
        await list.loadNext()
        await list.loadNext()
        #expect(ids(list) == [1, 2, 3])
    }

    @Test func `refreshing shows what is new, and begins the pages again`() async throws {
        let list = try list(
            RequestMatch.get("/articles").respond(inTurn: [
                .json(Served.page([1, 2])), .json(Served.page([7], next: "/articles/more")),
            ]), RequestMatch.get("/articles/more").respond(json: Served.page([8])))
        await list.loadNext()
        await list.refresh()
        #expect(ids(list) == [7])
        await list.loadNext()
        #expect(ids(list) == [7, 8])
    }

    @Test func `what is there stays while it is refreshed`() async throws {
        let list = try list(RequestMatch.get("/articles").respond(json: Served.page([1])).hold("list"))
        try server.release("list")
        await list.loadNext()
        try server.hold("list")
        async let refreshing: Void = list.refresh()
        try await expect(.get("/articles"), .times(2), within: .seconds(20))
        #expect(ids(list) == [1])
        try server.release("list")
        await refreshing
    }

    @Test func `what is there stays where it cannot be refreshed`() async throws {
        let list = try list(
            RequestMatch.get("/articles").respond(inTurn: [
                .json(Served.page([1], next: "/articles/more")), MockResponse(404),
            ]))
        await list.loadNext()
        await list.refresh()
        #expect(ids(list) == [1])
        #expect(list.hasMore)
        #expect(list.errorText == "This is no longer there.")
    }

    @Test(arguments: ["swift", "rock & roll", "Käse", "1+1"]) func `a topic is asked for`(topic: String) async throws {
        let list = try list(RequestMatch.get("/articles").respond(json: Served.page([1])), topic: topic)
        await list.loadNext()
        expect(.get("/articles").query("topic", .equalTo(topic)).query("size", "2"), .once)
    }

    @Test(arguments: [
        (404, "This is no longer there."), (410, "This is no longer there."),
        (429, "Too many requests; try again later."), (401, "Sign in to go on."), (403, "The service refused this."),
        (500, "The service failed (500)."), (418, "The service failed (418)."),
    ]) func `a status is told in words`(status: Int, text: String) async throws {
        let list = try list(RequestMatch.get("/articles").respond(status))
        await list.loadNext()
        #expect(list.errorText == text)
        #expect(ids(list) == [])
    }

    @Test func `a page that failed is loaded when it is asked for again`() async throws {
        let list = try list(
            RequestMatch.get("/articles").respond(inTurn: [MockResponse(404), .json(Served.page([1]))]))
        await list.loadNext()
        #expect(list.errorText != nil)
        await list.loadNext()
        #expect(list.errorText == nil)
        #expect(ids(list) == [1])
    }

    @Test(arguments: [
        (#"{"items": [], "next": 7}"#, "next"), (#"{"items": [{"id": "1"}]}"#, "items.0.id"), ("[]", "the top"),
        (#"{"items": [\#(Served.article(1)), {}]}"#, "items.1.id"), ("<html>", "the top"),
        (Served.page([1]).replacing("\"likes\": 3", with: "\"likes\": \"many\""), "items.0.likes"),
    ]) func `a response that is not understood says where`(body: String, place: String) async throws {
        let list = try list(RequestMatch.get("/articles").respond(body: .text(body)))
        await list.loadNext()
        #expect(list.errorText == "The service sent something unknown at \(place).")
        #expect(list.hasMore)
    }

    @Test(arguments: [StubFault.emptyResponse, .connectionReset, .truncatedBody(afterBytes: 3)])
    func `a lost connection is told`(fault: StubFault) async throws {
        let list = try list(RequestMatch.get("/articles").respond(body: "{\"items\": []}", fault: fault))
        await list.loadNext()
        #expect(list.errorText == "There is no connection.")
        expect(.get("/articles"), .times(3))
    }

    @Test func `a link to another host is not followed`() async throws {
        let list = try list(
            RequestMatch.get("/articles").respond(json: Served.page([1], next: "http://evil.example/x")))
        await list.loadNext()
        await list.loadNext()
        #expect(list.errorText == "The service sent something unknown at next.")
        expect(.anyURL(), .once)
    }

    @Test func `what is deleted is gone at once`() async throws {
        let list = try list(
            RequestMatch.get("/articles").respond(json: Served.page([1, 2])),
            RequestMatch.delete("/articles/1").respond(204).hold("delete"))
        await list.loadNext()
        async let deleting: Void = list.delete(1)
        try await expect(.delete("/articles/1"), .once, within: .seconds(20))
        #expect(ids(list) == [2])
        try server.release("delete")
        await deleting
        #expect(ids(list) == [2])
    }

    @Test func `what cannot be deleted comes back to its place`() async throws {
        let list = try list(
            RequestMatch.get("/articles").respond(json: Served.page([1, 2, 3])),
            RequestMatch.delete("/articles/2").respond(403, body: .text(#"{"message": "Not yours."}"#)))
        await list.loadNext()
        await list.delete(2)
        #expect(ids(list) == [1, 2, 3])
        #expect(list.errorText == "Not yours.")
    }

    @Test(arguments: [404, 410]) func `what somebody else has deleted stays away`(status: Int) async throws {
        let list = try list(
            RequestMatch.get("/articles").respond(json: Served.page([1, 2])),
            RequestMatch.delete("/articles/1").respond(status))
        await list.loadNext()
        await list.delete(1)
        #expect(ids(list) == [2])
        #expect(list.errorText == nil)
    }

    @Test func `a like is shown at once`() async throws {
        let list = try list(
            RequestMatch.get("/articles").respond(json: Served.page([1])),
            RequestMatch.put("/articles/1/like").respond(204).hold("like"))
        await list.loadNext()
        async let liking: Void = list.toggleLike(1)
        try await expect(.put("/articles/1/like").body(.absent), .once, within: .seconds(20))
        #expect(list.items.map(\.likes) == [4])
        #expect(list.items.map(\.isLiked) == [true])
        try server.release("like")
        await liking
        #expect(list.items.map(\.likes) == [4])
    }

    @Test func `a like that is refused is taken back`() async throws {
        let list = try list(
            RequestMatch.get("/articles").respond(json: Served.page([1])),
            RequestMatch.put("/articles/1/like").respond(422, body: .text(#"{"message": "Too late."}"#)))
        await list.loadNext()
        await list.toggleLike(1)
        #expect(list.items.map(\.likes) == [3])
        #expect(list.items.map(\.isLiked) == [false])
        #expect(list.errorText == "Too late.")
    }

    @Test func `what is liked is no longer when it is pressed again`() async throws {
        let list = try list(
            RequestMatch.get("/articles").respond(
                json: #"{"items": [\#(Served.article(1, likes: 9, isLiked: true))], "next": null}"#),
            RequestMatch.delete("/articles/1/like").respond(204))
        await list.loadNext()
        await list.toggleLike(1)
        #expect(list.items.map(\.likes) == [8])
        expect(.delete("/articles/1/like"), .once)
        expect(.put("/articles/1/like"), .never)
    }

    @Test func `an article has its date, and need not have an author`() async throws {
        try server.add(
            RequestMatch.get("/articles/7").respond(
                json: #"{"id": 7, "title": "T", "published": "2026-01-02T03:04:05Z", "likes": 0, "liked": true}"#))
        let article = try await client.article(7)
        #expect(article.author == nil)
        #expect(article.published.timeIntervalSince1970 == 1_767_323_045)
        #expect(article.isLiked)
    }

    @Test(arguments: ["de", "fr-CA", "ja"]) func `the reader's language is asked for`(language: String) async throws {
        try server.add(RequestMatch.get("/articles/1").respond(json: Served.article(1)))
        _ = try await AppClient(base: server.baseURL, language: language).article(1)
        expect(.get("/articles/1").header("Accept-Language", .equalTo(language)).header("X-Client", "app/2.1"), .once)
    }
}
