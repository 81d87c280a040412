// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import NetworkingKit

/// `articles show`: one article with its text.
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show an article.")

    @OptionGroup var service: ServiceOptions

    @Argument(help: ArticleReference.help)
    var article: ArticleReference

    @MainActor
    func run() async throws {
        let details = try await service.viewModel().details(of: article)
        Screen().show(details)
        if let missing = details.missing { throw missing }
    }
}
