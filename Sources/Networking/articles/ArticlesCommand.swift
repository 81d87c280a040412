// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

/// The command `articles`.
@main
struct ArticlesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "articles",
        abstract: "Read the articles of a service in a terminal.",
        discussion: """
            Without a subcommand it shows the first page and takes one command a line: a number for an article, n for the next page, \
            i and a number for an image, s and a number to save for later, l for the list, q to quit.

            Exit codes: 0 fine, 1 the service or a file could not be read or written, 64 usage.
            """,
        subcommands: [ReadCommand.self, ListCommand.self, ShowCommand.self, ImageCommand.self],
        defaultSubcommand: ReadCommand.self)

    static let _errorPrefix = "error: "
}
