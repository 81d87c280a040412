// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import NetworkingKit
import Synchronization
import Testing
import WireSupport

struct PaginationTests {
    /// A page of numbers.
    private struct Numbers: Request {
        typealias Output = [Int]
        struct Page: Decodable {
            let data: [Int]
        }

        let url: URL
        var method: HTTPMethod { .get }
        var headers: [String: String] { ["X-Page": "numbers"] }
        var query: [URLQueryItem] = []

        func decode(_ data: Data) throws -> [Int] {
            try JSONDecoder().decode(Page.self, from: data).data
        }
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)

        var value: Int { count.withLock { $0 } }

        func increase() { count.withLock { $0 += 1 } }
    }

    private static func articles(_ server: MockServer) -> Pagination<Article> {
        Pagination(
            ArticleRequest(base: server.baseURL.appendingPathComponent("api")), networking: Networker())
    }

    private static func numbers(_ server: MockServer, _ path: String) -> Pagination<Int> {
        Pagination(Numbers(url: server.baseURL.appendingPathComponent(path)), networking: Networker())
    }

    private static let page1 = "/api/contents?filter%5Bcontent_types%5D%5B%5D=article"
    private static let all = [
        page1, "\(page1)&page%5Bnumber%5D=2&page%5Bsize%5D=20", "\(page1)&page%5Bnumber%5D=3&page%5Bsize%5D=20",
    ].map { "GET \($0)" }

    @Test func theSampleArticlesComeInThreePages() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let articles = Self.articles(server)
        #expect(articles.state.hasNext)
        #expect(try await articles.loadNext().count == 20)
        #expect(articles.state.next?.query?.hasSuffix("page%5Bnumber%5D=2&page%5Bsize%5D=20") == true)
        try await articles.loadNext()
        #expect(articles.state.hasNext)
        try await articles.loadNext()
        #expect(!articles.state.hasNext)
        #expect(try await articles.loadNext().isEmpty)

        #expect(articles.state.pageCount == 3)
        #expect(Set(articles.state.elements.map(\.id)).count == 60)
        #expect(!articles.state.isLoading)
        #expect(server.requestLines == Self.all)
        await server.stop()
    }

    @Test func theRemainingPagesAreASequence() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let articles = Self.articles(server)
        try await articles.loadNext()
        var counts: [Int] = []
        for try await page in articles.remainingPages { counts.append(page.count) }
        #expect(counts == [20, 20])
        #expect(articles.state.elements.count == 60)
        await server.stop()
    }

    @Test func aPageThatManyAskForIsLoadedOnce() async throws {
        let networking = GatedNetworking(#"{"data": [1, 2], "links": {"next": null}}"#)
        let url = try #require(URL(string: "http://127.0.0.1/numbers"))
        let numbers = Pagination(Numbers(url: url), networking: networking)
        let asking = Counter()
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<50 {
                group.addTask {
                    asking.increase()
                    return try await numbers.loadNext()
                }
            }
            #expect(try await until { asking.value == 50 && !networking.asked.isEmpty })
            #expect(numbers.state.isLoading)
            networking.open()
            for try await page in group { #expect(page == [1, 2] || page.isEmpty) }
        }
        #expect(networking.asked == ["/numbers"])
        #expect(numbers.state.elements == [1, 2])
    }

    @Test func manyWhoLoadToTheEndLoadEachPageOnce() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let articles = Self.articles(server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    while articles.state.hasNext { try await articles.loadNext() }
                }
            }
            try await group.waitForAll()
        }
        #expect(articles.state.elements.count == 60)
        #expect(server.requestLines == Self.all)
        await server.stop()
    }

    @Test func aFailureLeavesTheListAsItWasAndTheSamePageIsTriedAgain() async throws {
        let fixtures = try TemporaryDirectory([
            "one.json": #"{"data": [1], "links": {"next": "two?page=2"}}"#,
            "two.stub.json": #"""
            {"request": {"urlPath": "/two"},
             "responses": [{"status": 503}, {"status": 200, "jsonBody": {"data": [2]}}]}
            """#,
        ])
        let server = try await MockServer.start(fixtures: fixtures.path)
        let numbers = Self.numbers(server, "one")
        try await numbers.loadNext()
        let error = try await #require(throws: HTTPStatusError.self) { try await numbers.loadNext() }
        #expect(error.status == 503)
        #expect((numbers.state.failure as? HTTPStatusError)?.status == 503)
        #expect(numbers.state.elements == [1])
        #expect(numbers.state.hasNext)
        #expect(!numbers.state.isLoading)

        #expect(try await numbers.loadNext() == [2])
        #expect(numbers.state.elements == [1, 2])
        #expect(numbers.state.failure == nil)
        #expect(!numbers.state.hasNext)
        #expect(server.requestLines == ["GET /one", "GET /two?page=2", "GET /two?page=2"])
        await server.stop()
    }

    @Test func linksAreRelativeOrObjectsToo() async throws {
        let fixtures = try TemporaryDirectory([
            "list/one.json": #"{"data": [1], "links": {"next": {"href": "two"}}}"#,
            "list/two.json": #"{"data": [2], "links": {"next": "/three", "prev": "one"}}"#,
            "three.json": #"{"data": []}"#,
        ])
        let server = try await MockServer.start(fixtures: fixtures.path)
        let numbers = Self.numbers(server, "list/one")
        for try await _ in numbers.remainingPages {}
        #expect(numbers.state.elements == [1, 2])
        #expect(numbers.state.pageCount == 3)
        #expect(server.requestLines == ["GET /list/one", "GET /list/two", "GET /three"])
        await server.stop()
    }

    @Test func theRequestIsTheSameOnEveryPageButForItsURL() async throws {
        let fixtures = try TemporaryDirectory([
            "numbers.stub.json": #"""
            {"stubs": [
              {"request": {"url": "/numbers?size=1", "headers": {"X-Page": {"equalTo": "numbers"}}},
               "response": {"jsonBody": {"data": [1], "links": {"next": "?size=1&page=2"}}}},
              {"request": {"url": "/numbers?size=1&page=2", "headers": {"X-Page": {"equalTo": "numbers"}}},
               "response": {"jsonBody": {"data": [2]}}}
            ]}
            """#
        ])
        let server = try await MockServer.start(fixtures: fixtures.path)
        let first = Numbers(
            url: server.baseURL.appendingPathComponent("numbers"), query: [URLQueryItem(name: "size", value: "1")])
        let numbers = Pagination(first, networking: Networker()) { $0.map { $0 * 10 } }
        for try await _ in numbers.remainingPages {}
        #expect(numbers.state.elements == [10, 20])
        await server.stop()
    }

    @Test func pagesThatGoRoundInACircleEndWithAnError() async throws {
        let fixtures = try TemporaryDirectory([
            "one.json": #"{"data": [1], "links": {"next": "/two"}}"#,
            "two.json": #"{"data": [2], "links": {"next": "/one"}}"#,
        ])
        let server = try await MockServer.start(fixtures: fixtures.path)
        let numbers = Self.numbers(server, "one")
        let error = await #expect(throws: NextLink.Failure.self) {
            for try await _ in numbers.remainingPages {}
        }
        let one = server.baseURL.appendingPathComponent("one").absoluteString
        #expect(error?.description == "the pages go round in a circle: \(one) was loaded before")
        #expect(numbers.state.elements == [1, 2])
        #expect(server.requestLines == ["GET /one", "GET /two"])
        await server.stop()
    }

    @Test func aLinkToAnotherServerIsNotFollowed() async throws {
        let fixtures = try TemporaryDirectory([
            "one.json": #"{"data": [1], "links": {"next": "https://api.example.com/two"}}"#
        ])
        let server = try await MockServer.start(fixtures: fixtures.path)
        let numbers = Self.numbers(server, "one")
        try await numbers.loadNext()
        let error = await #expect(throws: NextLink.Failure.self) { try await numbers.loadNext() }
        let one = server.baseURL.appendingPathComponent("one").absoluteString
        #expect(
            error?.description
                == "the next page of \(one) is on another server: https://api.example.com/two. In fixtures, `rewriteOrigins` points recorded links at the server that answers"
        )
        #expect(numbers.state.elements == [1])
        await server.stop()
    }

    @Test(arguments: [
        ("http://a/1", "http://a:80/2", true), ("http://a/1", "http://A/2", true), ("http://a/1", "https://a/2", true),
        ("https://a/1", "http://a/2", false), ("http://a/1", "http://a:81/2", false),
        ("http://a/1", "http://b/2", false),
        ("http://a:81/1", "https://a/2", false), ("http://a/1", "file:///2", false), ("http://a/1", "mailto:a", false),
    ])
    func aLinkIsFollowedOnItsServerOnly(_ page: String, _ link: String, _ isFollowed: Bool) async throws {
        let networking = GatedNetworking(#"{"data": [1], "links": {"next": "\#(link)"}}"#)
        networking.open()
        let numbers = Pagination(Numbers(url: try #require(URL(string: page))), networking: networking)
        try await numbers.loadNext()
        if isFollowed {
            try await numbers.loadNext()
        } else {
            await #expect(throws: NextLink.Failure.self) { try await numbers.loadNext() }
        }
        #expect(networking.asked == (isFollowed ? ["/1", "/2"] : ["/1"]))
    }

    @Test func aLinkCanBeReadByOnesOwnRule() async throws {
        struct Rows: Decodable {
            let nextPage: String?
        }
        let fixtures = try TemporaryDirectory([
            "one.json": #"{"data": [1], "nextPage": "two"}"#, "two.json": #"{"data": [2]}"#,
        ])
        let server = try await MockServer.start(fixtures: fixtures.path)
        let link = NextLink { try JSONDecoder().decode(Rows.self, from: $0).nextPage }
        let numbers = Pagination(
            Numbers(url: server.baseURL.appendingPathComponent("one")), networking: Networker(), next: link)
        for try await _ in numbers.remainingPages {}
        #expect(numbers.state.elements == [1, 2])
        await server.stop()
    }

    @Test func aLinkThatIsNoURLIsAnError() async throws {
        let networking = GatedNetworking(#"{"data": [1], "links": {"next": "http://[oops"}}"#)
        networking.open()
        let url = try #require(URL(string: "http://127.0.0.1/numbers"))
        let numbers = Pagination(Numbers(url: url), networking: networking)
        let error = await #expect(throws: NextLink.Failure.self) { try await numbers.loadNext() }
        #expect(error?.description == "the link to the next page is no URL: \"http://[oops\"")
    }

    @Test func aResetBeginsAnewAndALoadFromBeforeItDoesNotCount() async throws {
        let networking = GatedNetworking(#"{"data": [1]}"#)
        let url = try #require(URL(string: "http://127.0.0.1/numbers"))
        let numbers = Pagination(Numbers(url: url), networking: networking)
        let early = Task { try await numbers.loadNext() }
        #expect(try await until { !networking.asked.isEmpty })
        numbers.reset()
        #expect(!numbers.state.isLoading)
        networking.open()
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(numbers.state.elements.isEmpty)
        #expect(numbers.state.hasNext)

        #expect(try await numbers.loadNext() == [1])
        numbers.reset()
        #expect(try await numbers.loadNext() == [1])
        #expect(numbers.state.elements == [1])
        #expect(networking.asked.count == 3)
    }

    @Test func aCancelledLoadIsCancelledAtTheNetworkingAndIsNoFailure() async throws {
        let networking = HangingNetworking()
        let url = try #require(URL(string: "http://127.0.0.1/numbers"))
        let numbers = Pagination(Numbers(url: url), networking: networking)
        var events = networking.events.makeAsyncIterator()
        let load = Task { try await numbers.loadNext() }
        #expect(await events.next() == .asked("/numbers"))
        load.cancel()
        await #expect(throws: CancellationError.self) { try await load.value }
        #expect(await events.next() == .cancelled("/numbers"))
        #expect(try await until { !numbers.state.isLoading })
        #expect(numbers.state.failure == nil)
        #expect(numbers.state.hasNext)
    }

    @Test func theStatesTellWhatHappens() async throws {
        let networking = GatedNetworking(#"{"data": [1]}"#)
        let url = try #require(URL(string: "http://127.0.0.1/numbers"))
        var numbers: Pagination<Int>? = Pagination(Numbers(url: url), networking: networking)
        var states = try #require(numbers).states.makeAsyncIterator()
        #expect(await states.next()?.isLoading == false)
        let load = Task { [numbers] in try await numbers?.loadNext() }
        #expect(await states.next()?.isLoading == true)
        networking.open()
        let last = try #require(await states.next())
        #expect(!last.isLoading && last.elements == [1] && !last.hasNext)
        _ = try await load.value
        numbers = nil
        #expect(await states.next() == nil)
    }
}
