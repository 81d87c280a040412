// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiImageFormats
import MockapiTestSupport
import NetworkingKit
import Presentables
import Testing

@testable import mockapi_articles

@MainActor
@Suite(.supervised) struct ArticlesViewModelTests {
    private static let list = "/api/contents?filter%5Bcontent_types%5D%5B%5D=article"
    private let api: URL

    init() throws {
        api = try #require(URL(string: "http://service.example/api"))
    }

    private static func page(_ ids: [String], next: String?) -> Data {
        let items = ids.map { id in
            #"{"id": "\#(id)", "attributes": {"name": "Name \#(id)", "card_artwork_url": "/\#(id).svg"}}"#
        }
        let link = next.map { "\"\($0)\"" } ?? "null"
        return Data(
            #"{"data": [\#(items.joined(separator: ","))], "links": {"next": \#(link)}, "meta": {"total_result_count": 3}}"#
                .utf8)
    }

    private static let answers = [
        list: page(["a", "b"], next: "?page=2"), "/api/contents?page=2": page(["c"], next: nil),
        "/a.svg": Data("<svg width='4' height='3'/>".utf8),
        "/api/contents/a": Data(
            #"{"data": {"id": "a", "attributes": {"name": "Name a", "body": "<p>Text</p>"}}}"#.utf8),
    ]

    @Test func pagesAreReadOneAfterTheOtherAndKept() async throws {
        let networking = DoubleNetworking(Self.answers)
        let model = ArticlesViewModel(networking: networking, api: api)
        #expect(model.articles.isEmpty)
        #expect(model.total == nil)
        #expect(model.hasNextPage)
        #expect(try await model.page(1) == 0..<2)
        #expect(try await model.page(1) == 0..<2)
        #expect(model.total == 3)
        #expect(model.hasNextPage)
        #expect(try await model.page(2) == 2..<3)
        #expect(!model.hasNextPage)
        #expect(try await model.page(3) == nil)
        #expect(try await model.page(0) == nil)
        #expect(model.articles.map(\.text) == ["Name a", "Name b", "Name c"])
        #expect(networking.targets == [Self.list, "/api/contents?page=2"])
    }

    @Test func twoWhoAskForAPageAtOnceGetItOnce() async throws {
        let networking = DoubleNetworking(Self.answers)
        let model = ArticlesViewModel(networking: networking, api: api)
        async let one: Void = model.loadNextPage()
        async let other: Void = model.loadNextPage()
        _ = try await (one, other)
        #expect(model.articles.prefix(2).map(\.text) == ["Name a", "Name b"])
        #expect(model.articles.count == networking.targets.count + 1)
    }

    @Test func aThousandPagesAreRead() async throws {
        var answers = [Self.list: Self.page(["1"], next: "?page=2")]
        for number in 2...1_000 {
            answers["/api/contents?page=\(number)"] = Self.page(["\(number)"], next: "?page=\(number + 1)")
        }
        let model = ArticlesViewModel(networking: DoubleNetworking(answers), api: api)
        #expect(try await model.page(1_000) == 999..<1_000)
        do {
            try await model.loadNextPage()
            Issue.record("the limit is one page less")
        } catch {
            #expect(error.description == "there are more than 1000 pages; no more are followed")
        }
    }

    @Test func itIsTheDelegateOfItsNetworking() throws {
        let networking = DoubleNetworking([:])
        let model = ArticlesViewModel(networking: networking, api: api)
        let delegate = try #require(networking.delegate)
        #expect(delegate === model)
        #expect(delegate.headers(for: networking)["Content-Type"] == "application/vnd.api+json; charset=utf-8")
    }

    @Test func anImageIsFetchedOnceAndKeptWithItsArticle() async throws {
        let networking = DoubleNetworking(Self.answers)
        let model = ArticlesViewModel(networking: networking, api: api)
        for _ in 0..<2 {
            let image = try await model.image(of: .place(1))
            #expect(image.imageInfo == ImageInfo(format: .svg, width: 4, height: 3))
            #expect(image.imageName == "a.svg")
        }
        #expect(networking.targets == [Self.list, "/a.svg"])
        #expect(model.articles.map(\.imageInfo?.width) == [4, nil])
    }

    @Test func aPageThatFailsIsReadAgainWhenAskedFor() async throws {
        var answers = Self.answers
        answers["/api/contents?page=2"] = nil
        let networking = DoubleNetworking(answers)
        let model = ArticlesViewModel(networking: networking, api: api)
        try await model.loadNextPage()
        for _ in 0..<2 {
            do {
                try await model.loadNextPage()
                Issue.record("there is no second page")
            } catch {
                #expect(error.isNotFound)
            }
        }
        #expect(model.hasNextPage)
        #expect(model.articles.count == 2)
        #expect(networking.targets.count == 3)
    }

    @Test func detailsComeWithTheTextOrWithWhyThereIsNone() async throws {
        let model = ArticlesViewModel(networking: DoubleNetworking(Self.answers), api: api)
        let first = try await model.details(of: .place(1))
        #expect(first.missing == nil)
        #expect(first.lines(in: .plain).last == "Text")
        let third = try await model.details(of: .place(3))
        #expect(third.missing?.isNotFound == true)
        #expect(third.lines(in: .plain).first == "Name c")
    }

    @Test func anArticleIsSavedInItsRowAlone() async throws {
        let model = ArticlesViewModel(networking: DoubleNetworking(Self.answers), api: api)
        #expect(try await model.toggle(3) == 2)
        #expect(model.articles.map(\.switchOn) == [false, false, true])
        _ = try await model.toggle(3)
        #expect(model.articles.map(\.switchOn) == [false, false, false])
    }

    @Test(arguments: [
        (0, "0 min"), (1, "1 min"), (60, "1 min"), (61, "2 min"), (3_540, "59 min"), (3_600, "1 h"),
        (5_400, "1 h 30 min"),
        (-5, "0 min"),
    ])
    func aDurationIsInMinutesAndHours(_ seconds: Int, _ text: String) {
        #expect(ArticleViewModel.minutes(seconds) == text)
    }
}
