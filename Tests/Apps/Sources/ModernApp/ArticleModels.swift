// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// The list of articles, which grows page by page.
final class ArticleListModel {
    private(set) var items: [Article] = []
    private(set) var isLoading = false
    private(set) var hasMore = true
    private(set) var errorText: String?
    private var next: String?
    private let client: AppClient
    private let topic: String?

    init(_ client: AppClient, topic: String? = nil) {
        self.client = client
        self.topic = topic
    }

    /// Loads the first page, or the next one.
    func loadNext() async {
        guard !isLoading, hasMore else { return }
        await load(next) { [self] page in
            let known = Set(items.map(\.id))
            items += page.items.filter { !known.contains($0.id) }
        }
    }

    /// Loads the first page again; what is there stays until that has come.
    func refresh() async {
        guard !isLoading else { return }
        await load(nil) { [self] page in items = page.items }
    }

    private func load(_ link: String?, _ take: (ArticlePage) -> Void) async {
        isLoading = true
        defer { isLoading = false }
        do throws(AppError) {
            let page = try await client.articles(topic: topic, link: link)
            take(page)
            next = page.next
            hasMore = page.next != nil
            errorText = nil
        } catch {
            if error != .cancelled { errorText = error.text }
        }
    }

    /// Takes an article out at once, and puts it back where the service does not.
    func delete(_ id: Int) async {
        guard let place = items.firstIndex(where: { $0.id == id }) else { return }
        let article = items.remove(at: place)
        do throws(AppError) {
            try await client.delete(id)
        } catch {
            if error == .missing { return }
            items.insert(article, at: min(place, items.count))
            errorText = error.text
        }
    }

    /// Shows what will be at once, and what is where the service refuses.
    func toggleLike(_ id: Int) async {
        guard let article = items.first(where: { $0.id == id }) else { return }
        let isLiked = !article.isLiked
        change(id) {
            $0.isLiked = isLiked; $0.likes += isLiked ? 1 : -1
        }
        do throws(AppError) {
            try await client.setLiked(id, isLiked)
        } catch {
            change(id) { $0 = article }
            errorText = error.text
        }
    }

    private func change(_ id: Int, _ change: (inout Article) -> Void) {
        guard let place = items.firstIndex(where: { $0.id == id }) else { return }
        change(&items[place])
    }
}

/// What is found while somebody types: of several searches the last one counts.
final class SearchModel {
    private(set) var results: [Article] = []
    private(set) var isSearching = false
    private(set) var errorText: String?
    private var number = 0
    private var running: Task<[Article], any Error>?
    private let client: AppClient

    init(_ client: AppClient) { self.client = client }

    func search(_ typed: String) async {
        running?.cancel()
        number += 1
        let mine = number
        let text = typed.trimmingCharacters(in: .whitespaces)
        guard text.count >= 2 else {
            results = []
            isSearching = false
            return
        }
        isSearching = true
        let client = client
        let task = Task { try await client.search(text) }
        running = task
        let found = await task.result
        guard mine == number else { return }
        isSearching = false
        switch found {
        case .success(let articles):
            results = articles
            errorText = nil
        case .failure(let error): errorText = (error as? AppError)?.text
        }
    }
}
