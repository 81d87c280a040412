// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Synchronization
import Testing

@Suite(.supervised) struct PagedListTests {
    private final class Counter: Sendable {
        private let count = Mutex(0)

        var value: Int { count.withLock { $0 } }

        func increase() { count.withLock { $0 += 1 } }
    }

    private static func articles(_ server: MockServer) -> PagedList<Article> {
        PagedList(
            ArticleRequest(base: server.baseURL.appendingPathComponent("api")), networking: Networker())
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
        let numbers = PagedList(NumbersPage(url: url), networking: networking)
        let asking = Counter()
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<50 {
                group.addTask {
                    asking.increase()
                    return try await numbers.loadNext()
                }
            }
            #expect(try await until({ (asking.value, networking.asked) }, { $0 == 50 && !$1.isEmpty }))
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
        let numbers = NumbersPage.all(of: server, "one")
        try await numbers.loadNext()
        let error = try await #require(throws: ResponseError.self) { try await numbers.loadNext() }
        #expect(error.status == 503)
        #expect((numbers.state.failure as? ResponseError)?.status == 503)
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

    @Test func aResetBeginsAnewAndALoadFromBeforeItDoesNotCount() async throws {
        let networking = GatedNetworking(#"{"data": [1]}"#)
        let url = try #require(URL(string: "http://127.0.0.1/numbers"))
        let numbers = PagedList(NumbersPage(url: url), networking: networking)
        let early = Task { try await numbers.loadNext() }
        #expect(try await until({ networking.asked }, { !$0.isEmpty }))
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
        let numbers = PagedList(NumbersPage(url: url), networking: networking)
        var events = networking.events.makeAsyncIterator()
        let load = Task { try await numbers.loadNext() }
        #expect(await events.next() == .asked("/numbers"))
        load.cancel()
        await #expect(throws: CancellationError.self) { try await load.value }
        #expect(await events.next() == .cancelled("/numbers"))
        #expect(try await until({ numbers.state.isLoading }, is: false))
        #expect(numbers.state.failure == nil)
        #expect(numbers.state.hasNext)
    }

    @Test func aResetCancelsALoadThatHangs() async throws {
        let networking = HangingNetworking()
        let url = try #require(URL(string: "http://127.0.0.1/numbers"))
        let numbers = PagedList(NumbersPage(url: url), networking: networking)
        var events = networking.events.makeAsyncIterator()
        let load = Task { try await numbers.loadNext() }
        #expect(await events.next() == .asked("/numbers"))
        numbers.reset()
        await #expect(throws: CancellationError.self) { try await load.value }
        #expect(await events.next() == .cancelled("/numbers"))
        #expect(!numbers.state.isLoading)
    }

    @Test func theStatesTellWhatHappens() async throws {
        let networking = GatedNetworking(#"{"data": [1]}"#)
        let url = try #require(URL(string: "http://127.0.0.1/numbers"))
        var numbers: PagedList<Int>? = PagedList(NumbersPage(url: url), networking: networking)
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
