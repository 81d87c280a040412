// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import NetworkingKit

/// `articles list`: a page of articles, or all of them.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List articles.",
        discussion: "Pages are found by following the links from one to the next, 1,000 at most.")

    @OptionGroup var service: ServiceOptions

    @Option(help: "Which page.")
    var page = 1

    @Flag(help: "All pages.")
    var all = false

    func validate() throws {
        guard page > 0 else { throw ValidationError("--page counts from 1") }
        guard !all || page == 1 else { throw ValidationError("--all and --page exclude each other") }
    }

    @MainActor
    func run() async throws {
        let articles = try service.viewModel()
        let screen = Screen()
        guard var shown = try await articles.page(page) else {
            throw ReadingError.noSuchPage(page, pages: articles.pages.count)
        }
        while all, articles.hasNextPage { try await articles.loadNextPage() }
        if all { shown = articles.articles.indices }
        screen.show(ArticleList(articles, shown, showsSwitches: false))
        if articles.hasNextPage { screen.hint("more: articles list --page \(page + 1)") }
    }
}
