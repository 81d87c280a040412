// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Synchronization
import Testing

/// The book's chapter, first form: a request is a URL and a method, a networker gives data, a delegate adds headers and changes publishers.
@MainActor
@Suite(.supervised) struct BookFirstForm {
    struct ArticleRequest: Request {
        let api: URL
        var url: URL {
            let path = "/contents?filter[content_types][]=article"
            return URL(string: api.absoluteString + path) ?? api
        }
        var method: HTTPMethod { .get }
    }

    struct ImageRequest: Request {
        let url: URL
        var method: HTTPMethod { .get }
    }

    @MainActor
    final class ArticlesViewModel: ObservableObject {
        @Published private(set) var articles: [Article] = []
        private var cancellables: Set<AnyCancellable> = []
        private var networker: any Networking
        private let api: URL

        init(networker: any Networking, api: URL) {
            self.networker = networker
            self.api = api
            self.networker.delegate = self
        }

        func fetchArticles() {
            let request = ArticleRequest(api: api)
            networker.fetch(request)
                .tryMap([Article].init)
                .replaceError(with: [])
                .receive(on: DispatchQueue.main)
                .sink { [weak self] articles in
                    MainActor.assumeIsolated { self?.articles = articles }
                }
                .store(in: &cancellables)
        }

        func fetchImage(for article: Article) -> AnyPublisher<Data, URLError> {
            networker.fetch(ImageRequest(url: article.image))
        }
    }

    /// The chapter's double: it encodes the very types that are to be tested.
    final class MockNetworker: Networking {
        private let reference = DelegateReference()
        var delegate: (any NetworkingDelegate)? {
            get { reference.delegate }
            set { reference.delegate = newValue }
        }

        func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
            let output: Data
            switch request {
            case is ArticleRequest:
                let article = Article(name: "Name", description: "Description", image: request.url, id: "1")
                output = (try? JSONEncoder().encode(Articles(data: [ArticleData(article: article)]))) ?? Data()
            default:
                output = Data()
            }
            return Just(output).setFailureType(to: URLError.self).eraseToAnyPublisher()
        }
    }

    @Test func aViewModelShowsWhatTheNetworkerFetches() async throws {
        let service = try await Service()
        let model = ArticlesViewModel(networker: Networker(), api: service.api)
        model.fetchArticles()
        #expect(try await until({ model.articles.count }, is: 20))
        #expect(service.targets == ["GET /api/contents?filter%5Bcontent_types%5D%5B%5D=article"])
        let contentType = try #require(service.server.journal.entries.first?.request.headerFields[.contentType])
        #expect(contentType == "application/vnd.api+json; charset=utf-8")
        let image = try await model.fetchImage(for: model.articles[0]).firstValue()
        #expect(!image.isEmpty)
        await service.stop()
    }

    @Test func aViewModelIsTestedWithADouble() async throws {
        let api = try #require(URL(string: "https://api.example.com/api"))
        let model = ArticlesViewModel(networker: MockNetworker(), api: api)
        model.fetchArticles()
        #expect(try await until({ model.articles.map(\.name) }, is: ["Name"]))
    }

    @Test func aDoubleIsAwaitedAndAskedForResponsesToo() async throws {
        let api = try #require(URL(string: "https://api.example.com/api"))
        let networking: any Networking = MockNetworker()
        let data: Data = try await networking.data(for: ArticleRequest(api: api))
        #expect(try [Article](from: data).count == 1)
        let response = try await networking.response(for: ArticleRequest(api: api))
        #expect(response.status == 200)
        #expect(try [Article](from: response.data) == [Article](from: data))
    }
}

extension BookFirstForm.ArticlesViewModel: NetworkingDelegate {
    nonisolated func headers(for networking: any Networking) -> [String: String] {
        ["Content-Type": "application/vnd.api+json; charset=utf-8"]
    }

    nonisolated func networking(
        _ networking: any Networking, transformPublisher publisher: AnyPublisher<Data, URLError>
    ) -> AnyPublisher<Data, URLError> {
        publisher.receive(on: DispatchQueue.main).eraseToAnyPublisher()
    }
}
