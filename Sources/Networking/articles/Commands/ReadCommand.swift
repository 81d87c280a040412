// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import Foundation
import NetworkingKit
import Presentables

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `articles`: reads commands, one a line, until `q` or the end of its input.
struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Read articles, one command a line (this is what `articles` alone does).")

    @OptionGroup var service: ServiceOptions

    @MainActor
    func run() async throws {
        let articles = try service.viewModel()
        let screen = Screen()
        let isTerminal = isatty(STDIN_FILENO) == 1
        var page = 1
        try await show(page, articles, screen)
        var prompt = PromptModel()
        while true {
            if isTerminal { screen.prompt(prompt) }
            guard let line = readLine() else {
                if isTerminal { screen.hint("") }
                return
            }
            prompt.onTextFieldDidEndEditing(line)
            do {
                guard try await perform(prompt.action, articles, screen, &page) else { return }
            } catch {
                screen.fail(error)
            }
            prompt = PromptModel()
        }
    }

    /// - Returns: false if that was all.
    @MainActor
    private func perform(
        _ action: PromptModel.Action, _ articles: ArticlesViewModel, _ screen: Screen, _ page: inout Int
    ) async throws -> Bool {
        switch action {
        case .nothing: break
        case .quit: return false
        case .unknown(let text): screen.fail(ReadingError.unknownCommand(text))
        case .list: try await show(page, articles, screen)
        case .next:
            if try await show(page + 1, articles, screen) {
                page += 1
            } else {
                screen.hint("that was the last page")
            }
        case .show(let article):
            let details = try await articles.details(of: article)
            screen.show(details)
            if let missing = details.missing { throw missing }
        case .image(let article): screen.show(try await articles.image(of: article))
        case .save(let place):
            let row = try await articles.toggle(place)
            screen.show(ArticleList(articles, row..<row + 1, showsSwitches: true))
        }
        return true
    }

    /// - Returns: false if there is no such page.
    @MainActor
    @discardableResult
    private func show(_ page: Int, _ articles: ArticlesViewModel, _ screen: Screen) async throws -> Bool {
        guard let places = try await articles.page(page) else { return false }
        screen.show(ArticleList(articles, places, showsSwitches: true))
        return true
    }
}
