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
                StubAnswer(202), .json(#"{"state": "done"}"#),
            ]))
        let server = MockServer.current.baseURL
        let start = Post(url: server.appendingPathComponent("api/imports"))
        let job = ImageRequest(url: server.appendingPathComponent("api/imports/1"))
        #expect(try await Networker().response(for: start).status == 202)
        while try await Networker().response(for: job).status == 202 {}
        expectInOrder(.post("/api/imports"), .get("/api/imports/1"), .get("/api/imports/1"))
    }

    private struct Post: Request {
        let url: URL
        var method: HTTPMethod { .post }
    }
}
