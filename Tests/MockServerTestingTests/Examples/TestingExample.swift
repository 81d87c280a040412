// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import NetworkingKit
import Testing

/// The examples of `docs/testing.md` and of the README.
@Suite(.mockServer(fixtures: "Fixtures"))
struct TestingExample {
    @Test func theFirstPageIsAskedForOnce() async throws {
        let api = MockServer.current.baseURL.appendingPathComponent("api")
        let articles = try await Networker().value(for: ArticleRequest(base: api))
        #expect(articles.count == 20)
        expect(.get("/api/contents").query("filter[content_types][]", "article"), .once)
        expect(.any("/api/bookmarks"), .never)
    }

    @Test func aJobIsAskedForUntilItIsDone() async throws {
        try MockServer.current.add(
            RequestMatch.post("/api/imports").respond(202, headers: ["Location": "/api/imports/1"]),
            RequestMatch.get("/api/imports/1").respond(inTurn: [
                MockResponse(202), .json(#"{"state": "done"}"#),
            ]))
        let server = MockServer.current.baseURL
        let start = Post(url: server.appendingPathComponent("api/imports"))
        let job = ImageRequest(url: server.appendingPathComponent("api/imports/1"))
        #expect(try await Networker().response(for: start).status == 202)
        while try await Networker().response(for: job).status == 202 {}
        expectInOrder(.post("/api/imports"), .get("/api/imports/1"), .get("/api/imports/1"))
    }

    @Test func anItemIsAddedToTheListOfItsPath() async throws {
        try MockServer.current.add(
            RequestMatch.post("/api/lists/{id}/items").respond { request in
                let title = request.text.uppercased()
                return .json(#"{"list": "\#(request.pathParameters["id"] ?? "")", "title": "\#(title)"}"#, status: 201)
            })
        let items = MockServer.current.baseURL.appendingPathComponent("api/lists/7/items")
        let answer = try await Networker().response(for: Post(url: items, body: Data("bread".utf8)))
        #expect(String(decoding: answer.data, as: UTF8.self) == #"{"list": "7", "title": "BREAD"}"#)
    }

    @Test func theListIsLoadingUntilItIsThere() async throws {
        try MockServer.current.add(RequestMatch.get("/api/contents").respond(json: #"{"data": []}"#).hold("contents"))
        let list = await ArticleList(MockServer.current.baseURL.appendingPathComponent("api"))
        async let loading: Void = list.load()
        try await expect(.get("/api/contents"), .once, within: .seconds(10))
        #expect(await list.isLoading)
        try MockServer.current.release("contents")
        try await loading
        #expect(await !list.isLoading)
    }

    @Test func whatNobodyWaitsForIsWaitedFor() async throws {
        try MockServer.current.add(RequestMatch.post("/api/events").respond(204))
        let events = MockServer.current.baseURL.appendingPathComponent("api/events")
        Task { try await Networker().response(for: Post(url: events, body: Data(#"{"name": "opened"}"#.utf8))) }
        let sent = try await expect(.post("/api/events").body(.contains("opened")), .once, within: .seconds(10))
        #expect(sent.first?.bodySize == 18)
    }

    @Test func aSecondServerIsVerifiedToo() async throws {
        let auth = try await MockServer.start(stubs: [RequestMatch.post("/token").respond(json: #"{"token": "a"}"#)])
        auth.expect(.post("/token"), .once, at: CallSite())
        #expect(
            try await Networker().response(for: Post(url: auth.baseURL.appendingPathComponent("token"))).status == 200)
    }

    @Test func theVerdictCanBeLookedAtBeforeTheEnd() async throws {
        expect(.get("/api/domains"), .once)
        let failures = MockServer.current.verify()
        #expect(failures.map(\.kind) == [.expectation])
        let domains = MockServer.current.baseURL.appendingPathComponent("api/domains")
        #expect(try await Networker().response(for: ImageRequest(url: domains)).status == 200)
    }

    /// A view model.
    @MainActor private final class ArticleList {
        private(set) var articles: [Article] = []
        private(set) var isLoading = false
        private let base: URL

        init(_ base: URL) { self.base = base }

        func load() async throws {
            isLoading = true
            defer { isLoading = false }
            articles = try await Networker().value(for: ArticleRequest(base: base))
        }
    }

    private struct Post: Request {
        let url: URL
        var body: Data?
        var method: HTTPMethod { .post }
    }
}
