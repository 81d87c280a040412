// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import Foundation
import NetworkingKit

/// `articles image`: the artwork of an article.
struct ImageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "image",
        abstract: "Tell the format and size of an article's image, and keep it in a file if wanted.")

    @OptionGroup var service: ServiceOptions

    @Argument(help: ArticleReference.help)
    var article: ArticleReference

    @Option(help: ArgumentHelp("The file for the image; an existing one is replaced.", valueName: "file"))
    var output: String?

    @MainActor
    func run() async throws {
        let image = try await service.viewModel().image(of: article)
        if let output {
            let file = URL(fileURLWithPath: output)
            do {
                // Foundation has no error of its own for this one.
                guard (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory != true else {
                    throw CocoaError(.fileWriteFileExists)
                }
                try image.data.write(to: file, options: .atomic)
            } catch {
                throw ReadingError.notWritten(output, error)
            }
        }
        let screen = Screen()
        screen.show(image)
        if let output { screen.hint("saved: \(output)") }
    }
}
