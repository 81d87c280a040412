// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiImageFormats
import NetworkingKit
import Presentables

/// The articles of a service as far as they have been read, and the actions on them.
///
/// It is the delegate of its networking. Pages follow each other by their links; images are fetched once.
@MainActor
final class ArticlesViewModel {
    /// How many pages are read.
    static let pageLimit = 1_000

    private(set) var articles: [ArticleViewModel] = []
    /// How many there are in all, if the service says so.
    private(set) var total: Int?
    /// The places from 0 of the articles of each page that has been read.
    private(set) var pages: [Range<Int>] = []

    private let networking: any Networking
    private let api: URL
    /// The pages, each of them one element.
    private let pagination: PagedList<ArticlePage>

    init(networking: any Networking, api: URL) {
        self.networking = networking
        self.api = api
        pagination = PagedList(PageRequest(firstOf: api), networking: networking) { [$0] }
        var networking = networking
        networking.delegate = self
    }

    /// Whether there is a page behind those that have been read.
    var hasNextPage: Bool { pagination.state.hasNext }

    /// The places from 0 of the articles of a page, counted from 1, for which pages are read as long as there are.
    ///
    /// - Returns: nil if there is no such page.
    func page(_ number: Int) async throws(ReadingError) -> Range<Int>? {
        while pages.count < number, hasNextPage { try await loadNextPage() }
        return pages.indices.contains(number - 1) ? pages[number - 1] : nil
    }

    /// Reads the next page, if there is one.
    func loadNextPage() async throws(ReadingError) {
        guard pages.count < Self.pageLimit || !hasNextPage else { throw .tooManyPages(Self.pageLimit) }
        let request = pagination.state.next.map(PageRequest.init(link:)) ?? PageRequest(firstOf: api)
        _ = try await perform(request, for: "a list of articles") { try await pagination.loadNext() }
        // A caller that asks for a page that is being read shares it, and may find it added already.
        for page in pagination.state.elements.dropFirst(pages.count) {
            pages.append(articles.count..<articles.count + page.data.count)
            articles += page.data.map { ArticleViewModel($0) }
            total = page.meta?.total ?? total
        }
    }

    /// An article with its text, or, if the service does not have that, with the facts from its list.
    func details(of reference: ArticleReference) async throws(ReadingError) -> ArticleDetailsViewModel {
        let subject = "an article"
        switch reference {
        case .id(let id):
            return ArticleDetailsViewModel(try await fetch(ArticleItemRequest(id: id, of: api), for: subject))
        case .place(let place):
            let row = articles[try await index(of: place)]
            let request =
                row.item.link.map(ArticleItemRequest.init(link:)) ?? ArticleItemRequest(id: row.item.id, of: api)
            do throws(ReadingError) {
                return ArticleDetailsViewModel(try await fetch(request, for: subject), imageInfo: row.imageInfo)
            } catch {
                guard error.isNotFound else { throw error }
                return ArticleDetailsViewModel(row, missing: error)
            }
        }
    }

    /// The image of an article.
    func image(of reference: ArticleReference) async throws(ReadingError) -> ImageViewModel {
        switch reference {
        case .id(let id): return try await image(of: fetch(ArticleItemRequest(id: id, of: api), for: "an article"))
        case .place(let place):
            let index = try await index(of: place)
            let image = try await image(of: articles[index].item)
            articles[index].imageInfo = image.imageInfo
            return image
        }
    }

    /// Saves an article for later, or no longer.
    ///
    /// - Returns: its place, from 0.
    func toggle(_ place: Int) async throws(ReadingError) -> Int {
        let index = try await index(of: place)
        let isOn = articles[index].switchOn
        articles[index].onSwitchToggleOn(!isOn)
        return index
    }

    /// The index of an article by its place from 1, for which pages are read as long as there are.
    private func index(of place: Int) async throws(ReadingError) -> Int {
        while articles.count < place, hasNextPage { try await loadNextPage() }
        guard articles.indices.contains(place - 1) else { throw .noSuchPlace(place, articles: articles.count) }
        return place - 1
    }

    private func image(of item: ArticleItem) async throws(ReadingError) -> ImageViewModel {
        guard let url = item.image else { throw .noImage(item.name) }
        let request = ImageRequest(url: url)
        let data = try await perform(request, for: "an image") { try await networking.cachedValue(for: request) }
        do throws(ImageInfoError) {
            return ImageViewModel(url: url, data: data, info: try ImageInfo(data))
        } catch {
            throw .noKnownImage(url, error)
        }
    }

    private func fetch<R: Request>(_ request: R, for subject: String) async throws(ReadingError) -> R.Output {
        try await perform(request, for: subject) { try await networking.value(for: request) }
    }

    /// Adds the requested subject to an error.
    private func perform<R: Request, Value>(
        _ request: R, for subject: String, _ operation: () async throws -> Value
    ) async throws(ReadingError) -> Value {
        do {
            return try await operation()
        } catch let failure as RequestError {
            throw .link(failure)
        } catch {
            let url = (try? request.urlRequest().url) ?? request.url
            let command = (try? request.net.curlCommand(by: networking)) ?? "curl \(url.absoluteString)"
            throw .request(subject: subject, url: url, command: command, cause: error)
        }
    }
}

extension ArticlesViewModel: NetworkingDelegate {
    nonisolated func headers(for networking: any Networking) -> [String: String] {
        let type = "application/vnd.api+json"
        return [
            "Accept": "\(type), application/problem+json;q=0.9, */*;q=0.5", "Content-Type": "\(type); charset=utf-8",
        ]
    }
}
