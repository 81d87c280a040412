// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import NetworkingKit
import Testing

/// The book's chapter, last form: a request has an output and decodes it, images come from a cache.
@Suite(.supervised) struct BookLastForm {
    struct ArticleRequest: Request {
        let api: URL
        var url: URL { api.appendingPathComponent("contents") }
        var method: HTTPMethod { .get }
        var query: [URLQueryItem] { [URLQueryItem(name: "filter[content_types][]", value: "article")] }

        func decode(_ data: Data) throws -> [Article] {
            let decoder = JSONDecoder()
            let articles = try decoder.decode(Articles.self, from: data)
            return articles.data.map { $0.article }
        }
    }

    /// In the place of UIKit's image.
    struct Picture: Equatable {
        struct Unreadable: Error {}
        let data: Data
    }

    struct ImageRequest: Request {
        let url: URL
        var method: HTTPMethod { .get }

        func decode(_ data: Data) throws -> Picture {
            guard data.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { throw Picture.Unreadable() }
            return Picture(data: data)
        }
    }

    @Test func aRequestDecodesItsOutput() async throws {
        let service = try await Service()
        let networker = Networker()
        let publisher = networker.fetch(ArticleRequest(api: service.api)).map(\.count)
        #expect(try await publisher.firstValue() == 20)
        let articles = try await networker.value(for: ArticleRequest(api: service.api))
        #expect(articles.count == 20)
        await service.stop()
    }

    @Test func aURLIsFetchedAsWhatItIsExpectedToBe() async throws {
        let service = try await Service()
        let publisher: AnyPublisher<Articles, any Error> = Networker().fetch(
            url: service.url("/api/contents?filter[content_types][]=article"))
        #expect(try await publisher.firstValue().data.count == 20)
        await service.stop()
    }

    @Test func anImageIsFetchedOnce() async throws {
        let service = try await Service()
        try service.server.add(
            MockStub(
                json:
                    #"{"request": {"urlPath": "/uploads/2025/hexagons.png"}, "response": {"bodyFile": "uploads/2025/hexagons.png", "headers": ["Cache-Control: max-age=60"]}}"#
            ))
        let networker = Networker()
        let request = ImageRequest(url: service.url("/uploads/2025/hexagons.png"))
        let first: AnyPublisher<Picture, any Error> = networker.fetchWithCache(request)
        let second: AnyPublisher<Picture, any Error> = networker.fetchWithCache(request)
        #expect(try await first.firstValue() == second.firstValue())
        #expect(service.targets == ["GET /uploads/2025/hexagons.png"])
        await service.stop()
    }

    @Test func whatIsNoImageIsAnError() async throws {
        let service = try await Service()
        let request = ImageRequest(url: service.url("/uploads/2026/dunes.jpg"))
        await #expect(throws: Picture.Unreadable.self) { try await Networker().value(for: request) }
        await service.stop()
    }

    @Test func aCacheTakesRequestsOfAnyType() throws {
        let url = try #require(URL(string: "https://images.example.com/1.png"))
        let cache = RequestCache<Picture>()
        cache.saveResponse(Picture(data: Data([1])), for: ImageRequest(url: url))
        #expect(cache.response(for: PlainRequest(url: url)) == Picture(data: Data([1])))
        #expect(Set([AnyRequest(url: url, method: .get), AnyRequest(ImageRequest(url: url))]).count == 1)
    }

    struct Bytes: Request {
        let url: URL
        var method: HTTPMethod { .get }
    }

    /// The edition with async functions, on the main actor.
    @MainActor
    final class ArticlesViewModel {
        private(set) var articles: [Article] = []
        private(set) var savedArticles: [Article] = []
        private let networker: Networker
        private let api: URL

        init(networker: Networker, api: URL) {
            self.networker = networker
            self.api = api
        }

        func fetchArticles() async {
            articles = (try? await networker.value(for: ArticleRequest(api: api))) ?? []
        }

        func fetchImage(for article: Article) async throws -> Data {
            try await networker.cachedValue(for: Bytes(url: article.image))
        }

        func readLater(_ article: Article) {
            savedArticles.append(article)
        }
    }

    @MainActor
    @Test func aViewModelAwaits() async throws {
        let service = try await Service()
        let model = ArticlesViewModel(networker: Networker(), api: service.api)
        await model.fetchArticles()
        #expect(model.articles.count == 20)
        #expect(try await !model.fetchImage(for: model.articles[0]).isEmpty)
        model.readLater(model.articles[0])
        #expect(model.savedArticles.map(\.id) == [model.articles[0].id])
        await service.stop()
    }
}
