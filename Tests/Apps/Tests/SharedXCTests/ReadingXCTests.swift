// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerXCTesting
import XCTest

#if CLASSIC
    @testable import ClassicApp
#else
    @testable import ModernApp
#endif

/// A list that somebody reads, from signing in to the last page.
@MainActor final class ReadingXCTests: MockServerTestCase {

    private static nonisolated func item(_ id: Int) -> String {
        #"{"id": \#(id), "title": "A", "published": "2026-01-02T03:04:05Z", "likes": 0, "liked": false}"#
    }

    override nonisolated var stubs: [MockStub] {
        [
            RequestMatch.post("/login").body(.matchesJSONPath("$.password", "secret")).respond(
                json: #"{"token": "first", "refresh": "again", "user": {"name": "Ann", "admin": true}}"#),
            RequestMatch.post("/login").respond(401, priority: 9),
            RequestMatch.delete("/session").respond(204),
            RequestMatch.get("/articles").query("topic", .absent).respond(
                json: #"{"items": [\#(Self.item(1)), \#(Self.item(2))], "next": "/articles/2"}"#),
            RequestMatch.get("/articles/2").respond(json: #"{"items": [\#(Self.item(3))], "next": null}"#),
            RequestMatch.get("/articles?topic=bread").respond(json: #"{"items": [], "next": null}"#),
            RequestMatch.get("/search").query("q", "bread").respond(json: "[\(Self.item(4))]"),
            RequestMatch.put("/articles/{id}/like").respond(204),
            RequestMatch.delete("/articles/{id}/like").respond(204),
            RequestMatch.delete("/articles/{id}").respond(204),
        ]
    }

    private var list: ArticleListModel?
    private var login: LoginModel?
    private var search: SearchModel?

    override func setUp() async throws {
        try await super.setUp()
        let client = AppClient(base: server.baseURL)
        list = ArticleListModel(client)
        login = LoginModel(client)
        search = SearchModel(client)
    }

    override func tearDown() async throws {
        (list, login, search) = (nil, nil, nil)
        try await super.tearDown()
    }

    private func parts() throws -> (list: ArticleListModel, login: LoginModel, search: SearchModel) {
        (try XCTUnwrap(list), try XCTUnwrap(login), try XCTUnwrap(search))
    }

    func testTheFirstPage() async throws {
        let list = try parts().list
        await list.loadNext()
        XCTAssertEqual(list.items.map(\.id), [1, 2])
        expect(.get("/articles").query("size", "2"), .once)
    }

    func testTheLastPage() async throws {
        let list = try parts().list
        await list.loadNext()
        await list.loadNext()
        await list.loadNext()
        XCTAssertEqual(list.items.map(\.id), [1, 2, 3])
        XCTAssertFalse(list.hasMore)
        expectInOrder(.get("/articles"), .get("/articles/2"))
        expect(.get("/articles/2"), .once)
    }

    func testAnEmptyTopic() async throws {
        let list = ArticleListModel(AppClient(base: server.baseURL), topic: "bread")
        await list.loadNext()
        XCTAssertEqual(list.items, [])
        XCTAssertFalse(list.hasMore)
        XCTAssertNil(list.errorText)
    }

    func testRefreshingBeginsAgain() async throws {
        let list = try parts().list
        await list.loadNext()
        await list.loadNext()
        await list.refresh()
        XCTAssertEqual(list.items.map(\.id), [1, 2])
        XCTAssertTrue(list.hasMore)
    }

    func testALike() async throws {
        let list = try parts().list
        await list.loadNext()
        await list.toggleLike(2)
        XCTAssertEqual(list.items.map(\.likes), [0, 1])
        await list.toggleLike(2)
        XCTAssertEqual(list.items.map(\.likes), [0, 0])
        expectInOrder(.put("/articles/2/like"), .delete("/articles/2/like"))
    }

    func testALikeOfNothing() async throws {
        let list = try parts().list
        await list.toggleLike(9)
        await list.delete(9)
        expect(.anyURL(), .never)
    }

    func testDeleting() async throws {
        let list = try parts().list
        await list.loadNext()
        await list.delete(1)
        XCTAssertEqual(list.items.map(\.id), [2])
        expect(.delete("/articles/1"), .once)
    }

    func testSearching() async throws {
        let search = try parts().search
        await search.search("bread")
        XCTAssertEqual(search.results.map(\.id), [4])
        await search.search("")
        XCTAssertEqual(search.results.map(\.id), [])
    }

    func testSearchingForWhatIsNotThere() async throws {
        try server.add(RequestMatch.get("/search?q=stone").respond(json: "[]"))
        let search = try parts().search
        await search.search("stone")
        XCTAssertEqual(search.results, [])
        XCTAssertNil(search.errorText)
    }

    func testSigningIn() async throws {
        let login = try parts().login
        (login.name, login.password) = ("ann", "secret")
        await login.submit()
        XCTAssertEqual(login.state, .done(User(name: "Ann", isAdmin: true)))
    }

    func testAWrongPassword() async throws {
        let login = try parts().login
        (login.name, login.password) = ("ann", "guess")
        await login.submit()
        XCTAssertEqual(login.state, .failed("Name or password is wrong."))
        XCTAssertEqual(login.password, "")
    }

    func testAFormThatIsNotComplete() async throws {
        let login = try parts().login
        XCTAssertFalse(login.canSubmit)
        await login.submit()
        XCTAssertEqual(login.state, .idle)
        expect(.post("/login"), .never)
    }

    func testTheWholeWay() async throws {
        let (list, login, _) = try parts()
        (login.name, login.password) = ("ann", "secret")
        await login.submit()
        await list.loadNext()
        await list.toggleLike(1)
        await login.signOut()
        await list.refresh()
        expectInOrder(
            .post("/login"), .get("/articles").header("Authorization", "Bearer first"), .put("/articles/1/like"),
            .delete("/session").header("Authorization", "Bearer first"),
            .get("/articles").header("Authorization", .absent))
    }

    func testLoadingIsShown() async throws {
        try server.add(
            RequestMatch.get("/articles").respond(json: #"{"items": [], "next": null}"#).hold("list"))
        let list = try parts().list
        let loading = Task { await list.loadNext() }
        try await expect(.get("/articles"), .once, within: .seconds(20))
        XCTAssertTrue(list.isLoading)
        try server.release("list")
        await loading.value
        XCTAssertFalse(list.isLoading)
    }

    func testNoConnection() async throws {
        await server.stop()
        let list = try parts().list
        await list.loadNext()
        XCTAssertEqual(list.errorText, "There is no connection.")
        XCTAssertTrue(list.hasMore)
    }

    func testOnlineAgain() async throws {
        try server.add(
            RequestMatch.get("/articles").respond(inTurn: [
                MockResponse(fault: .emptyResponse), MockResponse(fault: .emptyResponse),
                MockResponse(fault: .emptyResponse), .json(#"{"items": [\#(Self.item(8))], "next": null}"#),
            ]))
        let list = try parts().list
        await list.loadNext()
        XCTAssertEqual(list.errorText, "There is no connection.")
        await list.loadNext()
        XCTAssertNil(list.errorText)
        XCTAssertEqual(list.items.map(\.id), [8])
    }
}
